/** @file Finds the stored archive from which this program imported a project. */
import type { ArchiveSummary } from '../../../../src-contract/archives/archive.ts';
import { call } from '../../../client.ts';

/**
 * Returns the archive of the newest import of `project` on `instance`; null if no import is known, or its archive was
 * not stored, is not available or is damaged.
 */
export async function archiveOfImport(instance: string, project: string): Promise<ArchiveSummary | null> {
  const jobsReply = await call('job.list', { status: 'succeeded', instance, project, limit: 50 });
  const job = jobsReply.ok ? jobsReply.value.jobs.find(({ kind }) => kind === 'import') : undefined;
  const archive = job?.kind === 'import' ? (job.input?.archiveId ?? null) : null;
  if (archive === null) return null;
  const archiveReply = await call('archive.show', { archive });
  if (!archiveReply.ok) return null;
  const { summary } = archiveReply.value;
  return summary.absent || summary.damaged !== null ? null : summary;
}
