/**
 * @file Counts the records of a project from the totals of its lists, for comparisons of numbers. A total is used only if
 * the first and the last page of its list agree with it.
 */
import {
  comparedRelations,
  noteRowOf,
  type ComparedRelation,
  type NoteRow,
} from '../../../src-contract/relations.ts';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable } from '../http/exchange.ts';
import { readFullList, type ListContradiction } from '../http/full-list.ts';
import { listTotal } from '../http/list-total.ts';
import { allUploads } from '../transfers/uploads.ts';
import { readPushRule, withGroups } from './identities.ts';
import { countExportedPipelines } from './pipeline-sources.ts';
import { projectPath } from './project-wire.ts';
import { protectedRefs } from './protected-refs.ts';
import { nullIfDenied, relationLists } from './relation-lists.ts';

const wire = z.looseObject({
  id: z.number().int().nullish(),
  tag_name: z.string().nullish(),
  name: z.string().nullish(),
  is_project_label: z.boolean().nullish(),
  group_id: z.number().int().nullish(),
  kind: z.string().nullish(),
  user_notes_count: z.number().int().nullish(),
});
type Wire = z.infer<typeof wire>;

const otherRelations = ['uploads', 'protected_branches', 'protected_tags', 'protected_environments'] as const;
export type TotalRelation = ComparedRelation | NoteRow | (typeof otherRelations)[number];

export interface RecordTotals {
  /** A total is null if its list may not be read, is not offered, or contradicts itself. */
  totals: Record<TotalRelation, number | null>;
  contradictions: (ListContradiction & { relation: TotalRelation })[];
  /** Number of labels and milestones of the project's groups, which an import may have used (gitlab-facts 7). */
  ofGroups: Partial<Record<ComparedRelation, number>>;
}

/** Labels, milestones and badges of a group are in the lists of its projects, but are not theirs. */
const isOwn = ({ is_project_label: isLabel, group_id: group, kind }: Wire): boolean =>
  isLabel !== false && typeof group !== 'number' && kind !== 'group';

/** Relations whose list must be read in full: it also has records of groups, or only its records show what is counted. */
const isReadInFull = (relation: ComparedRelation): boolean =>
  relation in withGroups || relation === 'project_badges' || noteRowOf(relation) !== null;

/** Reads one list after another. Throws if the project cannot be read. */
export async function recordTotals(
  client: InstanceClient,
  projectId: number,
  { signal }: Cancellable = {},
): Promise<RecordTotals> {
  const found = {} as RecordTotals['totals'];
  const contradictions: RecordTotals['contradictions'] = [];
  const ofGroups: RecordTotals['ofGroups'] = {};
  for (const relation of comparedRelations) {
    const { path } = relationLists[relation];
    const query = { ...relationLists[relation].query, ...withGroups[relation] };
    const options = { query, signal, details: { project: projectId } };
    const listPath = `${projectPath(projectId)}/${path}`;
    const list =
      relation === 'push_rule'
        ? readPushRule(client, listPath, options, toWire)
        : isReadInFull(relation)
          ? readFullList(client, listPath, { ...options, record: wire, toRecord: toWire })
          : relation === 'ci_pipelines'
            ? countExportedPipelines(client, listPath, options)
            : listTotal(client, listPath, { ...options, record: wire, toRecord: toWire });
    const result = await nullIfDenied<Awaited<typeof list>>(list);
    found[relation] = null;
    const noteRow = noteRowOf(relation);
    if (noteRow !== null) found[noteRow] = null;
    if (result === null || result === 'not-offered') continue;
    if (typeof result === 'number') found[relation] = result;
    else if (result.records === null) contradictions.push({ relation, ...result.contradiction });
    else {
      const own = result.records.filter(isOwn).length;
      found[relation] = own;
      if (relation in withGroups) ofGroups[relation] = result.records.length - own;
      if (noteRow !== null) found[noteRow] = sumOfNotes(result.records);
    }
  }
  for (const relation of otherRelations) {
    const list =
      relation === 'uploads'
        ? await allUploads(client, projectId, { signal })
        : await protectedRefs(client, projectId, relation, { signal });
    if (list?.contradiction) contradictions.push({ relation, ...list.contradiction });
    // Protected branches of groups are listed, too.
    const own = list?.records?.filter((record) => !('inherited' in record && record.inherited === true));
    found[relation] = own?.length ?? null;
  }
  return { totals: found, contradictions, ofGroups };
}

const toWire = (record: Wire): Wire => record;

/** Returns null if the server does not report the number of every record. */
const sumOfNotes = (records: readonly Wire[]): number | null =>
  records.reduce<number | null>(
    (sum, { user_notes_count: count }) => (sum === null || typeof count !== 'number' ? null : sum + count),
    0,
  );
