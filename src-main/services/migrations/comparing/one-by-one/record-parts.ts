/**
 * @file Adds to the records of an instance the fields that no list shows. Each record costs a request, so a field is
 * read only for records whose archive has it.
 */
import type { RecordRelation } from '../../../../../src-contract/relations.ts';
import type { PartColumns, RecordPart } from '../../../../gitlab/projects/record-parts.ts';
import { listedContents } from '../../../../jobs/migrations/comparing/contents/compared-fields.ts';
import { hasEnded } from '../../../../jobs/migrations/comparing/contents/pipeline-jobs.ts';
import { listedPeople } from '../../../../jobs/migrations/comparing/people/record-people.ts';
import type {
  ArchivedRecord,
  ArchivedRecords,
  ListedRecord,
  ListedRecords,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import type { RemoteInstance } from '../../../instances/remote/remote-instance.ts';
import { maxReadPipelines, maxReadRecords } from './read-limit.ts';
import type { ComparedNotes } from './record-notes.ts';

interface PartReading {
  relation: RecordRelation;
  /** The name of the compared field, or of the role of users. */
  name: string;
  /** The part for a sentence. */
  text: string;
  /** Maximum number of records on each side. The lists of pipelines have the newest first. */
  limit?: number;
  /** Returns whether the record on the source can no longer change by itself. */
  isFinal?: (listed: ListedRecord) => boolean;
  /** Returns null if the list does not show what addresses the record. */
  address: (listed: ListedRecord) => RecordPart | null;
}

/** Returns a function that returns whether the archive has a value of the field, or users in the role. */
const has =
  (name: string) =>
  ({ contents, userIds }: ArchivedRecord): boolean =>
    (contents?.[name] ?? '') !== '' || (userIds?.[name] ?? []).length > 0;

const emojiOf = (relation: 'issues' | 'merge_requests', text: string): PartReading => ({
  ...{ relation, name: 'emoji', text },
  address: ({ iid }) => (iid === null ? null : { part: 'award-emoji', relation, id: iid, note: null }),
});

const noteables = { issues: 'issues', merge_requests: 'merge requests' } as const;
const eventsOf = (relation: keyof typeof noteables): PartReading[] =>
  (['state', 'label', 'milestone'] as const).map((kind) => ({
    ...{ relation, name: `${kind}_events`, text: `changes of the ${kind} of ${noteables[relation]}` },
    address: ({ iid }) => (iid === null ? null : { part: 'events', relation, iid, kind }),
  }));

const readings: readonly PartReading[] = [
  {
    ...{ relation: 'snippets', name: 'files', text: 'files of snippets' },
    address: ({ id, filePaths = [] }) =>
      id === null || filePaths.length === 0 ? null : { part: 'snippet-files', id, paths: filePaths },
  },
  {
    ...{ relation: 'merge_requests', name: 'approvers', text: 'approvals of merge requests' },
    address: ({ iid }) => (iid === null ? null : { part: 'approvals', iid }),
  },
  emojiOf('issues', 'emoji reactions to issues'),
  emojiOf('merge_requests', 'emoji reactions to merge requests'),
  {
    ...{ relation: 'snippets', name: 'emoji', text: 'emoji reactions to snippets' },
    address: ({ id }) => (id === null ? null : { part: 'award-emoji', relation: 'snippets', id, note: null }),
  },
  {
    ...{ relation: 'ci_pipelines', name: 'jobs', text: 'jobs of pipelines', limit: maxReadPipelines },
    isFinal: ({ contents }) => hasEnded(contents?.['status'] ?? ''),
    address: ({ id }) => (id === null ? null : { part: 'jobs', id }),
  },
  ...eventsOf('issues'),
  ...eventsOf('merge_requests'),
];

/** Number of records whose field was not read, by the text of the field. */
export type UnreadParts = ReadonlyMap<string, number>;

export interface PartsRequest {
  side: 'source' | 'target';
  archive: { records: ArchivedRecords } | null;
  listed: ListedRecords;
  projectId: number;
  remote: Pick<RemoteInstance, 'recordPart'>;
  signal: AbortSignal;
}

/** Returns the lists with the fields. Records with the same key on one side cannot be distinguished, and are not read. */
export async function withRecordParts({ side, archive, listed, projectId, remote, signal }: PartsRequest) {
  const lists: ListedRecords = { ...listed };
  const unread = new Map<string, number>();
  for (const reading of archive === null ? [] : readings) {
    const { relation, text, limit = maxReadRecords, isFinal = () => true } = reading;
    const found = new Map<ListedRecord, ListedRecord>();
    const records = recordsToRead(archive?.records[relation] ?? [], lists[relation] ?? [], reading);
    for (const [at, record] of records.entries()) {
      const canRead = at < limit && (side === 'target' || isFinal(record));
      const address = canRead ? reading.address(record) : null;
      const columns = address && (await remote.recordPart(projectId, address, signal));
      if (columns === null) unread.set(text, (unread.get(text) ?? 0) + 1);
      else found.set(record, withColumns(reading, record, columns));
    }
    lists[relation] = lists[relation]?.map((record) => found.get(record) ?? record) ?? null;
  }
  return { listed: lists, unread };
}

/** Returns the numbers with that of the notes whose reactions were not read. */
export const withUnreadNotes = (
  unread: UnreadParts,
  { unreadEmojiCount: count }: ComparedNotes,
): UnreadParts => (count === 0 ? unread : new Map([...unread, ['emoji reactions to notes', count]]));

/** Returns about how many requests the fields of that archive take. */
export const countPartRequests = (records: ArchivedRecords): number =>
  readings.reduce(
    (sum, { relation, name, limit = maxReadRecords }) =>
      sum + Math.min(limit, records[relation].filter(has(name)).length),
    0,
  );

function recordsToRead(
  archive: readonly ArchivedRecord[],
  list: readonly ListedRecord[],
  { name }: PartReading,
): ListedRecord[] {
  const archivedByKey = Map.groupBy(archive, ({ key }) => key);
  return [...Map.groupBy(list, ({ key }) => key)].flatMap(([key, [record, second]]) => {
    const [archived, other] = archivedByKey.get(key) ?? [];
    const isUnique = key !== null && second === undefined && other === undefined;
    return isUnique && record !== undefined && archived !== undefined && has(name)(archived) ? [record] : [];
  });
}

function withColumns(
  { relation, name }: PartReading,
  record: ListedRecord,
  columns: PartColumns,
): ListedRecord {
  const value = listedContents(relation, columns)[name];
  const users = listedPeople(relation, columns)[name];
  return {
    ...record,
    ...(value !== undefined && { contents: { ...record.contents, [name]: value } }),
    ...(users !== undefined && { users: { ...record.users, [name]: users } }),
  };
}

export function describeUnreadParts(source: UnreadParts | null, target: UnreadParts): string[] {
  const counts = new Map(target);
  for (const [text, count] of source ?? []) counts.set(text, (counts.get(text) ?? 0) + count);
  if (counts.size === 0) return [];
  const parts = [...counts].map(([text, count]) => `${text} (${count})`).join(', ');
  return [
    `These were not compared for some records, because each takes a request and at most ${maxReadRecords} are sent on each side (${maxReadPipelines} for jobs), because a pipeline of the source has not ended, or because the instance does not show them: ${parts}.`,
  ];
}
