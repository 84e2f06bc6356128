/**
 * @file Whether a project needs no new backup, because nothing of it has changed since its newest archive, as far as a server
 * tells: activity and counts. A project whose newest archive is incomplete, damaged or suspicious is never passed over. What changes neither, such as a member, a label's colour or a setting, is not seen, which is why
 * nothing is passed over for longer than a week.
 */
import { isDeepStrictEqual } from 'node:util';
import { compareAge } from '../../../src-contract/archive-quality.ts';
import type { ProjectCounts } from '../../../src-contract/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { ExportInput } from '../../../src-contract/job.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { HeldArchive } from '../../archive/retention.ts';
import type { StepContext } from '../running/step.ts';

const hourMs = 3_600_000;
const maxMs = 7 * 24 * hourMs;
/**
 * GitLab moves a project's last activity at most once an hour, so what happens within an hour of it may not show. A backup
 * that was begun sooner than this after the activity says nothing about it; the rest is for clocks that differ.
 */
const settledMs = hourMs + 300_000;

/** Why the project is passed over, as a sentence without its full stop; null where it must be backed up. */
export async function unchangedSince(
  context: StepContext,
  { planId, projectId, asked }: Pick<ExportInput, 'planId' | 'projectId' | 'asked'>,
  project: Project,
): Promise<string | null> {
  const { instance, archives } = context.ports;
  if (planId === null || asked === true || project.lastActivityAt === null || !wants(context, planId))
    return null;
  const now = context.clock.now();
  const held = await archives.archivesOf({
    instanceName: instance.name,
    instanceUrl: instance.url,
    projectId,
    fullPath: project.fullPath,
  });
  const goesTo = archives.folder(context.ports.archiveRootOf(planId));
  const newestFirst = held.toSorted((a, b) => compareAge(b, a));
  const newest = newestFirst.find(({ root }) => root === goesTo);
  // An archive that is known to be less than its project was is made good by the next run, wherever it is.
  if (newest === undefined || !isGood(newest) || !isGood(newestFirst[0])) return null;
  const { source } = newest;
  if (source === null) return null;
  const age = now - Date.parse(newest.storedAt);
  if (age < 0 || age >= maxMs) return null;
  const { before, after } = source;
  const wasStill =
    before.lastActivityAt === after.lastActivityAt && isDeepStrictEqual(before.counts, after.counts);
  const activity = Date.parse(project.lastActivityAt);
  if (!wasStill || Date.parse(after.lastActivityAt ?? '') !== activity) return null;
  if (Date.parse(before.at) - activity < settledMs) return null;
  const counts: ProjectCounts = await instance.counts(projectId, context.signal);
  const since = newest.storedAt.slice(0, 16).replace('T', ' ');
  return isDeepStrictEqual(counts, after.counts) ? `nothing has changed since ${since} UTC` : null;
}

const isGood = (archive: HeldArchive | undefined): boolean =>
  archive?.readable === true && archive.condition === 'complete';

/** While the settings cannot be read a backup is made rather than passed over. */
function wants(context: StepContext, planId: string): boolean {
  try {
    return context.ports.skipsUnchanged(planId);
  } catch (thrown) {
    context.log(`It was not looked whether anything has changed: ${AppError.from(thrown).message}.`);
    return false;
  }
}
