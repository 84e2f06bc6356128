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
import { readFullList } from '../http/full-list.ts';
import { type ListOptions, reportedTotal } from '../http/pages.ts';
import { countExportedPipelines } from './pipeline-sources.ts';
import { projectPath } from './project-wire.ts';
import { nullIfDenied, relationLists } from './relation-lists.ts';

const id = z.number().int().nullish();
const recordWire = z.object({ id, tag_name: z.string().nullish(), name: z.string().nullish() });
const labelWire = z.object({ id, is_project_label: z.boolean().nullish() });
const noteCountWire = z.object({ id, user_notes_count: z.number().int().nullish() });

/** A count is null if it is not known. */
interface RelationCount {
  records: number | null;
  notes: number | null;
}

/**
 * A count is null for a relation that is disabled or may not be read, and for a list that contradicts itself. Throws if
 * the project itself cannot be read.
 *
 * @param onLabel called with the id of each label of the project.
 */
export async function projectCounts(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable = {},
  onLabel: (id: number) => void = () => undefined,
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
            ? countLabels(...listArguments(relation), onLabel)
            : relation === 'ci_pipelines'
              ? countPipelines(...listArguments(relation))
              : noteRowOf(relation) === null
                ? countRecords(...listArguments(relation))
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

/** Reads the list in full only if it does not report its total. */
async function countRecords(
  client: InstanceClient,
  path: string,
  options: ListOptions,
): Promise<RelationCount> {
  const total = await reportedTotal(client, path, options);
  if (total !== null) return { records: total, notes: null };
  const list = await readFullList(client, path, { ...options, record: recordWire, toRecord: () => null });
  return { records: list.records?.length ?? null, notes: null };
}

/** Leaves out the pipelines that no export contains (gitlab-facts 5.6). */
async function countPipelines(...list: Parameters<typeof countExportedPipelines>): Promise<RelationCount> {
  const records = await countExportedPipelines(...list);
  return { records: typeof records === 'number' ? records : null, notes: null };
}

/** Leaves out the labels of the project's group: GitLab lists them, and no export contains them (gitlab-facts 11). */
async function countLabels(
  client: InstanceClient,
  path: string,
  options: ListOptions,
  onLabel: (id: number) => void,
): Promise<RelationCount> {
  const { records: labels } = await readFullList(client, path, {
    ...options,
    record: labelWire,
    toRecord: ({ id, is_project_label: isOwn }) => {
      if (isOwn !== false && typeof id === 'number') onLabel(id);
      return isOwn !== false;
    },
  });
  return { records: labels?.filter(Boolean).length ?? null, notes: null };
}

async function countWithNotes(
  client: InstanceClient,
  path: string,
  options: ListOptions,
): Promise<RelationCount> {
  const { records: noteCounts } = await readFullList(client, path, {
    ...options,
    record: noteCountWire,
    toRecord: ({ user_notes_count: count }) => count ?? null,
  });
  if (noteCounts === null) return { records: null, notes: null };
  const notes = noteCounts.reduce<number | null>(
    (sum, count) => (sum === null || count === null ? null : sum + count),
    0,
  );
  return { records: noteCounts.length, notes };
}
