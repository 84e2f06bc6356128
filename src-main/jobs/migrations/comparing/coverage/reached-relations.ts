/** @file Decides how far a comparison compared each relation with each side, and which fields it left out. Pure. */
import {
  relationDepths,
  type ChosenDepth,
  type Comparison,
  type ReachedRelation,
  type RelationDepth,
} from '../../../../../src-contract/transfers/import.ts';
import type { FieldOfRelation } from '../contents/field-readers.ts';
import { comparedRelations, type ComparedRelation } from './compared-relations.ts';

export interface ReachedSides {
  chosen: ChosenDepth;
  /** False if the records of the archive could not be read one by one. */
  hasRecords: boolean;
  /** The amounts of every relation that was counted. An amount is null if it is not known, or not used. */
  rows: readonly Pick<Comparison, 'relation' | 'source' | 'archive' | 'target'>[];
  /** The relations that the source did not list; null for an import without a source. */
  unlistedOnSource: ReadonlySet<string> | null;
  unlistedOnTarget: ReadonlySet<string>;
  /** Fields that were not compared with every side, or not of every record. */
  uncompared: readonly FieldOfRelation[];
}

export function reachedRelations(sides: ReachedSides): ReachedRelation[] {
  const left = Map.groupBy(sides.uncompared, ({ relation }) => relation);
  return comparedRelations.map((compared) => {
    const { relation, fields, leftOut = {} } = compared;
    const source = sides.unlistedOnSource && depthWith(compared, 'source', sides.unlistedOnSource, sides);
    const target = depthWith(compared, 'target', sides.unlistedOnTarget, sides);
    const isCompared = (source ?? 'contents') === 'contents' && target === 'contents';
    const uncompared = new Set([
      ...(left.get(relation) ?? []).map(({ field }) => field),
      ...(leftOut[sides.chosen] ?? []),
    ]);
    return {
      relation,
      source,
      target,
      fields: fields.filter((field) => !isCompared || uncompared.has(field)),
    };
  });
}

function depthWith(
  { relation, depths, depthsOfSource = depths, rows: rowNames, isSetting }: ComparedRelation,
  side: 'source' | 'target',
  unlisted: ReadonlySet<string>,
  { chosen, hasRecords, rows }: ReachedSides,
): RelationDepth {
  const possible = (side === 'source' ? depthsOfSource : depths)[
    hasRecords || isSetting === true ? chosen : 'counts'
  ];
  if (isSetting === true) return unlisted.has(relation) ? 'none' : possible;
  const isCounted =
    rowNames.length > 0 &&
    rowNames.every((name) =>
      rows.some((row) => row.relation === name && row[side] !== null && row.archive !== null),
    );
  // Without any LFS objects, their size says everything.
  const isEmpty = rows.some((row) => rowNames.includes(row.relation) && row[side] === 0 && row.archive === 0);
  if (possible === 'counts' && depths[chosen] === 'contents' && isEmpty) return 'contents';
  const isListed = possible !== 'counts' && !unlisted.has(relation);
  return isListed ? possible : least(possible, isCounted ? 'counts' : 'none');
}

const least = (a: RelationDepth, b: RelationDepth): RelationDepth =>
  relationDepths.indexOf(a) < relationDepths.indexOf(b) ? a : b;
