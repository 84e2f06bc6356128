/** @file What an archive holds of a migrated project, by what an instance would name it by. */
import type { RecordIndex } from '../../archive/records/record-index.ts';
import { refsOfRepository, type RecordKeys } from '../../archive/records/record-keys.ts';
import {
  identifiedRelations,
  type Archived,
  type ArchivedRecord,
  type IdentifiedRelation,
} from '../../jobs/migrations/naming-losses.ts';
import type { ArchivedMember } from '../../jobs/migrations/three-ways.ts';
import { parseTime } from '../../platform/clock.ts';

interface ArchivedProject {
  records: Archived;
  /** Those that have an account, by its username; invitations have none. */
  members: ArchivedMember[];
  /** Files that merge requests change, by line; those without any are left out. */
  changedFiles: Map<number, number>;
}

/** Records and refs of the archive by what an instance would name them by. */
export async function archivedRecords(index: RecordIndex): Promise<ArchivedProject> {
  const records = { branches: [], tags: [] } as unknown as Archived;
  for await (const { line, keys } of index.keys(refsOfRepository)) {
    const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(String(keys?.name)) ?? [];
    if (name === undefined) continue;
    const ref = { line, key: name, title: name, iid: null, notes: null, createdAt: null, updatedAt: null };
    records[kind === 'heads' ? 'branches' : 'tags'].push(ref);
  }
  const changedFiles = new Map<number, number>();
  for (const relation of identifiedRelations) {
    if (relation === 'branches' || relation === 'tags') continue;
    const found: ArchivedRecord[] = [];
    for await (const { line, keys } of index.keys(relation)) {
      if (keys === null) continue;
      found.push({ line, ...identityOf(relation, keys) });
      const files = keys.counts?.merge_request_diff_files ?? 0;
      if (relation === 'merge_requests' && files > 0) changedFiles.set(line, files);
    }
    records[relation] = found;
  }
  const members: ArchivedMember[] = [];
  for await (const { line, keys } of index.keys('project_members')) {
    if (typeof keys?.username === 'string') members.push({ line, username: keys.username });
  }
  return { records, members, changedFiles };
}

/** Whether GitLab put down how many files a merge request changes, which is what its API tells of an imported one. */
export async function tellsChanges(index: RecordIndex, line: number): Promise<boolean> {
  const bytes = await index.bytes('merge_requests', line);
  if (bytes === null) return false;
  const record = JSON.parse(bytes.toString()) as {
    merge_request_diff?: { real_size?: unknown } | null;
  } | null;
  const size = record?.merge_request_diff?.real_size;
  return typeof size === 'string' && size !== '';
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
