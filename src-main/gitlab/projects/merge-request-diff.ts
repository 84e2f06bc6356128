/** @file Reads the changes of a merge request, which no list shows. */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

/** A version of the changes, with the columns that GitLab shows: commits, and files with their texts. */
export type MergeRequestDiff = Readonly<Record<string, unknown>>;

const versionsWire = z.array(z.object({ id: z.number().int() }));
const versionWire = z.looseObject({ diffs: z.array(z.looseObject({})), commits: z.array(z.looseObject({})) });

/**
 * Resolves with the newest version of the changes; with an empty one for a merge request without changes, and with null
 * if the account may not read it. An export contains the newest version only.
 * `GET /projects/:id/merge_requests/:iid/versions`, newest first, and `GET …/versions/:version_id`, which shows all
 * files without the limits of `/diffs`; any reader, 200, 403, 404.
 */
export function readMergeRequestDiff(
  client: InstanceClient,
  projectId: number,
  iid: number,
  { signal }: Cancellable = {},
): Promise<MergeRequestDiff | null> {
  const path = `${projectPath(projectId)}/merge_requests/${iid}/versions`;
  const call = { signal, details: { project: projectId } };
  const read = async (): Promise<MergeRequestDiff> => {
    const { data } = await client.getJson(path, versionsWire, { ...call, query: { per_page: 1 } });
    const newest = data[0];
    return newest === undefined ? {} : (await client.getJson(`${path}/${newest.id}`, versionWire, call)).data;
  };
  return nullIfDenied(read());
}
