/** @file Counts the records of a project. Only issues and merge requests report the number of their comments. */
import type { ProjectCounts } from '../../../src-contract/archives/archive.ts';
import {
  mapCountedRelations,
  listedRelations,
  noteRowOf,
  type ListedRelation,
} from '../../../src-contract/relations.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { countOf, type ListOptions, offsetPages } from '../http/pages.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied, relationLists } from './relation-lists.ts';

const labelWire = z.object({ is_project_label: z.boolean().nullish() });
const noteCountWire = z.object({ user_notes_count: z.number().int().nullish() });

/** A count is null for a relation that is disabled or may not be read. Throws if the project itself cannot be read. */
export async function projectCounts(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable = {},
): Promise<ProjectCounts> {
  const controller = new AbortController();
  const listArguments = (relation: ListedRelation) => {
    const { path, query } = relationLists[relation];
    const options = {
      query,
      signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
      details: { project: projectId },
    };
    return [client, `${projectPath(projectId)}/${path}`, options] as const;
  };
  try {
    const counted = await Promise.all(
      listedRelations.map(async (relation) => {
        const found = await nullIfDenied(
          relation === 'labels'
            ? countLabels(...listArguments(relation))
            : noteRowOf(relation) === null
              ? countOf(...listArguments(relation)).then((records) => ({ records, notes: null }))
              : countWithNotes(...listArguments(relation)),
        );
        return [relation, found] as const;
      }),
    );
    const countsByRelation = new Map(counted);
    return mapCountedRelations(
      (relation) => countsByRelation.get(relation)?.records ?? null,
      (relation) => countsByRelation.get(relation)?.notes ?? null,
    );
  } finally {
    // After one failure the other lists are useless.
    controller.abort();
  }
}

/** Leaves out the labels of the project's group: GitLab lists them, and no export contains them (gitlab-facts 11). */
async function countLabels(client: InstanceClient, path: string, options: ListOptions) {
  let records = 0;
  for await (const page of offsetPages(client, path, labelWire, options))
    records += page.filter(({ is_project_label: isOwn }) => isOwn !== false).length;
  return { records, notes: null };
}

async function countWithNotes(client: InstanceClient, path: string, options: ListOptions) {
  let records = 0;
  let notes: number | null = 0;
  for await (const page of offsetPages(client, path, noteCountWire, options)) {
    records += page.length;
    for (const { user_notes_count: count } of page) {
      notes = notes === null || count === null || count === undefined ? null : notes + count;
    }
  }
  return { records, notes };
}
