/** @file The ledger of failures, in the form that the bridge needs. */
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import type { FailureState, ImportFailure } from '../../../src-contract/migrations/failure.ts';
import type { StoredFailure } from '../../catalogue/migrations/import-failures.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Differences } from './comparing/differences.ts';
import type { SharedParts } from '../shared-parts.ts';

export function createFailureAccess(
  parts: Pick<SharedParts, 'announce' | 'catalogue' | 'clock' | 'importFailures' | 'projectMigrations'> & {
    differences: Differences;
  },
) {
  const { importFailures, differences, projectMigrations, clock } = parts;
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
      return { ...found, failures: failures.map(ledgerFailure) };
    },
    /** Returns a failure with the path that its archive had. Throws `failure-missing`. */
    get(ref: string) {
      const stored = importFailures.get(ref);
      return { failure: ledgerFailure(stored), archivePath: stored.archivePath };
    },
    /** Changes failures and differences, all or none. Throws `failure-missing`. @returns the number of changes. */
    settle(refs: readonly string[], state: Extract<FailureState, 'accepted' | 'open'>, note: string | null) {
      const touched = new Set<string | null>();
      const changed = parts.catalogue.transaction(() => {
        const at = clock.now();
        const listed = refs.filter((ref) => !differences.isDifferenceId(ref));
        let count = listed.length === 0 ? 0 : importFailures.setState(listed, state, note, at);
        for (const ref of listed) touched.add(importFailures.get(ref).migrationId);
        for (const ref of new Set(refs.filter((one) => differences.isDifferenceId(one)))) {
          const settled = differences.setAcceptance(ref, state, note, at);
          touched.add(settled.migration);
          if (settled.changed) count += 1;
        }
        return count;
      });
      for (const migrationId of touched) {
        if (migrationId !== null) parts.announce('migration.changed', { migrationId });
      }
      return changed;
    },
  };
}

export function ledgerFailure({
  archivePath: _path,
  firstSeenAt: _seen,
  changedAt,
  ...failure
}: StoredFailure): ImportFailure {
  return { ...failure, changedAt: isoTime(changedAt) };
}
