/** @file What the handlers of evidence need, fitted by `compose/compose.ts`. Types only. */
import type { CallReply } from '../../../src-contract/calls.ts';

/** A migration is named by its id or name, a project of it by path or id on the source. Throws `migration-missing`, `project-missing`. */
export interface PassportPort {
  /** As CSV. */
  table(migration: string): string;
  /** @returns how many projects are placed otherwise now. Throws `invalid-input` for rows that are wrong; nothing is changed then. */
  fill(migration: string, csv: string): number;
  /** As compared last. */
  reconciliation(migration: string, project: string): CallReply<'migration.reconciliation'>;
  /** Throws `invalid-input` for a project that was not imported, and what asking throws. */
  reconcile(
    migration: string,
    project: string,
    signal: AbortSignal,
  ): Promise<CallReply<'migration.reconcile'>>;
  /** For the projects that `finish` would take. Throws what that throws, and what asking for the account throws. */
  finishOutlook(
    migration: string,
    project: string | null,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<CallReply<'migration.finishOutlook'>>;
  /**
   * Null: every project that has arrived. Throws `invalid-input` where there is none, and for a project that was not imported;
   * `migration-differs` for one that has not arrived whole, where that is not confirmed.
   */
  finish(
    migration: string,
    project: string | null,
    wanted: { markSource: boolean; noteNewPlace: boolean; despiteDifferences: boolean },
  ): CallReply<'migration.finish'>;
  /** Null: all. Throws `invalid-input`, `disk-…`. */
  passport(
    migration: string,
    project: string | null,
    to: string | null,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<CallReply<'migration.passport'>>;
}
