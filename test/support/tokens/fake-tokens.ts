/** @file Tokens for jobs that do not use them. */
import { AppError } from '../../../src-contract/errors.ts';
import type { TokenPort } from '../../../src-main/jobs/tokens/token-ports.ts';

const none = () => Promise.reject(new AppError('internal', 'This job changes no tokens.'));

export const noTokens: TokenPort = {
  hasSpare: false,
  resolveToken: none,
  storedToken: none,
  blockedReason: none,
  checkKeychainWritable: none,
  isBusy: () => false,
  acquireExclusive: none,
  saveToken: none,
  hasUnsavedToken: false,
  retrySave: none,
  discardPending: () => undefined,
  activate: none,
  recordExpiry: none,
  blockInstance: none,
  canHandOver: () => false,
  handOverBlockedReason: none,
  handOver: none,
  forget: none,
};
