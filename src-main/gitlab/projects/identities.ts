/** @file Lists the identities of a project's records, to name the records that a migration lost. */
import {
  comparedRelations,
  isRef,
  isUncounted,
  type ComparedRelation,
  type ListedRelation,
  type RefRelation,
} from '../../../src-contract/relations.ts';
import { z } from '../../../src-contract/schema.ts';
import { parseTime } from '../../platform/clock.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable, Query } from '../http/exchange.ts';
import { readFullList, type FullList } from '../http/full-list.ts';
import type { ListOptions } from '../http/pages.ts';
import { valueOnError } from '../http/value-on-error.ts';
import { isUnexportedSource } from './pipeline-sources.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied, relationLists } from './relation-lists.ts';
import { uncountedIdentity } from './uncounted-identity.ts';

const wire = z.looseObject({
  id: z.number().int().nullish(),
  iid: z.number().int().nullish(),
  title: z.string().nullish(),
  name: z.string().nullish(),
  tag_name: z.string().nullish(),
  ref: z.string().nullish(),
  /** The event that started a pipeline. */
  source: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  is_project_label: z.boolean().nullish(),
  /** Set for a milestone of a group. */
  group_id: z.number().int().nullish(),
  /** Where a badge belongs to: `project` or `group`. */
  kind: z.string().nullish(),
  user_notes_count: z.number().int().nullish(),
  /** The commit of a tag, or the object of an annotated tag. */
  target: z.string().nullish(),
  commit: z.object({ id: z.string().nullish(), committed_date: z.string().nullish() }).nullish(),
});
type Wire = z.infer<typeof wire>;

type KeyReader = (record: Wire) => { key: string | null | undefined; title: string | null | undefined };

const iidOf = ({ iid }: Wire): string | null => (typeof iid === 'number' ? String(iid) : null);
const byIid: KeyReader = (record) => ({ key: iidOf(record), title: record.title });
const byName: KeyReader = ({ name }) => ({ key: name, title: name });
const keyReaders: Record<ListedRelation, KeyReader> = {
  labels: byName,
  milestones: byIid,
  issues: byIid,
  merge_requests: byIid,
  releases: ({ tag_name: tag }) => ({ key: tag, title: tag }),
  ci_pipelines: (record) => ({ key: iidOf(record), title: record.ref }),
  branches: byName,
  tags: byName,
};

/** Adds to an identity the values of the record's fields, and its users by role, that the caller compares. */
type RowReader = (
  identity: ReturnType<typeof identityOf>,
  relation: Exclude<ComparedRelation, RefRelation>,
  row: Readonly<Record<string, unknown>>,
) => ReturnType<typeof identityOf> & RowContents;
interface RowContents {
  contents: Readonly<Record<string, string>>;
  users: Readonly<Record<string, readonly { id: number; username: string }[]>>;
  /** The paths of the files of a snippet. */
  filePaths?: readonly string[];
  /** The names of its parts that no export contains. Absent without any. */
  unexportedParts?: readonly string[];
}

/** The contents are absent for a ref. */
type Identity = ReturnType<typeof identityOf> &
  Partial<RowContents> & {
    /** Set for a label or milestone of a group, which GitLab lists with those of the project. */
    isInherited?: true;
    /** The source of a pipeline that no export contains. */
    unexportedSource?: string;
  };
/** A list is null if the account may not read it. */
export type RecordIdentities = Record<Exclude<ComparedRelation, 'push_rule'>, FullList<Identity> | null> & {
  /** `not-offered` if GitLab replies 404, as it does without a licence for push rules. */
  push_rule: FullList<Identity> | 'not-offered' | null;
};

/**
 * An import also uses the labels and milestones of groups above the target's group (gitlab-facts 7). The first name of the
 * parameter for milestones is known to all versions since 13.4.
 */
export const withGroups: Partial<Record<ComparedRelation, Query>> = {
  labels: { include_ancestor_groups: true },
  milestones: { include_parent_milestones: true },
};

/**
 * Reads every list in full, one after another. Throws if the project cannot be read. Keeps only what `withRow`
 * returns of each row.
 */
export async function listIdentities(
  client: InstanceClient,
  projectId: number,
  withRow: RowReader,
  { signal }: Cancellable = {},
): Promise<RecordIdentities> {
  const found: [ComparedRelation, RecordIdentities[ComparedRelation]][] = [];
  for (const relation of comparedRelations) {
    const { path } = relationLists[relation];
    const query = { ...relationLists[relation].query, ...withGroups[relation] };
    const options = { query, signal, details: { project: projectId } };
    const listPath = `${projectPath(projectId)}/${path}`;
    const toRecord = (record: Wire) => toIdentity(relation, record, withRow);
    const list =
      relation === 'push_rule'
        ? readPushRule(client, listPath, options, toRecord)
        : readFullList(client, listPath, { ...options, record: wire, toRecord });
    const result = await nullIfDenied(list);
    found.push([relation, result === 'not-offered' ? result : identified(relation, result)]);
  }
  return Object.fromEntries(found) as RecordIdentities;
}

/**
 * `GET /projects/:id/push_rule`, Maintainer, 200, 403, 404. The body is `null` if the project has no push rule. GitLab
 * checks the role first, so a 404 means that the tier has no push rules (gitlab-facts 5.6).
 */
export const readPushRule = <T>(
  client: InstanceClient,
  path: string,
  options: ListOptions,
  toRecord: (record: Wire) => T,
): Promise<FullList<T> | 'not-offered'> =>
  valueOnError(
    { 'not-found': 'not-offered' as const },
    client.getJson(path, wire.nullable(), options).then(({ data }) => ({
      records: typeof data?.id === 'number' ? [toRecord(data)] : [],
      contradiction: null,
    })),
  );

/** Returns null if the server does not report what identifies the records, such as the names of boards. */
function identified(
  relation: ComparedRelation,
  list: FullList<Identity | null> | null,
): FullList<Identity> | null {
  if (list === null || list.records === null) return list;
  const records = list.records.filter((record) => record !== null);
  const hasUnidentified = isUncounted(relation) && records.some(({ key }) => key === null);
  return hasUnidentified ? null : { records, contradiction: null };
}

/** Returns null for a badge of a group, which GitLab lists with those of the project. */
function toIdentity(relation: ComparedRelation, record: Wire, withRow: RowReader): Identity | null {
  if (relation === 'project_badges' && record.kind === 'group') return null;
  const identity = identityOf(relation, record);
  if (isRef(relation)) return identity;
  const isOfGroup =
    record.is_project_label === false || (relation === 'milestones' && typeof record.group_id === 'number');
  const row = withRow(identity, relation, record);
  if (isOfGroup) return { ...row, isInherited: true };
  const { source } = record;
  return relation === 'ci_pipelines' && isUnexportedSource(source)
    ? { ...row, unexportedSource: source }
    : row;
}

/** Times are epoch milliseconds. A field that the relation lacks, or that the server does not report, is null. */
function identityOf(relation: ComparedRelation, record: Wire) {
  const { key = null, title = null } = isUncounted(relation)
    ? uncountedIdentity(relation, record)
    : keyReaders[relation](record);
  // The times of a ref are those of its commit, which may be older than the ref.
  const time = (text: string | null | undefined): number | null =>
    isRef(relation) ? null : parseTime(text ?? undefined);
  return {
    key,
    title,
    id: record.id ?? null,
    iid: record.iid ?? null,
    notes: record.user_notes_count ?? null,
    createdAt: time(record.created_at),
    updatedAt: time(record.updated_at),
    ...(isRef(relation) && refOf(record)),
  };
}

function refOf({ target, commit }: Wire): { shas: readonly string[]; committedAt: number | null } {
  const shas = [target, commit?.id].filter((sha) => typeof sha === 'string');
  return { shas: [...new Set(shas)], committedAt: parseTime(commit?.committed_date ?? undefined) };
}

const memberWire = z.object({
  id: z.number().int().nullish(),
  username: z.string(),
  public_email: z.string().nullish(),
  created_at: z.string().nullish(),
  access_level: z.number().int().nullish(),
  expires_at: z.string().nullish(),
});

/**
 * Returns null if the members may not be read. `createdAt` is in epoch milliseconds; null if not reported.
 * `GET /projects/:id/members`, any member, 200, 403, 404.
 */
export function directMembers(client: InstanceClient, projectId: number, { signal }: Cancellable = {}) {
  const list = readFullList(client, `${projectPath(projectId)}/members`, {
    ...{ signal, details: { project: projectId } },
    record: memberWire,
    toRecord: ({
      id,
      username,
      public_email: email,
      created_at: at,
      access_level: level,
      expires_at: end,
    }) => ({
      ...{ username, userId: id ?? null, email: email ?? null },
      createdAt: parseTime(at ?? undefined),
      accessLevel: level ?? null,
      expiresAt: end ?? null,
    }),
  });
  return nullIfDenied(list);
}

const usersWire = z.array(
  z.object({ username: z.string(), email: z.string().nullish(), public_email: z.string().nullish() }),
);

/**
 * Returns the username of a person's account; null if there is none. Finds the person by e-mail address, as an import
 * does, and without an address by name. A namesake with another address is another person. Only administrators see
 * addresses that are not public. `GET /users?username=`, `?search=`, anyone with an account, 200.
 */
export async function accountOf(
  client: InstanceClient,
  { username, email }: { username: string; email?: string | null },
  { signal }: Cancellable = {},
): Promise<string | null> {
  const same = (a: string | null | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();
  if (email) {
    const { data } = await client.getJson('users', usersWire, { query: { search: email }, signal });
    const found = data.find((user) => same(user.public_email, email) || same(user.email, email));
    if (found !== undefined) return found.username;
  }
  const { data } = await client.getJson('users', usersWire, { query: { username }, signal });
  const namesake = data.find((user) => same(user.username, username));
  const isOther = Boolean(email) && Boolean(namesake?.public_email);
  return namesake === undefined || isOther ? null : namesake.username;
}
