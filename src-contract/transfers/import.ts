/** @file The noun *import*: its status on the server, its failures, and the three-way comparison after it. */
import type { z } from '../schema.ts';
import type * as schemas from './import-schema.ts';

export type Failure = z.output<typeof schemas.failureSchema>;
export type ImportStatus = z.output<typeof schemas.importStatusSchema>;
export type FailureWithRecord = z.output<typeof schemas.failureWithRecordSchema>;
export type Comparison = z.output<typeof schemas.comparisonSchema>;
/** A field of a record with its values on both sides. */
export type ChangedField = z.output<typeof schemas.changedFieldSchema>;
export type MissingRecord = z.output<typeof schemas.missingRecordSchema>;
export type Reconciliation = z.output<typeof schemas.reconciliationSchema>;

export const importStates = ['none', 'scheduled', 'started', 'finished', 'failed', 'canceled'] as const;

/**
 * `equal`; `lost-on-export`: the archive holds less than the source; `lost-on-import`: the target holds less than the
 * archive; `lost-on-both`; `more`: the target holds more; `unknown`: one side could not be counted.
 */
export const comparisonVerdicts = [
  'equal',
  'lost-on-export',
  'lost-on-import',
  'lost-on-both',
  'more',
  'unknown',
] as const;

/**
 * The parts that a comparison covers, from least to most. `numbers`: the number of records; `names`: also their names; `fields`:
 * also the fields of `docs/what-is-compared.md`; `contents`: everything that GitLab's API shows.
 */
export const comparisonDepths = ['numbers', 'names', 'fields', 'contents'] as const;
export type ComparisonDepth = (typeof comparisonDepths)[number];
