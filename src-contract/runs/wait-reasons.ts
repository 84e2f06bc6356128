/** @file The reasons why a job waits. */

export const waitReasons = [
  'server-working',
  'rate-limited',
  'pace',
  'network',
  'server-unavailable',
  'answer-lost',
  'interrupted',
  'token-missing',
  'keychain',
] as const;
export type WaitReason = (typeof waitReasons)[number];
