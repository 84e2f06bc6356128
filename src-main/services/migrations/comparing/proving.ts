/**
 * @file Marks the archive of a migrated project as proven once source, archive and target agreed in a
 * comparison with contents: the counts of an import job do not show the losses of the export.
 */
import type { Proof } from '../../../../src-contract/archives/archive.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { ProjectMigrations } from '../../../catalogue/migrations/project-migrations.ts';
import { provesArchive } from '../../../jobs/importing/archive-proof.ts';
import type { MigrationsPort as CoordinatorPort } from '../../../jobs/migrations/migration-ports.ts';

interface ProvingParts {
  store: Pick<ProjectMigrations, 'project' | 'reconciliation'>;
  addProof: (archiveId: string, proof: Proof) => Promise<void>;
  /** The archive cannot be proven now; the comparison is stored all the same. */
  troubled: (error: AppError) => void;
}

/** The comparison, with the proof that follows from it. */
export function proving(
  { store, addProof, troubled }: ProvingParts,
  compare: CoordinatorPort['compare'],
): CoordinatorPort['compare'] {
  return async (id, sourceId, signal, mayDoWithoutSource) => {
    await compare(id, sourceId, signal, mayDoWithoutSource);
    const { archive, target } = store.project(id, String(sourceId));
    const reconciliation = store.reconciliation(id, sourceId);
    if (archive === null || target === null || reconciliation === null || !provesArchive(reconciliation))
      return;
    const detail = `Imported as ${target.fullPath}, and compared with its source by a migration.`;
    const proof: Proof = { level: 'L3', at: reconciliation.at, detail, contentsCompared: true };
    await addProof(archive.id, proof).catch((thrown: unknown) => {
      troubled(AppError.from(thrown));
    });
  };
}
