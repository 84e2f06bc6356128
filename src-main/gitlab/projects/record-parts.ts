/** @file Reads parts of records that no list shows. Each part of a record costs a request. */
import { createHash } from 'node:crypto';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable, CallOptions } from '../http/exchange.ts';
import { readFullList } from '../http/full-list.ts';
import { valueOnError } from '../http/value-on-error.ts';
import { pipelineDetails, pipelineJobs, type PipelineDetails, type PipelineJobs } from './pipeline-parts.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

interface SnippetFiles {
  part: 'snippet-files';
  id: number;
  /** The paths in the repository of the snippet, as the list of snippets shows them. */
  paths: readonly string[];
}

interface MergeRequestPart {
  part: 'approvals' | 'reviewers' | 'builds';
  iid: number;
}

interface AwardEmoji {
  part: 'award-emoji';
  relation: 'issues' | 'merge_requests' | 'snippets';
  id: number;
  /** The id of a note of the record, for the reactions to the note. */
  note: number | null;
}

interface ResourceEvents {
  part: 'events';
  relation: 'issues' | 'merge_requests';
  iid: number;
  /** Only issues have changes of the iteration, and only Premium shows them. */
  kind: 'state' | 'label' | 'milestone' | 'iteration';
}

/** A part of a record, with the number by which GitLab addresses the record. */
export type RecordPart =
  SnippetFiles | MergeRequestPart | AwardEmoji | PipelineDetails | PipelineJobs | ResourceEvents;

/** The columns that a list would have if it showed the part. */
export type PartColumns = Readonly<Record<string, unknown>>;

type Call = Required<Pick<CallOptions, 'details'>> & Cancellable;

/**
 * `GET /projects/:id/iterations`, any reader, 200, 403, 404; only Premium has it. Resolves with true if a group of the project
 * has an iteration, or if the account may not read iterations.
 */
export async function hasIterations(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable = {},
): Promise<boolean> {
  const request = client.getJson(`${projectPath(projectId)}/iterations?per_page=1`, z.array(z.unknown()), {
    ...{ signal, details: { project: projectId } },
  });
  const page = await nullIfDenied(request);
  return page === null || page.data.length > 0;
}

/**
 * Resolves with null if the account may not read the part, or the instance does not offer it.
 * @param options.version the version of GitLab; null if it is not known.
 */
export function readRecordPart(
  client: InstanceClient,
  projectId: number,
  part: RecordPart,
  options: Cancellable & { version: string | null },
): Promise<PartColumns | null> {
  const path = projectPath(projectId);
  const call = { signal: options.signal, details: { project: projectId } };
  switch (part.part) {
    case 'snippet-files':
      return nullIfDenied(snippetFiles(client, `${path}/snippets/${part.id}`, part.paths, call));
    case 'approvals':
      return nullIfDenied(approvers(client, `${path}/merge_requests/${part.iid}/approvals`, call));
    case 'reviewers':
      return nullIfDenied(reviewers(client, `${path}/merge_requests/${part.iid}/reviewers`, call));
    case 'builds':
      return nullIfDenied(builds(client, `${path}/merge_requests/${part.iid}`, call));
    case 'award-emoji': {
      const note = part.note === null ? '' : `/notes/${part.note}`;
      return nullIfDenied(awardEmoji(client, `${path}/${part.relation}/${part.id}${note}/award_emoji`, call));
    }
    case 'events': {
      const column = `resource_${part.kind}_events`;
      return nullIfDenied(resourceEvents(client, `${path}/${part.relation}/${part.iid}`, column, call));
    }
    case 'pipeline':
      return nullIfDenied(pipelineDetails(client, path, part, call));
    case 'jobs':
      return nullIfDenied(pipelineJobs(client, path, part, options.version, call));
  }
}

/**
 * `GET /projects/:id/snippets/:snippet_id/raw`, any reader, 200, 403, 404: the first file of the snippet.
 * `GET …/snippets/:snippet_id/files/:ref/:file_path/raw`: any of its files. Returns null for a reply that is no file.
 */
async function snippetFiles(
  client: InstanceClient,
  path: string,
  names: readonly string[],
  call: Call,
): Promise<PartColumns | null> {
  const files: object[] = [];
  for (const name of names) {
    const file = names.length === 1 ? 'raw' : `files/HEAD/${encodeURIComponent(name)}/raw`;
    const hash = createHash('sha256');
    const download = client.download(`${path}/${file}`, {
      ...call,
      onChunk: (chunk) => {
        hash.update(chunk);
        return Promise.resolve();
      },
    });
    const result = await valueOnError({ 'not-gitlab': null, 'unexpected-response': null }, download);
    if (result === null) return null;
    files.push({ path: name, sha256: hash.digest('hex') });
  }
  return { file_digests: files };
}

const approvalsWire = z.object({
  approved_by: z.array(z.object({ user: z.looseObject({}), approved_at: z.string().nullish() })),
});

/** `GET /projects/:id/merge_requests/:iid/approvals`, any reader, 200, 404; on the Free tier since GitLab 13.3. */
async function approvers(client: InstanceClient, path: string, call: Call): Promise<PartColumns> {
  const { data } = await client.getJson(path, approvalsWire, call);
  // Older versions do not show the time.
  return { approved_by: data.approved_by.map(({ user, approved_at: at }) => ({ ...user, created_at: at })) };
}

const reviewersWire = z.array(
  z.object({
    user: z.object({ id: z.number().int(), username: z.string() }).nullish(),
    ...{ state: z.string(), created_at: z.string().nullish() },
  }),
);

/** `GET /projects/:id/merge_requests/:iid/reviewers`, any reader, 200, 404: each reviewer with the state of the review. */
async function reviewers(client: InstanceClient, path: string, call: Call): Promise<PartColumns> {
  const { data } = await client.getJson(path, reviewersWire, call);
  return { reviewer_states: data };
}

const buildsWire = z.object({
  latest_build_started_at: z.string().nullish(),
  latest_build_finished_at: z.string().nullish(),
  first_deployed_to_production_at: z.string().nullish(),
});

/** `GET /projects/:id/merge_requests/:iid`, any reader, 200, 404. Returns null for an account that may not read builds. */
async function builds(client: InstanceClient, path: string, call: Call): Promise<PartColumns | null> {
  const { data } = await client.getJson(path, buildsWire, call);
  return Object.values(data).includes(undefined) || Object.keys(data).length < 3 ? null : data;
}

/**
 * `GET /projects/:id/issues/:iid/award_emoji`, likewise for merge requests, snippets and their notes, anyone with an
 * account who may read them, 200, 404. Returns null for a list that contradicts itself.
 */
async function awardEmoji(client: InstanceClient, path: string, call: Call): Promise<PartColumns | null> {
  const { records } = await readFullList(client, path, {
    ...call,
    record: z.object({
      ...{ id: z.number().int(), name: z.string(), created_at: z.string().nullish() },
      user: z.object({ id: z.number().int(), username: z.string() }).nullish(),
    }),
    toRecord: ({ name, created_at: at, user = null }) => ({ name, created_at: at, user }),
  });
  return records && { award_emoji: records };
}

/**
 * `GET /projects/:id/issues/:iid/resource_state_events`, likewise for labels, milestones and iterations, and for merge
 * requests, anyone with an account who may read them, 200, 404. Returns null for a list that contradicts itself, or hides some events.
 */
async function resourceEvents(
  client: InstanceClient,
  path: string,
  column: string,
  call: Call,
): Promise<PartColumns | null> {
  const list = await readFullList(client, `${path}/${column}`, {
    ...call,
    record: z.looseObject({ id: z.number().int() }),
    toRecord: (event) => event,
    totalCountsHidden: true,
  });
  return list.records === null || list.hiddenCount !== 0 ? null : { [column]: list.records };
}
