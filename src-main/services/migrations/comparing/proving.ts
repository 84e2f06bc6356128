/**
 * @file Marks the archive of a migrated project as proven once a comparison of contents shows that source, archive and
 * target agree. The counts of an import job alone do not show losses of the export.
 */
import type { Proof } from '../../../../src-contract/archives/archive.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { ProjectMigrations } from '../../../catalogue/migrations/project-migrations.ts';
import { provesArchive } from '../../../jobs/importing/archive-proof.ts';
import type { MigrationsPort } from '../../../jobs/migrations/migration-ports.ts';
import type { ArchivePort } from '../../../jobs/ports.ts';
import type { Log } from '../../../platform/log.ts';

interface ProvingDeps {
  projectMigrations: Pick<ProjectMigrations, 'project' | 'reconciliation'>;
  archivePort: Pick<ArchivePort, 'addProof'>;
  log: Log;
}

export function withArchiveProof(
  { projectMigrations, archivePort, log }: ProvingDeps,
  compare: MigrationsPort['compare'],
): MigrationsPort['compare'] {
  return async (id, sourceId, ...request) => {
    await compare(id, sourceId, ...request);
    const { archive, target } = projectMigrations.project(id, String(sourceId));
    const reconciliation = projectMigrations.reconciliation(id, sourceId);
    if (archive === null || target === null || reconciliation === null || !provesArchive(reconciliation))
      return;
    const detail = `Imported as ${target.fullPath}, and compared with its source by a migration.`;
    const proof: Proof = { level: 'L3', at: reconciliation.at, detail, contentsCompared: true };
    await archivePort.addProof(archive.id, proof).catch((thrown: unknown) => {
      log.warn({ err: AppError.from(thrown) }, 'a proof was not stored');
    });
  };
}
