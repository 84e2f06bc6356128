/** @file Reads the parts of a pipeline that the list of pipelines does not show: its own columns, and its jobs. */
import { compareReleases, releaseOf } from '../../../src-contract/instances/releases.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { CallOptions, Cancellable } from '../http/exchange.ts';
import { readFullList } from '../http/full-list.ts';
import { nullIfDenied } from './relation-lists.ts';

export interface PipelineDetails {
  part: 'pipeline';
  id: number;
}

export interface PipelineJobs {
  part: 'jobs';
  id: number;
  sha: string;
  /** False if only jobs are needed, without trigger jobs and external statuses. */
  withOthers: boolean;
  /** True if other pipelines have the same commit. */
  sharesCommit: boolean;
}

/** A job, a trigger job (which GitLab calls a bridge), or a status that another system reported. */
export type JobKind = 'build' | 'bridge' | 'external';

type Columns = Readonly<Record<string, unknown>>;
type Call = Required<Pick<CallOptions, 'details'>> & Cancellable;

/**
 * GitLab 13.5 to 13.8 shows only the last attempt of a job: 13.5 hid the others, and 13.9 added the parameter
 * `include_retried`.
 */
const hidesRetriedFrom = { major: 13, minor: 5 };
const hidesRetriedBefore = { major: 13, minor: 9 };
/** Returns whether the list of jobs has all attempts. A version that is not known counts as a newer one. */
export function showsRetriedJobs(version: string | null): boolean {
  const release = releaseOf(version);
  if (release === null) return true;
  return compareReleases(release, hidesRetriedFrom) < 0 || compareReleases(release, hidesRetriedBefore) >= 0;
}

const userWire = z.object({ id: z.number().int(), username: z.string() }).nullish();
const timeWire = z.string().nullish();
const statusColumns = {
  ...{ id: z.number().int(), name: z.string(), status: z.string(), ref: z.string().nullish() },
  ...{ allow_failure: z.boolean().nullish(), coverage: z.number().nullish() },
  ...{ created_at: timeWire, started_at: timeWire, finished_at: timeWire },
};
const jobWire = z.object({
  ...{ ...statusColumns, stage: z.string(), user: userWire, tag: z.boolean().nullish() },
  ...{ failure_reason: z.string().nullish(), erased_at: timeWire, artifacts_expire_at: timeWire },
  /** No export contains them. */
  tag_list: z.array(z.string()).nullish(),
});
const statusWire = z.object({
  ...{ ...statusColumns, author: userWire, pipeline_id: z.number().int().nullish() },
  ...{ description: z.string().nullish(), target_url: z.string().nullish() },
});
const pipelineWire = z.object({
  ...{ user: userWire, tag: z.boolean().nullish(), before_sha: z.string().nullish() },
  ...{ yaml_errors: z.string().nullish(), duration: z.number().nullish() },
  ...{ started_at: timeWire, finished_at: timeWire, committed_at: timeWire },
});

/** `GET /projects/:id/pipelines/:pipeline_id`, any reader of pipelines, 200, 403, 404. */
export async function pipelineDetails(
  client: InstanceClient,
  project: string,
  { id }: PipelineDetails,
  call: Call,
): Promise<Columns> {
  const { data } = await client.getJson(`${project}/pipelines/${id}`, pipelineWire, call);
  return data;
}

/**
 * `GET /projects/:id/pipelines/:pipeline_id/jobs` and `/bridges`, and
 * `GET /projects/:id/repository/commits/:sha/statuses`, any reader of pipelines, 200, 403, 404: all attempts of the
 * jobs if the version shows them, and the last attempt of the others. Only the statuses of the commit show what other
 * systems reported. They contain all jobs, so trigger jobs are read only if a status is no job. GitLab shows no
 * statuses of child pipelines, and no pipeline of a status before version 17.8. Returns null for a list that
 * contradicts itself or may not be read, and if a status may belong to another pipeline.
 * @param version of GitLab; null if it is not known.
 */
export async function pipelineJobs(
  client: InstanceClient,
  project: string,
  part: PipelineJobs,
  version: string | null,
  call: Call,
): Promise<Columns | null> {
  const jobs = await allJobs(client, project, part, call);
  return jobs && { jobs, shows_retried_jobs: showsRetriedJobs(version) };
}

async function allJobs(
  client: InstanceClient,
  project: string,
  { id, sha, withOthers, sharesCommit }: PipelineJobs,
  call: Call,
): Promise<Columns[] | null> {
  const jobs = await listJobs(client, `${project}/pipelines/${id}/jobs`, 'build', call);
  if (jobs === null || !withOthers) return jobs;
  const path = `${project}/repository/commits/${sha}/statuses`;
  const list = await nullIfDenied(
    readFullList(client, path, {
      ...{ ...call, query: { pipeline_id: id }, record: statusWire },
      toRecord: (status) => status,
    }),
  );
  if (list === null || list.records === null) return null;
  const statuses = list.records.filter(({ pipeline_id: pipeline = id }) => pipeline === id);
  const isOther = (known: readonly { id: number }[]): ((status: { id: number }) => boolean) => {
    const ids = new Set(known.map((job) => job.id));
    return (status) => !ids.has(status.id);
  };
  if (statuses.length > 0 && !statuses.some(isOther(jobs))) return jobs;
  const bridges = await listJobs(client, `${project}/pipelines/${id}/bridges`, 'bridge', call);
  if (bridges === null) return null;
  const external = statuses.filter(isOther([...jobs, ...bridges]));
  if (sharesCommit && external.some(({ pipeline_id: pipeline }) => (pipeline ?? null) === null)) return null;
  return [
    ...jobs,
    ...bridges,
    ...external.map(({ author, ...status }) => ({
      ...{ ...status, kind: 'external', stage: 'external', user: author },
    })),
  ];
}

async function listJobs(client: InstanceClient, path: string, kind: JobKind, call: Call) {
  const { records } = await readFullList(client, path, {
    ...{ ...call, record: jobWire, ...(kind === 'build' && { query: { include_retried: 'true' } }) },
    // GitLab shows the reason of a failed job only.
    toRecord: ({ failure_reason: reason = null, ...job }) => ({ ...job, failure_reason: reason, kind }),
  });
  return records;
}
