/** @file Recognizes losses of an earlier comparison. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';

/**
 * Returns the same text for the same loss: the same part of the same record has the same two values. A later edit changes the
 * values, so the loss is no longer recognized. A part may be stored with numbers first, and with texts later.
 */
export const lossKey = ({ part, ...record }: MissingRecord): string => {
  const { expected, found } =
    part !== null && 'values' in part ? part.values : { expected: '', found: '', ...part };
  return JSON.stringify([lostPartKey({ part, ...record }), String(expected), String(found)]);
};

/** Returns the same text for the same part of the same record, with any values, so that no part counts as lost twice. */
export const lostPartKey = ({ relation, lost, line, iid, title, part }: MissingRecord): string =>
  JSON.stringify([relation, lost, line, iid, title, part?.name ?? null]);

/** Returns the same text for all losses of a relation on one side. Losses without names are stored by this group. */
export const lossGroupOf = ({ relation, lost }: Pick<MissingRecord, 'relation' | 'lost'>): string =>
  `${lost} ${relation}`;
