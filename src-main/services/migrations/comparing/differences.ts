/** @file The differences of migrated projects in their last comparison, and the accepted ones among them. */
import { AppError } from '../../../../src-contract/errors.ts';
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import type { AcceptedDifferences } from '../../../catalogue/migrations/accepted-differences.ts';
import type { StoredProject } from '../../../catalogue/migrations/migrating-rows.ts';
import {
  assessDifferences,
  differenceIdOf,
  type AssessedDifference,
} from '../../../jobs/migrations/comparing/differences.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { SharedDeps } from '../../shared-deps.ts';

export interface DifferenceDeps extends Pick<SharedDeps, 'importFailures' | 'projectMigrations'> {
  acceptances: AcceptedDifferences;
}

export type Differences = ReturnType<typeof createDifferences>;

export function createDifferences({ projectMigrations, acceptances, importFailures }: DifferenceDeps) {
  /** Assesses a comparison of the project. `id` is the id of the migration. */
  const assess = (
    id: string,
    { sourceId, jobs }: Pick<StoredProject, 'sourceId' | 'jobs'>,
    reconciliation: Reconciliation,
  ): AssessedDifference[] =>
    assessDifferences(
      reconciliation,
      jobs.import === undefined ? [] : importFailures.findByImport(jobs.import.jobId),
      acceptances.listForProject(id, sourceId),
    );
  const lastDifferences = (id: string, sourceId: number): AssessedDifference[] => {
    const reconciliation = projectMigrations.reconciliation(id, sourceId);
    return reconciliation === null
      ? []
      : assess(id, projectMigrations.project(id, String(sourceId)), reconciliation);
  };
  const find = (ref: string) => {
    const sourceId = Number(ref.split('-')[0]);
    for (const id of acceptances.migrationsOfProject(sourceId)) {
      const found = lastDifferences(id, sourceId).find(
        (difference) => differenceIdOf(id, sourceId, difference) === ref,
      );
      if (found !== undefined) return { id, sourceId, found };
    }
    throw new AppError(
      'failure-missing',
      `There is no difference ${ref}: the last comparison does not show it, or shows another count.`,
      { details: { failure: ref } },
    );
  };

  return {
    assess,
    /** Returns the differences in the project's last comparison; none before the first comparison. */
    list: (id: string, sourceId: number): Difference[] =>
      lastDifferences(id, sourceId).map((difference) => {
        const { kind, relation, what, lost, isGrave, missing, open, accepted, places } = difference;
        return {
          ref: differenceIdOf(id, sourceId, difference),
          ...{ kind, relation, what, lost, isGrave, missing, open, places },
          accepted: accepted === null ? null : { note: accepted.note, at: isoTime(accepted.at) },
        };
      }),
    /** Returns whether `ref` has the form of a difference's id. Otherwise it may be the id of a listed failure. */
    isDifferenceId: (ref: string) => /^\d+-[0-9a-f]+$/.test(ref),
    /**
     * Accepts a difference together with the listed failures of its records, or reopens it. Throws `failure-missing` if
     * the last comparison does not show it, or shows another count. @returns the id of its migration, and whether
     * anything changed.
     */
    setAcceptance(ref: string, state: 'accepted' | 'open', note: string | null, at: number) {
      const { id, sourceId, found } = find(ref);
      const { key, missing, failures, accepted, isAcceptedItself, open } = found;
      const refs = failures.map((failure) => failure.ref);
      const changedFailures = refs.length === 0 ? 0 : importFailures.setState(refs, state, note, at);
      if (state === 'open') {
        acceptances.remove(id, sourceId, key);
        return { migration: id, changed: isAcceptedItself || changedFailures > 0 };
      }
      const unlistedCount = missing - new Set(failures.map(({ line }) => line)).size;
      const isNew = unlistedCount > 0 && (open > 0 || accepted?.note !== note);
      if (isNew)
        acceptances.store(id, sourceId, { difference: key, missing: unlistedCount, note: note ?? '', at });
      return { migration: id, changed: isNew || changedFailures > 0 };
    },
  };
}
