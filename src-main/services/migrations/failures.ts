/** @file Lists the stored failures of imports as the calls return them, and changes their state. */
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import type { FailureState, ImportFailure } from '../../../src-contract/migrations/failure.ts';
import type { StoredFailure } from '../../catalogue/migrations/import-failures.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Differences } from './comparing/differences.ts';
import type { SharedDeps } from '../shared-deps.ts';

export function createFailureAccess(
  deps: Pick<SharedDeps, 'announce' | 'catalogue' | 'clock' | 'importFailures' | 'projectMigrations'> & {
    differences: Differences;
  },
) {
  const { importFailures, differences, projectMigrations, clock } = deps;
  return {
    /** Throws `migration-missing`. */
    list({ migration, search, offset, limit, ...filter }: ParsedRequest<'failure.list'>) {
      const { failures, ...found } = importFailures.list(
        {
          ...filter,
          migration: migration === null ? null : projectMigrations.get(migration).id,
          search: search?.trim() === '' ? null : (search?.trim() ?? null),
        },
        { offset, limit },
      );
      return { ...found, failures: failures.map(toImportFailure) };
    },
    /** Returns a failure with the path that its archive had. Throws `failure-missing`. */
    get(ref: string) {
      const stored = importFailures.get(ref);
      return { failure: toImportFailure(stored), archivePath: stored.archivePath };
    },
    /** Changes failures and differences, all or none. Throws `failure-missing`. @returns the number of changes. */
    setState(
      refs: readonly string[],
      state: Extract<FailureState, 'accepted' | 'open'>,
      note: string | null,
    ) {
      const changedMigrations = new Set<string | null>();
      const changed = deps.catalogue.transaction(() => {
        const at = clock.now();
        const failureRefs = refs.filter((ref) => !differences.isDifferenceId(ref));
        let count = failureRefs.length === 0 ? 0 : importFailures.setState(failureRefs, state, note, at);
        for (const ref of failureRefs) changedMigrations.add(importFailures.get(ref).migrationId);
        for (const ref of new Set(refs.filter((one) => differences.isDifferenceId(one)))) {
          const result = differences.setAcceptance(ref, state, note, at);
          changedMigrations.add(result.migration);
          if (result.changed) count += 1;
        }
        return count;
      });
      for (const migrationId of changedMigrations) {
        if (migrationId !== null) deps.announce('migration.changed', { migrationId });
      }
      return changed;
    },
  };
}

export function toImportFailure({
  archivePath: _path,
  firstSeenAt: _seen,
  changedAt,
  ...failure
}: StoredFailure): ImportFailure {
  return { ...failure, changedAt: isoTime(changedAt) };
}
