/** @file Lists the records of a migrated project in its archive, with the keys that identify them on an instance. */
import {
  comparedRelations,
  isRef,
  isUncounted,
  noteRowOf,
  type ListedRelation,
  type RefRelation,
  type UncountedRelation,
  type RecordRelation,
  commitNotes,
} from '../../../../../src-contract/relations.ts';
import type { RecordIndex } from '../../../../archive/records/record-index.ts';
import {
  avatarEntry,
  lfsObjectsEntry,
  repositoryRefsEntry,
  uploadedFilesEntry,
  type RecordKeys,
} from '../../../../archive/records/record-keys.ts';
import {
  type ArchivedRecords,
  type ArchivedRecord,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import { archivedContents } from '../../../../jobs/migrations/comparing/contents/compared-fields.ts';
import {
  addRecordsOfGroups,
  noArchivedRecordsOfGroups,
  type ArchivedRecordsOfGroups,
} from '../../../../jobs/migrations/comparing/contents/group-contents.ts';
import {
  relationsWithNotes,
  type RelationWithNotes,
} from '../../../../jobs/migrations/comparing/notes/changed-notes.ts';
import { type ArchivedCommitNotes } from '../../../../jobs/migrations/comparing/notes/commit-notes.ts';
import {
  archivedNotes,
  isUserNote,
  type ComparedNote,
} from '../../../../jobs/migrations/comparing/notes/compared-notes.ts';
import { archivedPeople } from '../../../../jobs/migrations/comparing/people/record-people.ts';
import type { ArchivedUser } from '../../../../jobs/migrations/comparing/people/user-mapping.ts';
import type { ArchivedInvitation } from '../../../../jobs/migrations/comparing/people/invitations.ts';
import type { ArchivedMember } from '../../../../jobs/migrations/comparing/people/members.ts';
import {
  parseProtectedRef,
  type ProtectedRef,
  type ProtectedRelation,
} from '../../../../jobs/migrations/comparing/refs/protected-refs.ts';
import {
  addPart,
  addRecord,
  noUncomparedContents,
  type UncomparedContents,
} from '../../../../jobs/migrations/comparing/coverage/uncompared-contents.ts';
import type { UploadedFile } from '../../../../jobs/migrations/comparing/losses/uploaded-files.ts';
import type { ArchivedLfsObject } from '../../../../jobs/migrations/comparing/lfs-objects.ts';
import { archivedDiff, type ArchivedDiff } from '../one-by-one/merge-request-changes.ts';
import { uncountedIdentity } from '../../../../gitlab/projects/uncounted-identity.ts';
import { dayOf, parseTime } from '../../../../platform/clock.ts';
import { withPacked } from '../../../../platform/packed-values.ts';
import { maxReadRecords } from '../../../../../src-contract/transfers/comparison-forecast.ts';

/** The notes of a record. */
export interface ArchivedNotes {
  hasComments: boolean;
  /** Null if they are not kept in memory, because more records have notes than a comparison reads. */
  notes: readonly ComparedNote[] | null;
}

export interface ArchivedProject {
  records: ArchivedRecords;
  groupRecords: ArchivedRecordsOfGroups;
  /** Members with an account. */
  members: ArchivedMember[];
  /** Members without an account, who have not accepted yet. */
  invitations: ArchivedInvitation[];
  /** The users of the members. An import maps only these. */
  users: ArchivedUser[];
  protectedRefs: Record<ProtectedRelation, (ProtectedRef & { line: number })[]>;
  uploads: UploadedFile[];
  lfsObjects: ArchivedLfsObject[];
  /** The SHA-256 of the avatar; null without one. */
  avatar: string | null;
  /** The changes of each merge request, by line. A merge request without a diff is left out. */
  diffs: Map<number, ArchivedDiff>;
  /** The notes of records, by line. Records without notes are left out. */
  notes: Record<RelationWithNotes, Map<number, ArchivedNotes>>;
  commitNotes: ArchivedCommitNotes;
  /** The number of records whose contents are not compared: they are too large, or no valid JSON. */
  uncomparableCount: number;
  /** The parts of its records that no comparison covers. */
  uncompared: UncomparedContents;
}

/** Parsing a record takes several times its size in memory. */
const maxComparedBytes = 16 * 1024 * 1024;

export async function readArchivedProject(index: RecordIndex, signal: AbortSignal): Promise<ArchivedProject> {
  const records = { branches: [], tags: [] } as unknown as ArchivedRecords;
  for await (const { line, keys } of index.keys(repositoryRefsEntry)) {
    const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(String(keys?.name)) ?? [];
    if (name === undefined) continue;
    const emptyFields = { iid: null, notes: null, createdAt: null, updatedAt: null };
    const shas = typeof keys?.sha === 'string' ? [keys.sha] : [];
    const ref = { line, key: name, title: name, shas, ...emptyFields };
    records[kind === 'heads' ? 'branches' : 'tags'].push(ref);
  }
  const diffs: ArchivedProject['diffs'] = new Map();
  const notes: ArchivedProject['notes'] = {
    ...{ issues: new Map(), merge_requests: new Map(), snippets: new Map() },
  };
  const keptCounts = { withComments: 0, withoutComments: 0 };
  const keepNotes = (relation: RelationWithNotes, line: number, ofRecord: readonly ComparedNote[]): void => {
    if (ofRecord.length === 0) return;
    const hasComments = ofRecord.some(({ isSystem }) => !isSystem);
    const kind = hasComments ? 'withComments' : 'withoutComments';
    keptCounts[kind] += 1;
    const kept = keptCounts[kind] > maxReadRecords ? null : ofRecord;
    notes[relation].set(line, withPacked({ hasComments }, { notes: kept }));
  };
  const uncompared = noUncomparedContents();
  const groupRecords = noArchivedRecordsOfGroups();
  let uncomparableCount = 0;
  for (const relation of comparedRelations) {
    if (isRef(relation)) continue;
    const found: ArchivedRecord[] = [];
    for await (const { line, length, keys } of index.keys(relation)) {
      if (keys === null) continue;
      signal.throwIfAborted();
      const record = length > maxComparedBytes ? undefined : await parsedRecord(index, relation, line);
      if (record === undefined) uncomparableCount += 1;
      const columns = record === undefined ? null : columnsOf(record);
      if (columns !== null) addRecord(uncompared, relation, columns);
      if (columns !== null) addRecordsOfGroups(groupRecords, columns);
      const { title, ...identity } = identityOf(relation, keys, columns);
      found.push(
        columns === null
          ? { line, title, ...identity }
          : withPacked(
              { line, ...identity },
              {
                title,
                contents: archivedContents(relation, columns),
                userIds: archivedPeople(relation, columns),
              },
            ),
      );
      const withNotes = relationsWithNotes.find((one) => one === relation);
      if (withNotes !== undefined) keepNotes(withNotes, line, archivedNotes(columnsOf(record)));
      if (relation !== 'merge_requests') continue;
      const diff = archivedDiff(columns, keys.counts?.merge_request_diff_files ?? 0);
      if (diff === null) continue;
      const { values, ...counts } = diff;
      diffs.set(line, withPacked(counts, { values }));
    }
    records[relation] = found;
  }
  const protectedRefs = {
    protected_branches: await readProtections(index, 'protected_branches', uncompared),
    protected_tags: await readProtections(index, 'protected_tags', uncompared),
    protected_environments: await readProtections(index, 'protected_environments', uncompared),
    approval_rules: await readProtections(index, 'approval_rules', uncompared),
  } satisfies Record<ProtectedRelation, unknown>;
  const people = await membersOf(index, uncompared);
  return {
    ...{ records, groupRecords },
    ...people,
    protectedRefs,
    uploads: await uploadsOf(index),
    lfsObjects: await lfsObjectsOf(index),
    avatar: await avatarOf(index),
    diffs,
    notes,
    commitNotes: await commitNotesOf(index, uncompared),
    uncomparableCount,
    uncompared,
  };
}

/** Returns undefined for a line that is no valid JSON. */
async function parsedRecord(index: RecordIndex, relation: string, line: number): Promise<unknown> {
  const bytes = await index.bytes(relation, line);
  try {
    return bytes === null ? undefined : JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

async function membersOf(
  index: RecordIndex,
  uncompared: UncomparedContents,
): Promise<Pick<ArchivedProject, 'members' | 'invitations' | 'users'>> {
  const members: ArchivedMember[] = [];
  const invitations: ArchivedInvitation[] = [];
  const users: ArchivedUser[] = [];
  for await (const { line, keys } of index.keys('project_members')) {
    const columns = columnsOf((await index.record('project_members', line))?.value);
    addRecord(uncompared, 'project_members', columns);
    const { expires_at: end, user, invite_email: invited } = columns;
    const level = typeof keys?.access_level === 'number' ? keys.access_level : null;
    const membership = {
      line,
      accessLevel: level,
      expiresAt: typeof end === 'string' ? dayOf(end) : null,
    };
    if (typeof invited === 'string' && (user ?? null) === null) {
      const createdAt = parseTime(textOf(columns['created_at']) ?? undefined);
      invitations.push({ email: invited, createdAt, ...membership });
    }
    if (typeof keys?.username !== 'string') continue;
    const { id, public_email: publicEmail, email: primaryEmail } = columnsOf(user);
    // Exports of older versions have the primary address.
    const email = textOf(publicEmail) ?? textOf(primaryEmail);
    if (typeof id === 'number') users.push({ id, username: keys.username, email });
    const userId = typeof id === 'number' ? id : null;
    members.push({ ...membership, username: keys.username, userId, email });
  }
  return { members, invitations, users };
}

async function commitNotesOf(
  index: RecordIndex,
  uncompared: UncomparedContents,
): Promise<ArchivedCommitNotes> {
  const found: { line: number; columns: Record<string, unknown> }[] = [];
  for await (const { line } of index.keys(commitNotes)) {
    const columns = columnsOf((await index.record(commitNotes, line))?.value);
    addRecord(uncompared, commitNotes, columns);
    if (!isUserNote(columns)) addPart(uncompared, 'commit_system_notes');
    if (typeof columns['commit_id'] === 'string' && isUserNote(columns)) found.push({ line, columns });
  }
  const byCommit = Map.groupBy(found, ({ columns }) => String(columns['commit_id']));
  return new Map(
    [...byCommit].map(([sha, rows]) => {
      const notes = archivedNotes({ notes: rows.map(({ columns }) => columns) });
      return [sha, rows.flatMap(({ line }, at) => (notes[at] ? [{ line, note: notes[at] }] : []))];
    }),
  );
}

async function readProtections(
  index: RecordIndex,
  relation: ProtectedRelation,
  uncompared: UncomparedContents,
) {
  const found: (ProtectedRef & { line: number })[] = [];
  for await (const { line } of index.keys(relation)) {
    const columns = columnsOf((await index.record(relation, line))?.value);
    addRecord(uncompared, relation, columns);
    const ref = parseProtectedRef(columns);
    if (ref !== null) found.push({ ...ref, line });
  }
  return found;
}

async function uploadsOf(index: RecordIndex): Promise<UploadedFile[]> {
  const files: UploadedFile[] = [];
  for await (const { keys } of index.keys(uploadedFilesEntry)) {
    if (typeof keys?.name !== 'string' || typeof keys.size !== 'number') continue;
    const sha256 = typeof keys.sha === 'string' ? { sha256: keys.sha } : {};
    files.push({ name: keys.name, bytes: keys.size, createdAt: null, ...sha256 });
  }
  return files;
}

async function lfsObjectsOf(index: RecordIndex): Promise<ArchivedLfsObject[]> {
  const objects: ArchivedLfsObject[] = [];
  for await (const { keys } of index.keys(lfsObjectsEntry)) {
    if (typeof keys?.name !== 'string') continue;
    objects.push({ oid: keys.name, bytes: typeof keys.size === 'number' ? keys.size : null });
  }
  return objects;
}

async function avatarOf(index: RecordIndex): Promise<string | null> {
  for await (const { keys } of index.keys(avatarEntry)) if (typeof keys?.sha === 'string') return keys.sha;
  return null;
}

const columnsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const iidOf = ({ iid }: RecordKeys): number | null => (typeof iid === 'number' ? iid : null);

type IdentityReader = (keys: RecordKeys) => [key: string | null, title: string | null];
const byIid: IdentityReader = (keys) => [
  iidOf(keys)?.toString() ?? null,
  textOf(keys.title) ?? textOf(keys.ref),
];
const byTitle: IdentityReader = ({ title }) => [textOf(title), textOf(title)];
const identityReaders: Record<Exclude<ListedRelation, RefRelation>, IdentityReader> = {
  issues: byIid,
  merge_requests: byIid,
  milestones: byIid,
  labels: byTitle,
  releases: ({ tag }) => [textOf(tag), textOf(tag)],
  ci_pipelines: byIid,
};

const uncountedKeys = (
  relation: UncountedRelation,
  columns: Record<string, unknown> | null,
): ReturnType<IdentityReader> => {
  if (columns === null) return [null, null];
  const { key, title } = uncountedIdentity(relation, columns);
  return [key, title];
};

/** @param columns null for a record that is too large, or no valid JSON. */
function identityOf(
  relation: RecordRelation,
  keys: RecordKeys,
  columns: Record<string, unknown> | null,
): Omit<ArchivedRecord, 'line'> {
  const [key, title] = isUncounted(relation)
    ? uncountedKeys(relation, columns)
    : identityReaders[relation](keys);
  return {
    key,
    iid: iidOf(keys),
    title,
    notes: noteRowOf(relation) !== null ? (keys.counts?.notes ?? 0) : null,
    createdAt: parseTime(textOf(keys.created_at) ?? undefined),
    updatedAt: parseTime(textOf(keys.updated_at) ?? undefined),
  };
}
