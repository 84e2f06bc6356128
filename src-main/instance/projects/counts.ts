/**
 * @file A project's own counts, for comparing source, archive and target. Issues and merge requests are listed in full,
 * since only their records tell how many comments they carry; of the rest the totals are enough.
 */
import type { ProjectCounts } from '../../../src-preload/contract/archive.ts';
import { z } from '../../../src-preload/contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import { countOf, type ListOptions, offsetPages } from '../http/pages.ts';
import { projectPath } from './project-wire.ts';
import { readable, relationLists, type ListedRelation } from './relation-lists.ts';

const discussed = z.object({ user_notes_count: z.number().int().nullish() });

/** Null for what is switched off or may not be read; throws when the project itself cannot be asked. */
export async function projectCounts(
  client: InstanceClient,
  projectId: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<ProjectCounts> {
  const giveUp = new AbortController();
  const list = (relation: ListedRelation) => {
    const { path, query } = relationLists[relation];
    const options = {
      query,
      signal: signal ? AbortSignal.any([signal, giveUp.signal]) : giveUp.signal,
      details: { project: projectId },
    };
    return [client, `${projectPath(projectId)}/${path}`, options] as const;
  };
  try {
    const [issues, mergeRequests, milestones, labels, releases, pipelines, branches, tags] =
      await Promise.all([
        readable(withNotes(...list('issues'))),
        readable(withNotes(...list('merge_requests'))),
        readable(countOf(...list('milestones'))),
        readable(countOf(...list('labels'))),
        readable(countOf(...list('releases'))),
        readable(countOf(...list('ci_pipelines'))),
        readable(countOf(...list('branches'))),
        readable(countOf(...list('tags'))),
      ]);
    return {
      issues: issues?.records ?? null,
      merge_requests: mergeRequests?.records ?? null,
      milestones,
      labels,
      releases,
      ci_pipelines: pipelines,
      branches,
      tags,
      issue_notes: issues?.notes ?? null,
      merge_request_notes: mergeRequests?.notes ?? null,
    };
  } finally {
    // After one failure the other lists are of no use.
    giveUp.abort();
  }
}

async function withNotes(client: InstanceClient, path: string, options: ListOptions) {
  let records = 0;
  let notes: number | null = 0;
  for await (const page of offsetPages(client, path, discussed, options)) {
    records += page.length;
    for (const { user_notes_count: count } of page) {
      notes = notes === null || count === null || count === undefined ? null : notes + count;
    }
  }
  return { records, notes };
}
