/** @file What arrived of a migrated project: its source, its archive and its target asked, and what is missing named. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { Inspection, ProjectCounts } from '../../../src-preload/contract/archive.ts';
import type { Reconciliation } from '../../../src-preload/contract/import.ts';
import type { ProjectDetails } from '../../../src-preload/contract/projects/project-details.ts';
import { projectSettings } from '../../archive/records/project-attributes.ts';
import type { RecordIndex } from '../../archive/records/record-index.ts';
import type { JobStore } from '../../catalogue/jobs/jobs.ts';
import type { StoredProject } from '../../catalogue/migrating/migrating-rows.ts';
import type { ProjectMigrations } from '../../catalogue/migrating/project-migrations.ts';
import { differingSettings } from '../../jobs/migrations/differing-settings.ts';
import type { MigrationsPort as TenderPort } from '../../jobs/migrations/migration-ports.ts';
import { identifiedRelations, namedLosses } from '../../jobs/migrations/naming-losses.ts';
import { settingsNotCompared } from '../../jobs/migrations/setting-table.ts';
import {
  countsOfListed,
  lfsAmount,
  lfsSize,
  lostMembers,
  putTogether,
  type Amount,
  type Members,
} from '../../jobs/migrations/three-ways.ts';
import { aboutDoubts } from '../../jobs/migrations/untimed-losses.ts';
import { parseTime } from '../../platform/clock.ts';
import { archivedRecords, tellsChanges } from './archived-records.ts';
import {
  askSource,
  askTarget,
  whyGone,
  whyNotAsked,
  type AskedSource,
  type AskedTarget,
  type ComparedRemote,
  type Held,
} from './comparing/asking.ts';
import { exportMoment, workedOnSince, type ExportMoment } from './comparing/export-moment.ts';
import { aboutUnasked } from './merge-request-changes.ts';

export interface ComparingParts {
  store: ProjectMigrations;
  jobs: JobStore;
  connect(instance: string): ComparedRemote;
  /** Source as it was counted around the export, archive and target, by numbers. */
  reconcile(
    path: string,
    target: ProjectCounts,
    openFailures: number,
    signal: AbortSignal,
  ): Promise<Reconciliation>;
  /** Null where the archive has no index that can be relied on. */
  withIndex<T>(path: string, signal: AbortSignal, use: (index: RecordIndex) => Promise<T>): Promise<T | null>;
  /** What the archive holds besides records. */
  filesIn(archiveId: string): Pick<Inspection, 'uploads' | 'lfsObjects' | 'lfsBytes'>;
  /** Failures of that import that are open, with the lines they are about. */
  openFailures(importJob: string): { relation: string | null; line: number | null }[];
}

/** What no list tells, of any project. */
const neverTold =
  'Events, time logs, emoji, reviews, boards, designs and snippets are in no list: nothing is known of them. Of the changes of merge requests it is known whether they are there, of LFS objects how large they are together.';

const settingsMoved =
  'The source changed after its export had begun: the settings were compared with those of the archive, and what the export lost of them is not known.';

/** All that was asked for one comparison. */
interface Sides {
  moment: ExportMoment;
  held: Held;
  archivedSettings: Parameters<typeof differingSettings>[0]['archive'];
  files: ReturnType<ComparingParts['filesIn']>;
  failures: ReturnType<ComparingParts['openFailures']>;
  /** Null with a sentence why. */
  source: AskedSource | null;
  withoutSource: string | null;
  target: AskedTarget;
  overrides: Readonly<Record<string, string>>;
}

/** Keeps the comparison of an imported project, and whether anybody worked on its source after the export had begun. */
export function createComparing(parts: ComparingParts): TenderPort['compare'] {
  const { store } = parts;
  return async (id, sourceId, signal, mayDoWithoutSource) => {
    const project = store.project(id, String(sourceId));
    const { archive, sides } = await ask(parts, id, project, signal, mayDoWithoutSource);
    const { source, target, failures, moment } = sides;
    const numbers = await parts.reconcile(
      archive.path,
      countsOfListed(target.listed),
      failures.length,
      signal,
    );
    const since = workedOnSince(source?.details.project.lastActivityAt ?? null, moment.at);
    // What an earlier comparison knew of a source that cannot be asked now still holds.
    const known = (project.changedSince ?? 0) > moment.at ? project.changedSince : null;
    const changedSince = source === null ? known : since.changedSince;
    const reconciliation = compare(numbers, sides, changedSince, since.declared);
    store.noteChangedSince(id, sourceId, changedSince);
    store.keepReconciliation(id, sourceId, reconciliation);
  };
}

async function ask(
  parts: ComparingParts,
  id: string,
  project: StoredProject,
  signal: AbortSignal,
  mayDoWithoutSource: boolean,
) {
  const { draft } = parts.store.get(id);
  const { exportJob, importJob, archive, target: place } = movedBy(project);
  const moment = exportMoment(parts.jobs.outputs(exportJob));
  const held = await parts.withIndex(archive.path, signal, archivedRecords);
  const asking = {
    connect: (instance: string) => parts.connect(instance),
    isTold: async (line: number) =>
      (await parts.withIndex(archive.path, signal, (index) => tellsChanges(index, line))) ?? false,
    ...{ held, signal },
  };
  let source: AskedSource | null = null;
  let withoutSource: string | null = null;
  try {
    source = await askSource({ ...asking, instance: draft.source, projectId: project.sourceId }, moment.at);
  } catch (thrown) {
    const error = AppError.from(thrown);
    withoutSource = whyGone(error) ?? (mayDoWithoutSource ? whyNotAsked(draft.source, error) : null);
    if (signal.aborted || withoutSource === null) throw thrown;
  }
  const target = await askTarget({ ...asking, instance: draft.target, projectId: place.id });
  const sides: Sides = {
    ...{ moment, held, source, withoutSource, target },
    archivedSettings: await parts.withIndex(archive.path, signal, projectSettings),
    files: parts.filesIn(archive.id),
    failures: parts.openFailures(importJob),
    overrides: { ...draft.overrideParams, ...project.placement.overrideParams },
  };
  return { archive, sides };
}

function movedBy({ jobs, archive, target, sourcePath }: StoredProject) {
  if (archive === null || target === null || jobs.export === undefined || jobs.import === undefined) {
    throw new AppError('internal', `${sourcePath} was not imported.`);
  }
  return { exportJob: jobs.export.jobId, importJob: jobs.import.jobId, archive, target };
}

function compare(
  numbers: Reconciliation,
  sides: Sides,
  changedSince: number | null,
  aboutActivity: readonly string[],
): Reconciliation {
  const { source, target, moment, files } = sides;
  const records = namesOfLosses(sides, changedSince !== null);
  const isEdited = source !== null && (changedSince !== null || editedSince(source.details, moment.at));
  const differing = differingSettings({
    source: isEdited ? null : (source?.details.attributes ?? null),
    overrides: sides.overrides,
    archive: sides.archivedSettings,
    target: target.details.attributes,
  });
  const lfsOfSource = source?.details.statistics?.[lfsSize] ?? null;
  const lfs = lfsAmount(files, lfsOfSource, target.details.statistics?.[lfsSize] ?? null);
  const uploads: Amount = {
    relation: 'uploads',
    source: source?.uploads ?? null,
    archive: files.uploads,
    target: target.uploads,
  };
  // Of most projects there is nothing to say.
  const hasLfs = files.lfsObjects + (lfs.source ?? 0) + (lfs.target ?? 0) > 0;
  return putTogether(numbers, {
    amounts: [uploads, ...(hasLfs ? [lfs] : [])],
    missing: records.missing,
    settings: differing.settings,
    listed: new Set(identifiedRelations.filter((relation) => Array.isArray(source?.listed[relation]))),
    unlisted: [
      ...(uploads.source === null ? ['uploads'] : []),
      ...(lfsOfSource === null ? [lfsSize] : []),
      ...((source?.members ?? null) === null ? ['project_members'] : []),
    ],
    declared: [
      ...(sides.withoutSource === null ? [] : [sides.withoutSource]),
      ...aboutActivity,
      ...records.declared,
      ...differing.declared,
      ...(isEdited ? [settingsMoved] : []),
      ...(files.lfsObjects > 0 && (lfs.archive === null || lfs.target === null)
        ? ['How large the LFS objects are together is not told: nothing is known of them.']
        : []),
      ...[neverTold, settingsNotCompared],
    ],
  });
}

/** Records, changes of merge requests and members that are missing. */
function namesOfLosses({ moment, held, failures, source, target }: Sides, sourceMoved: boolean) {
  if (held === null) {
    return { missing: [], declared: ['The records of the archive could not be read one by one.'] };
  }
  const records = namedLosses({
    source: source?.listed ?? null,
    archive: held.records,
    target: target.listed,
    exportedAt: moment.at,
    counted: (relation) => moment.counted(relation),
    sourceMoved,
    failedLines: linesByRelation(failures),
  });
  const compared: Members = {
    source: source?.members?.map(({ name, since }) => ({ name, since })) ?? null,
    archive: held.members,
    target: target.members?.map(({ name }) => name) ?? null,
    withAccount: target.withAccount,
    byAdministrator: target.administrator,
  };
  const members = lostMembers(compared, moment.at);
  const unasked = target.changes.unasked + (source?.changes.unasked ?? 0);
  return {
    missing: [
      ...records.missing,
      ...target.changes.missing,
      ...(source?.changes.missing ?? []),
      ...members.missing,
    ],
    declared: [
      ...aboutDoubts([...records.doubts, ...members.doubts]),
      ...aboutUnasked(unasked),
      ...aboutMembers(compared),
    ],
  };
}

/** Settings are edited without any activity. Also a mark or note of our own moves this time. */
function editedSince({ attributes }: ProjectDetails, time: number): boolean {
  const { updated_at: updatedAt } = attributes;
  const edited = parseTime(typeof updatedAt === 'string' ? updatedAt : undefined);
  return edited !== null && edited > time;
}

function linesByRelation(
  failures: readonly { relation: string | null; line: number | null }[],
): Map<string, Set<number>> {
  const lines = new Map<string, Set<number>>();
  for (const { relation, line } of failures) {
    if (relation === null || line === null) continue;
    lines.set(relation, (lines.get(relation) ?? new Set()).add(line));
  }
  return lines;
}

function aboutMembers({ archive, byAdministrator, target, withAccount }: Members): string[] {
  if (archive.length === 0) return [];
  if (!byAdministrator) {
    return [
      'The account on the target is no administrator: GitLab brought no members, and made it the author of everything.',
    ];
  }
  const there = new Set(target?.map((name) => name.toLowerCase()));
  const names = archive.map(({ username }) => username);
  const absent = names.filter((name) => !there.has(name.toLowerCase()) && !withAccount.has(name));
  if (absent.length === 0) return [];
  const shown = absent.slice(0, 10).join(', ');
  const more = absent.length > 10 ? ` and ${absent.length - 10} more` : '';
  return [`These members have no account on the target, so they were not brought: ${shown}${more}.`];
}
