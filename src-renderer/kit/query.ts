/** @file A request whose reply a component shows. */
import type { ErrorData } from '../../src-contract/errors.ts';

export interface Query {
  /** Null unless the last request failed. */
  readonly error: ErrorData | null;
  readonly busy?: boolean;
  refresh: () => unknown;
}
