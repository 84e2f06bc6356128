/** @file The notice that the disk of the catalogue has failed, although Packhorse could continue. */
import { errorText } from '../../src-contract/error-messages.ts';
import type { AppError } from '../../src-contract/errors.ts';

export function diskNotices(failure: AppError | null): string[] {
  if (failure === null) return [];
  const { what, todo } = errorText(failure.toData());
  return [`${what} What failed was tried again or left out. ${todo}`];
}
