/** @file Relations of an archive that no comparison covers. Pure. */
import type { Inspection } from '../../../../../src-contract/archives/archive.ts';
import { relationText } from '../../../../../src-contract/words/relations.ts';
import { isKnownRelation, relationCoverage } from '../coverage/archive-coverage.ts';
import { isPart } from '../coverage/field-coverage.ts';

type WithRelations = Pick<Inspection, 'relations'>;

const withRecords = ({ relations }: WithRelations): [string, number][] =>
  Object.entries(relations)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** Returns the relations with records that are not compared, sorted by name. */
export const uncomparedRelations = (inspection: WithRelations): string[] =>
  withRecords(inspection)
    .map(([relation]) => relation)
    .filter((relation) => {
      const coverage = relationCoverage(relation);
      return !isKnownRelation(relation) || (coverage !== undefined && isPart(coverage));
    });

/** Returns a sentence about relations that this version does not know; none if it knows all of them. */
export function describeUnknownRelations(inspection: WithRelations): string[] {
  const unknown = withRecords(inspection).filter(([relation]) => !isKnownRelation(relation));
  if (unknown.length === 0) return [];
  const each = unknown.map(([relation, count]) => `${relationText(relation)} (${count})`).join(', ');
  return [
    `The archive contains relations that this version does not know, so they were not compared: ${each}.`,
  ];
}
