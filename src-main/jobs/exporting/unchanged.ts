/**
 * @file Decides from activity and counts whether a project needs no new backup. Changes of members, label colours or
 * settings affect neither, so no project is skipped for longer than a week.
 */
import { isDeepStrictEqual } from 'node:util';
import { compareStoredAt } from '../../../src-contract/archives/archive-quality.ts';
import type { Manifest, ProjectCounts } from '../../../src-contract/archives/archive.ts';
import { toSentence } from '../../../src-contract/sentence-parts.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { ExportInput } from '../../../src-contract/runs/job.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { RetentionCandidate } from '../../archive/retention.ts';
import { parseTime } from '../../platform/clock.ts';
import type { StepContext } from '../running/step.ts';

const hourMs = 3_600_000;
const maxArchiveAgeMs = 7 * 24 * hourMs;
/** GitLab records the activity of a project at most once in this interval. */
export const activityIntervalMs = hourMs;
/** A backup made sooner than this after the last recorded activity may lack later changes. */
const minIdleMs = activityIntervalMs + 300_000;

/**
 * Returns whether the export was made so long after the source's last recorded activity that GitLab would have recorded
 * any later one. Compares both times by the clock of the instance.
 */
export function wasIdleBeforeExport(
  { sourceCounts, storedAt }: Pick<Manifest, 'sourceCounts' | 'storedAt'>,
  lastActivityAt: string | null,
): boolean {
  const activity = parseTime(lastActivityAt);
  if (activity === null) return false;
  const countedAt = Date.parse(sourceCounts?.before.at ?? storedAt) + (sourceCounts?.clockSkewMs ?? 0);
  return countedAt - activity >= minIdleMs;
}

/** Returns why the project is skipped, as a sentence without its full stop; null if it must be backed up. */
export async function unchangedReason(
  context: StepContext,
  { planId, projectId, asked }: Pick<ExportInput, 'planId' | 'projectId' | 'asked'>,
  project: Project,
): Promise<string | null> {
  const { instance, archives } = context.ports;
  if (
    planId === null ||
    asked === true ||
    project.lastActivityAt === null ||
    !planSkipsUnchanged(context, planId)
  )
    return null;
  const now = context.clock.now();
  const storedArchives = await archives.archivesOf({
    instanceName: instance.name,
    instanceUrl: instance.url,
    projectId,
    fullPath: project.fullPath,
  });
  const targetFolder = archives.folder(context.ports.archiveRootOf(planId));
  const newestFirst = storedArchives.toSorted((a, b) => compareStoredAt(b, a));
  const newest = newestFirst.find(({ root }) => root === targetFolder);
  // An archive that is known to lack records is replaced by the next run, wherever it is stored.
  if (newest === undefined || !isGood(newest) || !isGood(newestFirst[0])) return null;
  const { source } = newest;
  if (source === null) return null;
  const age = now - Date.parse(newest.storedAt);
  if (age < 0 || age >= maxArchiveAgeMs) return null;
  const { before, after } = source;
  const wasUnchanged =
    before.lastActivityAt === after.lastActivityAt && isDeepStrictEqual(before.counts, after.counts);
  const activity = Date.parse(project.lastActivityAt);
  if (!wasUnchanged || Date.parse(after.lastActivityAt ?? '') !== activity) return null;
  if (!wasIdleBeforeExport({ ...newest, sourceCounts: source }, project.lastActivityAt)) return null;
  const counts: ProjectCounts = await instance.counts(projectId, context.signal);
  const since = newest.storedAt.slice(0, 16).replace('T', ' ');
  return isDeepStrictEqual(counts, after.counts) ? `nothing has changed since ${since} UTC` : null;
}

const isGood = (archive: RetentionCandidate | undefined): boolean =>
  archive?.readable === true && archive.condition === 'complete';

/** Returns false if the settings cannot be read, so that the project is backed up. */
function planSkipsUnchanged(context: StepContext, planId: string): boolean {
  try {
    return context.ports.skipsUnchanged(planId);
  } catch (thrown) {
    context.log(`The check for changes failed: ${toSentence(AppError.from(thrown).message)}`);
    return false;
  }
}
