/**
 * @file The noun *difference*: one loss, or one changed setting, found by the last comparison of a migrated
 * project. A later comparison recognizes it by its name, or by its relation and side alone where only numbers
 * show it.
 */
import type { z } from '../schema.ts';
import type * as schemas from './difference-schema.ts';

export type Difference = z.output<typeof schemas.differenceSchema>;

/**
 * `record`: a record, or several that are named alike; `part` of a record; `number`: what the numbers of a relation show beyond the
 * records that are named; `setting`; `unnamed`: records and parts beyond those that a comparison keeps by name.
 */
export const differenceKinds = ['record', 'part', 'number', 'setting', 'unnamed'] as const;
