/** @file Lists the discussions of an issue or a merge request, with their notes. */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { readFullList, type FullList } from '../http/full-list.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

const discussionWire = z.object({ id: z.string(), notes: z.array(z.looseObject({})) });
export type Discussion = z.infer<typeof discussionWire>;

/**
 * Returns null if the discussions may not be read. Only this list shows the thread of a note.
 * `GET /projects/:id/issues/:iid/discussions` and `…/merge_requests/:iid/discussions`, any reader, 200, 403, 404.
 */
export function discussionsOf(
  client: InstanceClient,
  projectId: number,
  { relation, iid }: { relation: 'issues' | 'merge_requests'; iid: number },
  { signal }: Cancellable = {},
): Promise<FullList<Discussion> | null> {
  const path = `${projectPath(projectId)}/${relation}/${iid}/discussions`;
  const list = readFullList(client, path, {
    ...{ signal, details: { project: projectId } },
    record: discussionWire,
    toRecord: (discussion) => discussion,
    // GitLab leaves out discussions that the account may not see, but counts them (`lib/api/discussions.rb`).
    totalCountsHidden: true,
  });
  return nullIfDenied(list);
}
