/** @file Recognizes losses of an earlier comparison. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';

/**
 * Returns the same text for the same loss: the same part of the same record has the same two values. An edit of the part makes
 * another difference, which may be none of an export or import.
 */
export const lossKey = ({ relation, lost, line, iid, title, part }: MissingRecord): string =>
  JSON.stringify([relation, lost, line, iid, title, part]);

/** Returns the same text for the same part of the same record, with any values, so that no part counts as lost twice. */
export const lostPartKey = ({ relation, lost, line, iid, title, part }: MissingRecord): string =>
  JSON.stringify([relation, lost, line, iid, title, part?.name ?? null]);

/** Returns the same text for all losses of a relation on one side. Losses without names are stored by this group. */
export const lossGroupOf = ({ relation, lost }: Pick<MissingRecord, 'relation' | 'lost'>): string =>
  `${lost} ${relation}`;
