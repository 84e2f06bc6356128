/**
 * @file Adds to the records of an instance the fields that no list shows. Each record costs a request. On the target, a
 * field is read only for records whose archive has it, because the others cannot lose it on import.
 */
import type { RecordRelation } from '../../../../../src-contract/relations.ts';
import type { PartColumns, RecordPart } from '../../../../gitlab/projects/record-parts.ts';
import {
  listedContents,
  pipelineColumns,
} from '../../../../jobs/migrations/comparing/contents/compared-fields.ts';
import {
  hasEnded,
  hasOtherJobs,
  jobColumns,
} from '../../../../jobs/migrations/comparing/contents/pipeline-jobs.ts';
import type { FieldOfRelation } from '../../../../jobs/migrations/comparing/contents/field-readers.ts';
import {
  fieldOfRole,
  listedPeople,
  roleNames,
} from '../../../../jobs/migrations/comparing/people/record-people.ts';
import type {
  ArchivedRecord,
  ArchivedRecords,
  ListedRecord,
  ListedRecords,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import { shownUnexportedParts } from '../../../../jobs/migrations/comparing/losses/unexported-parts.ts';
import { parseTime } from '../../../../platform/clock.ts';
import { recordsByKey } from '../../../../jobs/migrations/comparing/records-by-key.ts';
import { withPacked } from '../../../../platform/packed-values.ts';
import type { RemoteInstance } from '../../../instances/remote/remote-instance.ts';
import {
  maxReadPipelines,
  maxReadRecords,
} from '../../../../../src-contract/transfers/comparison-forecast.ts';
import type { ComparedNotes } from './record-notes.ts';

interface PartReading {
  relation: RecordRelation;
  /** The name of the compared field, or of the role of users. */
  name: string;
  /** Other fields of the part, if it exists without the first one. */
  otherNames?: readonly string[];
  /** Fields of the part that not every version of GitLab shows, with the names for a sentence. */
  details?: Readonly<Record<string, string>>;
  /** The part for a sentence. */
  text: string;
  /** Maximum number of records on each side. The lists of pipelines have the newest first. */
  limit?: number;
  /** Returns whether the record on the source can no longer change by itself. */
  isFinal?: (listed: ListedRecord) => boolean;
  /** Returns whether the list shows that the record on the source has none of it. */
  hasNone?: (listed: ListedRecord) => boolean;
  /** Resolves whether records of the project may have it, with one request; absent if those of each project may. */
  mayExist?: (request: PartsRequest) => Promise<boolean>;
  /** Number of requests for a record of the source; one if absent. */
  requestsOnSource?: number;
  /** The columns of a record that has none of it; absent if only a request shows this. */
  emptyColumns?: PartColumns;
  /**
   * Returns null if the list does not show what addresses the record.
   * @param archived the record in the archive; null on the source, where the record may have more.
   * @param sharedCommits the commits of more than one pipeline.
   */
  address: (
    listed: ListedRecord,
    archived: ArchivedRecord | null,
    sharedCommits: ReadonlySet<string>,
  ) => RecordPart | null;
}

/** Returns a function that returns whether the archive has a value of the field, or users in the role. */
const has =
  ({ name, otherNames = [] }: Pick<PartReading, 'name' | 'otherNames'>) =>
  ({ contents, userIds }: ArchivedRecord): boolean =>
    (userIds?.[name] ?? []).length > 0 ||
    [name, ...otherNames].some((field) => !['', 'false'].includes(contents?.[field] ?? ''));

const emojiOf = (relation: 'issues' | 'merge_requests', text: string): PartReading => ({
  ...{ relation, name: 'emoji', text },
  // Lists show the votes, but not their times and users.
  otherNames: ['emoji_times'],
  address: ({ iid }) => (iid === null ? null : { part: 'award-emoji', relation, id: iid, note: null }),
});

/**
 * A merge request that nobody changed has only the events of its labels and its milestone (gitlab-facts 5.7). An issue
 * may have others, because GitLab copies the events of an issue that it moves.
 */
const isUntouched = ({ createdAt, updatedAt, contents }: ListedRecord): boolean =>
  updatedAt !== null &&
  updatedAt === createdAt &&
  contents?.['state'] === 'opened' &&
  contents['labels'] === '' &&
  contents['milestone'] === '';

const noteables = { issues: 'issues', merge_requests: 'merge requests' } as const;
const eventsOf = (relation: keyof typeof noteables): PartReading[] =>
  (['state', 'label', 'milestone'] as const).map((kind) => ({
    ...{ relation, name: `${kind}_events`, text: `changes of the ${kind} of ${noteables[relation]}` },
    ...(kind === 'state' && { details: { state_event_commits: 'commits that closed records' } }),
    ...(relation === 'merge_requests' && { hasNone: isUntouched }),
    emptyColumns: { [`resource_${kind}_events`]: [] },
    address: ({ iid }) => (iid === null ? null : { part: 'events', relation, iid, kind }),
  }));

/** A list without the column belongs to an instance or a project without iterations (gitlab-facts 5.7). */
const iterationEvents: PartReading = {
  ...{ relation: 'issues', name: 'iteration_events', text: 'changes of the iteration of issues' },
  hasNone: ({ contents }) => contents?.['iteration'] === undefined,
  mayExist: ({ remote, projectId, signal }) => remote.hasIterations(projectId, signal),
  emptyColumns: { resource_iteration_events: [] },
  address: ({ iid }) =>
    iid === null ? null : { part: 'events', relation: 'issues', iid, kind: 'iteration' },
};

/** The columns of pipelines and jobs for a sentence, except `tag`. */
const columnTexts: Readonly<Record<string, string>> = {
  ...{ ref: 'refs', allow_failure: '“allow failure”', coverage: 'coverage' },
  ...{ created_at: 'times of creation', started_at: 'times of the start', finished_at: 'times of the end' },
  ...{ erased_at: 'times of erasure', artifacts_expire_at: 'times at which artifacts expire' },
  ...{ failure_reason: 'reasons of failures', description: 'descriptions', target_url: 'links' },
  ...{ committed_at: 'times of the commit', duration: 'durations', before_sha: 'earlier commits' },
  yaml_errors: 'errors in the configuration',
};
const detailsOf = (owner: string, columns: object): Record<string, string> =>
  Object.fromEntries(
    Object.keys(columns).map((name) => {
      const column = name.replace('job_', '');
      const text = `${columnTexts[column] ?? name} of ${owner}`;
      return [name, column === 'tag' ? `whether ${owner} ran for a tag` : text];
    }),
  );

const readings: readonly PartReading[] = [
  {
    ...{ relation: 'snippets', name: 'files', text: 'files of snippets' },
    address: ({ id, filePaths = [] }) =>
      id === null || filePaths.length === 0 ? null : { part: 'snippet-files', id, paths: filePaths },
  },
  {
    ...{ relation: 'merge_requests', name: 'approvers', text: 'approvals of merge requests' },
    details: { approval_times: 'times of approvals' },
    address: ({ iid }) => (iid === null ? null : { part: 'approvals', iid }),
  },
  {
    ...{ relation: 'merge_requests', name: 'review_states', text: 'states of reviews' },
    otherNames: ['reviewer_times'],
    details: { reviewer_times: 'times at which reviewers were added' },
    hasNone: ({ users }) => users?.['reviewers']?.length === 0,
    emptyColumns: { reviewer_states: [] },
    address: ({ iid }) => (iid === null ? null : { part: 'reviewers', iid }),
  },
  {
    ...{
      relation: 'merge_requests',
      name: 'latest_build_started_at',
      text: 'times of builds of merge requests',
    },
    otherNames: ['latest_build_finished_at', 'first_deployed_to_production_at'],
    address: ({ iid }) => (iid === null ? null : { part: 'builds', iid }),
  },
  emojiOf('issues', 'emoji reactions to issues'),
  emojiOf('merge_requests', 'emoji reactions to merge requests'),
  {
    ...{ relation: 'snippets', name: 'emoji', text: 'emoji reactions to snippets' },
    address: ({ id }) => (id === null ? null : { part: 'award-emoji', relation: 'snippets', id, note: null }),
  },
  {
    ...{ relation: 'ci_pipelines', name: 'jobs', text: 'jobs of pipelines', limit: maxReadPipelines },
    details: {
      retried_jobs: 'earlier attempts of jobs, and details of retried jobs',
      ...detailsOf('jobs', jobColumns),
    },
    requestsOnSource: 2,
    isFinal: ({ contents }) => hasEnded(contents?.['status'] ?? ''),
    address: ({ id, contents: { sha } = {} }, archived, sharedCommits) =>
      id === null || sha === undefined
        ? null
        : {
            ...{ part: 'jobs', id, sha },
            withOthers: archived === null || hasOtherJobs(archived.contents?.['jobs'] ?? ''),
            sharesCommit: sharedCommits.has(sha),
          },
  },
  {
    ...{ relation: 'ci_pipelines', name: 'user', text: 'details of pipelines', limit: maxReadPipelines },
    otherNames: Object.keys(pipelineColumns),
    details: detailsOf('pipelines', pipelineColumns),
    isFinal: ({ contents }) => hasEnded(contents?.['status'] ?? ''),
    address: ({ id }) => (id === null ? null : { part: 'pipeline', id }),
  },
  ...eventsOf('issues'),
  iterationEvents,
  ...eventsOf('merge_requests'),
];

export interface UnreadParts {
  /** Number of records whose field was not read, by the text of the field. */
  fields: ReadonlyMap<string, number>;
  /** The fields, roles and details that were not read, or not of every record. */
  uncompared: readonly FieldOfRelation[];
  /** Number of records with a detail in the archive that the instance does not show, by the text of the detail. */
  details: ReadonlyMap<string, number>;
}
export const noUnreadParts: UnreadParts = {
  ...{ uncompared: [], fields: new Map(), details: new Map() },
};

export interface PartsRequest {
  side: 'source' | 'target';
  archive: { records: ArchivedRecords } | null;
  listed: ListedRecords;
  projectId: number;
  remote: Pick<RemoteInstance, 'recordPart' | 'hasIterations'>;
  signal: AbortSignal;
}

/**
 * Returns the lists with the fields. Records with the same key on one side cannot be distinguished, and are not read.
 * Records with the field in the archive come first.
 */
export async function withRecordParts(request: PartsRequest) {
  const { side, archive, listed, projectId, remote, signal } = request;
  const lists: ListedRecords = { ...listed };
  const unread = { fields: new Map<string, number>(), details: new Map<string, number>() };
  const uncompared: FieldOfRelation[] = [];
  for (const reading of archive === null ? [] : readings) {
    const {
      relation,
      text,
      limit = maxReadRecords,
      isFinal = () => true,
      mayExist,
      emptyColumns = {},
    } = reading;
    const shared = sharedCommits(lists.ci_pipelines ?? []);
    const found = new Map<ListedRecord, ListedRecord>();
    const records = recordsToRead(archive?.records[relation] ?? [], lists[relation] ?? [], reading, side);
    const { hasNone = () => false } = reading;
    const canExist =
      mayExist === undefined ||
      (records.some(({ record, hasArchived }) => !hasArchived && !hasNone(record)) &&
        (await mayExist(request)));
    const unreadFields = new Set<string>();
    let [sent, isShown, isRefused] = [0, false, false];
    for (const { record, archived, hasArchived } of records) {
      if (!hasArchived && (!canExist || hasNone(record))) {
        found.set(record, withColumns(reading, record, emptyColumns));
        continue;
      }
      const canRead = sent < limit && (side === 'target' || isFinal(record)) && (hasArchived || !isRefused);
      const address = canRead ? reading.address(record, side === 'source' ? null : archived, shared) : null;
      if (address !== null) sent += 1;
      const columns = address && (await remote.recordPart(projectId, address, signal));
      if (columns === null) {
        countIn(unread.fields, text);
        for (const field of fieldNames(reading)) unreadFields.add(field);
      } else {
        const read = withColumns(reading, record, columns);
        found.set(record, read);
        for (const [field, detail] of unshownDetails(reading, archived, read)) {
          countIn(unread.details, detail);
          unreadFields.add(field);
        }
      }
      // Other records would be refused, too, as by a version of GitLab that does not have the part.
      isShown ||= columns !== null;
      isRefused ||= address !== null && !hasArchived && !isShown;
    }
    for (const field of unreadFields) uncompared.push({ relation, field });
    if (found.size > 0)
      lists[relation] = lists[relation]?.map((record) => found.get(record) ?? record) ?? null;
  }
  return { listed: lists, unread: { ...unread, uncompared } };
}

function countIn(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1);
}

/** Returns the details that the archive has, and the instance does not show, with their texts. */
const unshownDetails = (
  { details = {} }: PartReading,
  { contents: archived }: ArchivedRecord,
  { contents: listed }: ListedRecord,
): [field: string, text: string][] =>
  Object.entries(details).filter(
    ([field]) => (archived?.[field] ?? '') !== '' && listed?.[field] === undefined,
  );

/** Returns the names of the fields and roles that the reply shows. */
const fieldNames = ({ relation, name, otherNames = [], details = {} }: PartReading): string[] => {
  const fields = [name, ...otherNames, ...Object.keys(details)];
  return [...fields, ...roleNames(relation).filter((role) => fields.includes(fieldOfRole(relation, role)))];
};

/** Returns the numbers with that of the notes whose reactions were not read. */
export const withUnreadNotes = (
  unread: UnreadParts,
  { unreadEmojiCount: count }: ComparedNotes,
): UnreadParts =>
  count === 0
    ? unread
    : { ...unread, fields: new Map([...unread.fields, ['emoji reactions to notes', count]]) };

/** Returns about how many requests the fields of that archive take on a side. */
export const countPartRequests = (records: ArchivedRecords, side: PartsRequest['side']): number =>
  readings.reduce((sum, reading) => {
    const { relation, limit = maxReadRecords, requestsOnSource = 1, mayExist } = reading;
    const all = records[relation];
    // Most projects have no iterations.
    return side === 'source' && mayExist === undefined
      ? sum + Math.min(limit, all.length) * requestsOnSource
      : sum + Math.min(limit, all.filter(has(reading)).length);
  }, 0);

function sharedCommits(pipelines: readonly ListedRecord[]): ReadonlySet<string> {
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const { contents } of pipelines) {
    const sha = contents?.['sha'] ?? '';
    if (seen.has(sha)) shared.add(sha);
    seen.add(sha);
  }
  return shared;
}

interface RecordToRead {
  record: ListedRecord;
  archived: ArchivedRecord;
  /** True if the archive has the field. */
  hasArchived: boolean;
}

function recordsToRead(
  archive: readonly ArchivedRecord[],
  list: readonly ListedRecord[],
  reading: PartReading,
  side: PartsRequest['side'],
): RecordToRead[] {
  const archivedByKey = recordsByKey(archive);
  return Iterator.from(recordsByKey(list))
    .flatMap(([key, [record, second]]): RecordToRead[] => {
      const [archived, other] = archivedByKey.get(key) ?? [];
      const isUnique = key !== null && second === undefined && other === undefined;
      if (!isUnique || record === undefined || archived === undefined) return [];
      const hasArchived = has(reading)(archived);
      const mayBeLost = side === 'source' && archived.contents !== undefined;
      return hasArchived || mayBeLost ? [{ record, archived, hasArchived }] : [];
    })
    .toArray()
    .sort((a, b) => Number(b.hasArchived) - Number(a.hasArchived));
}

function withColumns(
  { relation, name }: PartReading,
  { title, contents, users, filePaths, unexportedParts = [], ...identity }: ListedRecord,
  columns: PartColumns,
): ListedRecord {
  const newest = newestTime(columns);
  const unexported = [...unexportedParts, ...shownUnexportedParts(relation, columns)];
  // A part may have several fields.
  return withPacked(
    { ...identity, ...(newest !== null && { partTimes: { ...identity.partTimes, [name]: newest } }) },
    {
      title,
      contents: { ...contents, ...listedContents(relation, columns) },
      users: { ...users, ...listedPeople(relation, columns) },
      ...(filePaths !== undefined && { filePaths }),
      ...(unexported.length > 0 && { unexportedParts: unexported }),
    },
  );
}

/** Returns the newest time of creation in a part; null if some of its rows do not have one. */
export function newestTime(columns: PartColumns): number | null {
  const times = Object.values(columns)
    .flatMap((rows) => (Array.isArray(rows) ? (rows as { created_at?: unknown }[]) : []))
    .map(({ created_at: at }) => parseTime(typeof at === 'string' ? at : undefined));
  const known = times.filter((time) => time !== null);
  return known.length === 0 || known.length < times.length ? null : Math.max(...known);
}

export function describeUnreadParts(source: UnreadParts | null, target: UnreadParts): string[] {
  const parts = sumText(target.fields, source?.fields);
  if (parts === '') return [];
  return [
    `These were not compared for some records, because each takes a request and at most ${maxReadRecords} are sent on each side (${maxReadPipelines} for jobs), because a pipeline of the source has not ended, or because the instance does not show them: ${parts}.`,
  ];
}

/** Returns a sentence about details that an instance does not show. Such details do not prevent `contents` (decision 0026). */
export function describeUnshownDetails({ details }: UnreadParts, side: 'source' | 'target'): string[] {
  const parts = sumText(details);
  if (parts === '') return [];
  return [
    `These details were not compared with the ${side}, because its version of GitLab does not show them (number of records): ${parts}.`,
  ];
}

/** Returns the names with the sums of both sides. */
function sumText(
  target: ReadonlyMap<string, number>,
  source: ReadonlyMap<string, number> = new Map(),
): string {
  const counts = new Map(target);
  for (const [text, count] of source) counts.set(text, (counts.get(text) ?? 0) + count);
  return [...counts].map(([text, count]) => `${text} (${count})`).join(', ');
}
