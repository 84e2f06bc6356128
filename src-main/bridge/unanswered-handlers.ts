/** @file Calls of the contract that are being built; empty when the window is done. */
import { AppError } from '../../src-preload/contract/errors.ts';
import type { Handlers } from './ports.ts';

const missing = (): Promise<never> => Promise.reject(new AppError('internal', 'Not built yet.'));

export const unanswered = {
  'host.capabilities': missing,
  'host.choosePath': missing,
  'host.reveal': missing,
  'host.openLink': missing,
  'host.confirm': missing,
  'settings.show': missing,
  'settings.change': missing,
  'overview.show': missing,
  'sandbox.open': missing,
  'instance.preview': missing,
  'job.steps': missing,
  'job.retry': missing,
} satisfies Partial<Handlers>;
