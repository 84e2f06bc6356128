/** @file Sentences about lists that contradicted themselves, so that a comparison does not use them. Pure. */
import { relationText } from '../../../../../src-contract/words/relations.ts';

/** A list that contradicted itself in two readings. */
export interface ContradictoryList {
  instance: string;
  relation: string;
  /** Number of records that the list announced; null if it announced more than it has, without a number. */
  announced: number | null;
  /** Number of different records that it has. */
  listed: number;
}

export const describeContradictoryLists = (lists: readonly ContradictoryList[]): string[] =>
  lists.map(({ instance, relation, announced, listed }) => {
    const numbers =
      announced === null
        ? `it announces more records than the ${listed} that it has`
        : `it announces ${announced} records and has ${listed} different ones`;
    return `The list of ${relationText(relation)} on "${instance}" contradicts itself, also in a second reading: ${numbers}. It was not used.`;
  });
