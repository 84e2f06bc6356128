/** @file What arrived of a migrated project: its source, its archive and its target asked, and what is missing named. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { MissingRecord, Reconciliation } from '../../../src-preload/contract/import.ts';
import type { ProjectCounts } from '../../../src-preload/contract/archive.ts';
import type { Job } from '../../../src-preload/contract/job.ts';
import type { RecordIndex } from '../../archive/records/record-index.ts';
import { refsOfRepository, type RecordKeys } from '../../archive/records/record-keys.ts';
import type { JobStore } from '../../catalogue/jobs/jobs.ts';
import type { ProjectMigrations, StoredProject } from '../../catalogue/migrating/project-migrations.ts';
import type { MigrationsPort as TenderPort } from '../../jobs/migrations/migration-ports.ts';
import {
  identifiedRelations,
  namedLosses,
  type Archived,
  type ArchivedRecord,
  type IdentifiedRelation,
} from '../../jobs/migrations/naming-losses.ts';
import {
  differingSettings,
  lostMembers,
  putTogether,
  type Amount,
} from '../../jobs/migrations/three-ways.ts';
import { parseTime } from '../../platform/clock.ts';
import type { Remote } from '../remote/remote.ts';

/** What of an instance is asked. */
export type ComparedRemote = Pick<
  Remote,
  'project' | 'counts' | 'user' | 'reads' | 'identities' | 'members' | 'hasUser'
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
  /** Files below `uploads/` in the archive. */
  uploadsIn(archiveId: string): number;
  /** Failures of that import that are open, with the lines they are about. */
  openFailures(importJob: string): { relation: string | null; line: number | null }[];
}

/** What no list tells, of any project. */
const neverTold =
  'Events, time logs, emoji, reviews, diffs of merge requests, boards, designs, snippets and LFS objects are in no list: nothing is known of them.';

/** Keeps the comparison of an imported project, and whether anybody worked on its source after the export had begun. */
export function createComparing(parts: ComparingParts): TenderPort['compare'] {
  const { store, jobs } = parts;
  return async (id, sourceId, signal) => {
    const { draft } = store.get(id);
    const project = store.project(id, String(sourceId));
    const { exported, imported, archive, target } = movedBy(project, jobs);
    const [from, to] = [parts.connect(draft.source), parts.connect(draft.target)];

    const source = await readable(from.project(sourceId, signal));
    const activeAt = parseTime(source?.lastActivityAt ?? undefined);
    const changedSince = activeAt !== null && activeAt > exported.createdAt ? activeAt : null;
    const failures = parts.openFailures(imported.id);
    const numbers = await parts.reconcile(
      archive.path,
      await to.counts(target.id, signal),
      failures.length,
      signal,
    );
    const held = await parts.withIndex(archive.path, signal, archivedRecords);
    const missing: MissingRecord[] = [];
    const declared = [neverTold];
    if (source === null)
      declared.push('The source cannot be read any more, so it was compared as it was before the export.');
    if (held === null) declared.push('The records of the archive could not be read one by one.');
    else {
      missing.push(
        ...namedLosses({
          source: source === null ? null : await from.identities(sourceId, signal),
          archive: held.records,
          target: await to.identities(target.id, signal),
          exportedAt: exported.createdAt,
          sourceMoved: changedSince !== null,
          failedLines: linesByRelation(failures),
        }),
      );
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
    const before = source === null ? null : await from.reads.details(String(sourceId), wanted, signal);
    const overrides = { ...draft.overrideParams, ...project.placement.overrideParams };
    const settings = differingSettings(
      changedSince === null ? (before?.attributes ?? null) : null,
      overrides,
      details.attributes,
    );
    const amounts: Amount[] = [
      {
        relation: 'uploads',
        source: source === null ? null : await countUploads(from, sourceId, signal),
        archive: parts.uploadsIn(archive.id),
        target: await countUploads(to, target.id, signal),
      },
    ];
    const reconciliation = putTogether(numbers, { amounts, missing, settings, declared });
    store.noteChangedSince(id, sourceId, changedSince);
    store.keepReconciliation(id, sourceId, reconciliation);
  };
}

const wanted = { license: false, statistics: false, customAttributes: false };

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
    if (['project-missing', 'project-moved', 'forbidden', 'not-found'].includes(code)) return null;
    throw thrown;
  }
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

/** Records and refs of the archive by what an instance would name them by. */
async function archivedRecords(index: RecordIndex): Promise<{ records: Archived; members: string[] }> {
  const records = { branches: [], tags: [] } as unknown as Archived;
  for await (const { line, keys } of index.keys(refsOfRepository)) {
    const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(String(keys?.name)) ?? [];
    if (name === undefined) continue;
    const ref = { line, key: name, title: name, iid: null, notes: null, createdAt: null, updatedAt: null };
    records[kind === 'heads' ? 'branches' : 'tags'].push(ref);
  }
  for (const relation of identifiedRelations) {
    if (relation === 'branches' || relation === 'tags') continue;
    const found: ArchivedRecord[] = [];
    for await (const { line, keys } of index.keys(relation)) {
      if (keys !== null) found.push({ line, ...identityOf(relation, keys) });
    }
    records[relation] = found;
  }
  const members: string[] = [];
  for await (const { keys } of index.keys('project_members')) {
    if (typeof keys?.username === 'string') members.push(keys.username);
  }
  return { records, members };
}

function identityOf(relation: IdentifiedRelation, keys: RecordKeys): Omit<ArchivedRecord, 'line'> {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const iid = typeof keys.iid === 'number' ? keys.iid : null;
  const [key, title] =
    relation === 'labels'
      ? [text(keys.title), text(keys.title)]
      : relation === 'releases'
        ? [text(keys.tag), text(keys.tag)]
        : [iid === null ? null : String(iid), text(keys.title) ?? text(keys.ref)];
  const hasNotes = relation === 'issues' || relation === 'merge_requests';
  return {
    key,
    iid,
    title,
    notes: hasNotes ? (keys.counts?.notes ?? 0) : null,
    createdAt: parseTime(text(keys.created_at) ?? undefined),
    updatedAt: parseTime(text(keys.updated_at) ?? undefined),
  };
}

async function comparedMembers(
  from: ComparedRemote | null,
  sourceId: number,
  to: ComparedRemote,
  targetId: number,
  archive: readonly string[],
  signal: AbortSignal,
) {
  const { administrator } = await to.user(signal);
  const target = await to.members(targetId, signal);
  const there = new Set(target?.map((name) => name.toLowerCase()));
  const withAccount = new Set<string>();
  for (const name of administrator ? archive : []) {
    if (!there.has(name.toLowerCase()) && (await to.hasUser(name, signal))) withAccount.add(name);
  }
  const source = from === null ? null : await from.members(sourceId, signal);
  return { source, archive, target, withAccount, byAdministrator: administrator };
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
  const absent = archive.filter((name) => !there.has(name.toLowerCase()) && !withAccount.has(name));
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
