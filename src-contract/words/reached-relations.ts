/** @file The words for how far a comparison compared each relation. */
import type { ReachedRelation, Reconciliation, RelationDepth } from '../transfers/import.ts';
import { upperFirst } from './first-letter.ts';
import { relationText } from './relations.ts';

const depthText: Record<RelationDepth, string> = {
  none: 'not compared',
  counts: 'only counted',
  keys: 'counted and found by key, but their fields were not compared',
  contents: 'compared',
};

/** Relations that were compared to the same depth. */
export interface LessComparedGroup {
  /** Such as “Only counted”. */
  title: string;
  /** The names of the relations for a sentence. */
  names: string[];
  /** The fields that were not compared, by the name of the relation. Empty if none was. */
  fields: { name: string; fields: readonly string[] }[];
  fieldCount: number;
}

function titleOf({ source, target, fields }: ReachedRelation): string | null {
  const [onSource, onTarget] = [source ?? target, target];
  if (onSource !== onTarget)
    return `With the source ${depthText[onSource]}, with the target ${depthText[onTarget]}`;
  if (onTarget !== 'contents') return upperFirst(depthText[onTarget]);
  return fields.length === 0 ? null : 'Compared, except for these fields of all or some records';
}

const hasFieldList = ({ source, target }: ReachedRelation): boolean =>
  [source ?? target, target].every((depth) => depth === 'keys' || depth === 'contents');

/** Returns the relations that were not compared completely; none for a comparison of an older version. */
export function lessComparedGroups({
  relations = [],
}: Pick<Reconciliation, 'relations'>): LessComparedGroup[] {
  const titled = relations.flatMap((relation) => {
    const title = titleOf(relation);
    return title === null ? [] : [{ ...relation, title }];
  });
  return [...Map.groupBy(titled, ({ title }) => title)].map(([title, some]) => {
    const fields = some
      .filter((one) => hasFieldList(one) && one.fields.length > 0)
      .map(({ relation, fields: names }) => ({ name: relationText(relation), fields: names }));
    const fieldCount = fields.reduce((sum, { fields: names }) => sum + names.length, 0);
    return { title, names: some.map(({ relation }) => relationText(relation)), fields, fieldCount };
  });
}

/** More fields than these are not in a sentence, and are folded on a page. */
export const maxShownFields = 12;

/** Returns a sentence for a terminal for each group. */
export const lessComparedSentences = (reconciliation: Pick<Reconciliation, 'relations'>): string[] =>
  lessComparedGroups(reconciliation).map(({ title, names, fields, fieldCount }) => {
    if (fieldCount === 0) return `${title}: ${names.join(', ')}.`;
    return fieldCount <= maxShownFields
      ? `${title}: ${fields.map((one) => `${one.name} (${one.fields.join(', ')})`).join('; ')}.`
      : `${title}: ${names.join(', ')}. The option --json lists the fields.`;
  });
