/** @file Tokens for jobs that have nothing to do with them. */
import { AppError } from '../../../src-contract/errors.ts';
import type { TokenPort } from '../../../src-main/jobs/tokens/token-ports.ts';

const none = () => Promise.reject(new AppError('internal', 'This job changes no tokens.'));

export const noTokens: TokenPort = {
  hasSpare: false,
  held: none,
  kept: none,
  obstacle: none,
  rehearse: none,
  isBusy: () => false,
  alone: none,
  keep: none,
  isUnkept: false,
  keepAgain: none,
  leave: () => undefined,
  promote: none,
  note: none,
  freeze: none,
  canHandOver: () => false,
  handOverObstacle: none,
  handOver: none,
  forget: none,
};
