/** @file Lists the discussions of an issue, merge request, snippet or commit, with their notes. */
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { readFullList, type FullList } from '../http/full-list.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied } from './relation-lists.ts';

const discussionWire = z.object({ id: z.string(), notes: z.array(z.looseObject({})) });
export type Discussion = z.infer<typeof discussionWire>;

/** The part of the path that addresses what the notes are about: `/issues/:iid`, `/snippets/:id`, `/commits/:sha`. */
export type NoteableAddress =
  | { relation: 'issues' | 'merge_requests' | 'snippets'; id: number }
  | { relation: 'repository/commits'; id: string };

/**
 * Returns null if the discussions may not be read. Only this list shows the thread of a note.
 * `GET /projects/:id/issues/:iid/discussions`, likewise for merge requests, snippets and commits, any reader, 200, 403, 404.
 */
export function discussionsOf(
  client: InstanceClient,
  projectId: number,
  { relation, id }: NoteableAddress,
  { signal }: Cancellable = {},
): Promise<FullList<Discussion> | null> {
  const path = `${projectPath(projectId)}/${relation}/${id}/discussions`;
  const list = readFullList(client, path, {
    ...{ signal, details: { project: projectId } },
    record: discussionWire,
    toRecord: (discussion) => discussion,
    // GitLab leaves out discussions that the account may not see, but counts them (`lib/api/discussions.rb`).
    totalCountsHidden: true,
  });
  return nullIfDenied(list);
}
