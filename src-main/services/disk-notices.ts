/** @file The notice about a failure of the catalogue's disk that did not stop Packhorse. */
import { errorText } from '../../src-contract/error-messages.ts';
import type { AppError } from '../../src-contract/errors.ts';

export function diskNotices(failure: AppError | null): string[] {
  if (failure === null) return [];
  const { what, todo } = errorText(failure.toData());
  return [`${what} The failed work was retried or skipped. ${todo}`];
}
