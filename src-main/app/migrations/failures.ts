/** @file The ledger of failures as the bridge asks for it. */
import type { LedgerFailure } from '../../../src-preload/contract/migrations/failure.ts';
import type { FailuresPort } from '../../bridge/migrations/failure-ports.ts';
import type { ImportFailures, StoredFailure } from '../../catalogue/migrating/import-failures.ts';
import type { ProjectMigrations } from '../../catalogue/migrating/project-migrations.ts';
import { isoTime, type Clock } from '../../platform/clock.ts';
import type { Announce } from '../events.ts';

export function createFailureAccess(parts: {
  ledger: ImportFailures;
  store: Pick<ProjectMigrations, 'get'>;
  clock: Clock;
  announce: Announce;
  retry: FailuresPort['retry'];
}): FailuresPort {
  const { ledger, store, clock } = parts;
  return {
    list({ migration, search, offset, limit, ...filter }) {
      const { failures, ...found } = ledger.list(
        {
          ...filter,
          migration: migration === null ? null : store.get(migration).id,
          search: search?.trim() === '' ? null : (search?.trim() ?? null),
        },
        { offset, limit },
      );
      return { ...found, failures: failures.map(ledgerFailure) };
    },
    get(ref) {
      const stored = ledger.get(ref);
      return { failure: ledgerFailure(stored), archivePath: stored.archivePath };
    },
    retry: (request, signal) => parts.retry(request, signal),
    settle(refs, state, note) {
      const changed = ledger.settle(refs, state, note, clock.now());
      for (const migrationId of new Set(refs.map((ref) => ledger.get(ref).migrationId))) {
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
}: StoredFailure): LedgerFailure {
  return { ...failure, changedAt: isoTime(changedAt) };
}
