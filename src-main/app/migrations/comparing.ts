/** @file What arrived of a migrated project: its source, its archive and its target asked, and what is missing named. */
import { AppError, mayNotBeRead } from '../../../src-preload/contract/errors.ts';
import type { MissingRecord, Reconciliation } from '../../../src-preload/contract/import.ts';
import type { Inspection, ProjectCounts } from '../../../src-preload/contract/archive.ts';
import type { ProjectDetails } from '../../../src-preload/contract/projects/project-details.ts';
import type { Job } from '../../../src-preload/contract/job.ts';
import type { RecordIndex } from '../../archive/records/record-index.ts';
import type { JobStore } from '../../catalogue/jobs/jobs.ts';
import type { StoredProject } from '../../catalogue/migrating/migrating-rows.ts';
import type { ProjectMigrations } from '../../catalogue/migrating/project-migrations.ts';
import type { MigrationsPort as TenderPort } from '../../jobs/migrations/migration-ports.ts';
import { differingSettings } from '../../jobs/migrations/differing-settings.ts';
import { namedLosses, type Listed } from '../../jobs/migrations/naming-losses.ts';
import { settingsNotCompared } from '../../jobs/migrations/setting-table.ts';
import {
  countsOfListed,
  lfsAmount,
  lfsSize,
  lostMembers,
  putTogether,
  type Amount,
  type ArchivedMember,
} from '../../jobs/migrations/three-ways.ts';
import { parseTime } from '../../platform/clock.ts';
import type { Remote } from '../remote/remote.ts';
import { projectSettings } from '../../archive/records/project-attributes.ts';
import { archivedRecords, tellsChanges } from './archived-records.ts';
import { comparedChanges, type ChangesSide } from './merge-request-changes.ts';

/** What of an instance is asked. */
export type ComparedRemote = Pick<
  Remote,
  'user' | 'reads' | 'identities' | 'members' | 'hasUser' | 'changesCount'
>;

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

/** Keeps the comparison of an imported project, and whether anybody worked on its source after the export had begun. */
export function createComparing(parts: ComparingParts): TenderPort['compare'] {
  const { store, jobs } = parts;
  return async (id, sourceId, signal) => {
    const { draft } = store.get(id);
    const project = store.project(id, String(sourceId));
    const { exported, imported, archive, target } = movedBy(project, jobs);
    const [from, to] = [parts.connect(draft.source), parts.connect(draft.target)];

    const source = await readable(from.reads.details(String(sourceId), wanted, signal));
    const activeAt = parseTime(source?.project.lastActivityAt ?? undefined);
    const changedSince = activeAt !== null && activeAt > exported.createdAt ? activeAt : null;
    const failures = parts.openFailures(imported.id);
    const arrived = await to.identities(target.id, signal);
    const numbers = await parts.reconcile(archive.path, countsOfListed(arrived), failures.length, signal);
    const held = await parts.withIndex(archive.path, signal, archivedRecords);
    const missing: MissingRecord[] = [];
    const declared = [neverTold, settingsNotCompared];
    if (source === null)
      declared.push('The source cannot be read any more, so it was compared as it was before the export.');
    if (held === null) declared.push('The records of the archive could not be read one by one.');
    else {
      const before = source === null ? null : await from.identities(sourceId, signal);
      missing.push(
        ...namedLosses({
          source: before,
          archive: held.records,
          target: arrived,
          exportedAt: exported.createdAt,
          sourceMoved: changedSince !== null,
          failedLines: linesByRelation(failures),
        }),
      );
      const asked = (remote: ComparedRemote, projectId: number, listed: Listed): ChangesSide => ({
        listed: listed.merge_requests,
        count: async (iid) => remote.changesCount(projectId, iid, signal),
      });
      const changes = await comparedChanges(
        before === null ? null : asked(from, sourceId, before),
        {
          records: held.records.merge_requests,
          files: held.changedFiles,
          isTold: async (line) =>
            (await parts.withIndex(archive.path, signal, (index) => tellsChanges(index, line))) ?? false,
        },
        asked(to, target.id, arrived),
        exported.createdAt,
      );
      missing.push(...changes.missing);
      declared.push(...changes.declared);
      const members = await comparedMembers(
        source === null ? null : from,
        sourceId,
        to,
        target.id,
        held.members,
        signal,
      );
      missing.push(...lostMembers(members));
      declared.push(...aboutMembers(members));
    }
    const details = await to.reads.details(String(target.id), wanted, signal);
    const overrides = { ...draft.overrideParams, ...project.placement.overrideParams };
    const isEdited = source !== null && (changedSince !== null || editedSince(source, exported.createdAt));
    const differing = differingSettings({
      source: isEdited ? null : (source?.attributes ?? null),
      overrides,
      archive: await parts.withIndex(archive.path, signal, projectSettings),
      target: details.attributes,
    });
    declared.push(...differing.declared);
    if (isEdited) declared.push(settingsMoved);
    const files = parts.filesIn(archive.id);
    const lfs = lfsAmount(
      files,
      source?.statistics?.[lfsSize] ?? null,
      details.statistics?.[lfsSize] ?? null,
    );
    if (files.lfsObjects > 0 && (lfs.archive === null || lfs.target === null)) {
      declared.push('How large the LFS objects are together is not told: nothing is known of them.');
    }
    const amounts: Amount[] = [
      {
        relation: 'uploads',
        source: source === null ? null : await countUploads(from, sourceId, signal),
        archive: files.uploads,
        target: await countUploads(to, target.id, signal),
      },
      // Of most projects there is nothing to say.
      ...(files.lfsObjects + (lfs.source ?? 0) + (lfs.target ?? 0) > 0 ? [lfs] : []),
    ];
    const reconciliation = putTogether(numbers, { amounts, missing, settings: differing.settings, declared });
    store.noteChangedSince(id, sourceId, changedSince);
    store.keepReconciliation(id, sourceId, reconciliation);
  };
}

/** Statistics come from the role of a reporter on; an import counts them anew after the LFS objects (gitlab-facts 7). */
const wanted = { license: false, statistics: true, customAttributes: false };

function movedBy(project: StoredProject, jobs: JobStore) {
  const [exported, imported] = [project.jobs.export, project.jobs.import].map((move): Job | null =>
    move === undefined ? null : jobs.get(move.jobId),
  );
  const { archive, target } = project;
  if (archive === null || target === null || !exported || !imported) {
    throw new AppError('internal', `${project.sourcePath} was not imported.`);
  }
  return { exported, imported, archive, target };
}

/** Null where the project is gone, or may not be read any more. */
async function readable<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (thrown) {
    const { code } = AppError.from(thrown);
    if (mayNotBeRead(thrown) || code === 'project-missing' || code === 'project-moved') return null;
    throw thrown;
  }
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

async function comparedMembers(
  from: ComparedRemote | null,
  sourceId: number,
  to: ComparedRemote,
  targetId: number,
  archive: readonly ArchivedMember[],
  signal: AbortSignal,
) {
  const { administrator } = await to.user(signal);
  const target = (await to.members(targetId, signal))?.map(({ name }) => name) ?? null;
  const there = new Set(target?.map((name) => name.toLowerCase()));
  const withAccount = new Set<string>();
  for (const { username: name } of administrator ? archive : []) {
    if (!there.has(name.toLowerCase()) && (await to.hasUser(name, signal))) withAccount.add(name);
  }
  const source = from === null ? null : ((await from.members(sourceId, signal)) ?? null);
  return {
    source: source?.map(({ name }) => name) ?? null,
    archive,
    target,
    withAccount,
    byAdministrator: administrator,
  };
}

function aboutMembers({
  archive,
  byAdministrator,
  target,
  withAccount,
}: Awaited<ReturnType<typeof comparedMembers>>): string[] {
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

/** Null where they may not be listed, or the server has no such list (before GitLab 17.2). */
async function countUploads(
  remote: ComparedRemote,
  projectId: number,
  signal: AbortSignal,
): Promise<number | null> {
  let count = 0;
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<ComparedRemote['reads']['uploads']>> | null = await readable(
      remote.reads.uploads(String(projectId), { cursor, limit: 100 }, signal),
    );
    if (page === null) return null;
    if (page.total !== null && cursor === null) return page.total;
    count += page.records.length;
    cursor = page.next;
  } while (cursor !== null);
  return count;
}
