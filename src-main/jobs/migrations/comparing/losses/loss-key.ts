/** @file Recognizes a loss of an earlier comparison. Pure. */
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';

/** Returns the same text for the same loss: the same part of the same record has the same two values. */
export const lossKey = ({ relation, lost, line, iid, title, part }: MissingRecord): string =>
  JSON.stringify([relation, lost, line, iid, title, part]);
