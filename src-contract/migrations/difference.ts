/**
 * @file The noun *difference*: one loss, or one changed setting, found by the last comparison of a migrated
 * project. A later comparison recognizes it by its name, or by its relation and side alone where only numbers
 * show it.
 */
import type { MissingRecord } from '../transfers/import.ts';

/**
 * `record`: a record, or several that are named alike; `part` of a record; `number`: what the numbers of a relation show beyond the
 * records that are named; `setting`; `unnamed`: records and parts beyond those that a comparison keeps by name.
 */
export const differenceKinds = ['record', 'part', 'number', 'setting', 'unnamed'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** A difference that somebody accepted, and why. */
export interface Acceptance {
  note: string;
  at: string;
}

export interface Difference {
  /**
   * For `failure.settle`. The value changes with how much is missing, so that nobody accepts more than was
   * shown.
   */
  ref: string;
  kind: DifferenceKind;
  /** For a setting its attribute; empty where nothing is named. */
  relation: string;
  /** The difference in a few words. */
  what: string;
  /** Null where it is not known. */
  lost: MissingRecord['lost'] | null;
  /** Records, parts of one, or bytes of LFS objects; 1 for a setting. */
  missing: number;
  /** How many of them nobody accepted. */
  open: number;
  /** Null where nobody accepted any of them. */
  accepted: Acceptance | null;
  /** Its indexes in the missing records of the comparison, counted from 0. */
  places: number[];
}
