/** @file What the handlers of failures need, fitted by `compose/compose.ts`. Types only. */
import type { CallReply, ParsedRequest } from '../../../src-contract/calls.ts';
import type { FailureGroup, FailureState, LedgerFailure } from '../../../src-contract/migrations/failure.ts';

type Listed = CallReply<'failure.list'>;

export interface FailuresPort {
  /** Throws `migration-missing`. */
  list(request: ParsedRequest<'failure.list'>): Omit<Listed, 'groups'> & {
    groups: Omit<FailureGroup, 'meaning' | 'advice'>[];
  };
  /** With the path that its archive had. Throws `failure-missing`. */
  get(ref: string): { failure: LedgerFailure; archivePath: string | null };
  /**
   * Makes the job that imports a relation again. Throws `migration-missing`, `project-missing`, `job-busy`, and `invalid-input` where there
   * is nothing to be imported.
   */
  retry(
    request: ParsedRequest<'migration.retry'>,
    signal: AbortSignal,
  ): Promise<CallReply<'migration.retry'>>;
  /** Failures and differences, all or none; throws `failure-missing`. @returns how many changed. */
  settle(
    refs: readonly string[],
    state: Extract<FailureState, 'accepted' | 'open'>,
    note: string | null,
  ): number;
}
