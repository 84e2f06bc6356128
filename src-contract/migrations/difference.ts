/**
 * @file The noun *difference*: one loss, or one changed setting, that the last comparison of a migrated project found.
 * A later comparison recognizes it by its name. A difference of numbers alone is recognized by its relation and side.
 */
import type { z } from '../schema.ts';
import type * as schemas from './difference-schema.ts';

export type Difference = z.output<typeof schemas.differenceSchema>;

/**
 * `record`: a record, or several with the same name; `part`: a part of a record; `number`: missing records that only
 * the counts of a relation show; `setting`: a setting of the project; `unnamed`: records and parts beyond those that a
 * comparison stores by name.
 */
export const differenceKinds = ['record', 'part', 'number', 'setting', 'unnamed'] as const;
