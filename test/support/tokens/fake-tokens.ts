/** @file Tokens for jobs that do not use them. */
import { AppError } from '../../../src-contract/errors.ts';
import type { TokenPort } from '../../../src-main/jobs/tokens/token-ports.ts';

const none = () => Promise.reject(new AppError('internal', 'This job changes no tokens.'));

export const noTokens: TokenPort = {
  hasSpare: false,
  held: none,
  kept: none,
  blockedReason: none,
  checkKeychainWritable: none,
  isBusy: () => false,
  acquireExclusive: none,
  keep: none,
  isUnkept: false,
  keepAgain: none,
  leave: () => undefined,
  activate: none,
  note: none,
  blockInstance: none,
  canHandOver: () => false,
  handOverObstacle: none,
  handOver: none,
  forget: none,
};
