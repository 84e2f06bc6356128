/** @file Finds the stored archive from which this program imported a project. */
import type { ArchiveSummary } from '../../../../src-contract/archives/archive.ts';
import { call } from '../../../client.ts';

/**
 * Returns the archive of the newest import of `project` on `instance`; null if no import is known, or its archive was
 * not stored, is not available or is damaged.
 */
export async function archiveOfImport(instance: string, project: string): Promise<ArchiveSummary | null> {
  const listed = await call('job.list', { status: 'succeeded', instance, project, limit: 50 });
  const job = listed.ok ? listed.value.jobs.find(({ kind }) => kind === 'import') : undefined;
  const archive = job?.kind === 'import' ? (job.input?.archiveId ?? null) : null;
  if (archive === null) return null;
  const shown = await call('archive.show', { archive });
  if (!shown.ok) return null;
  const { summary } = shown.value;
  return summary.absent || summary.damaged !== null ? null : summary;
}
