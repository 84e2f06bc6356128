/** @file The notice about a failure of the catalogue's disk after which Packhorse could continue. */
import { errorText } from '../../src-contract/error-messages.ts';
import type { AppError } from '../../src-contract/errors.ts';

export function diskNotices(failure: AppError | null): string[] {
  if (failure === null) return [];
  const { what, todo } = errorText(failure.toData());
  return [`${what} The failed work was tried again or left out. ${todo}`];
}
