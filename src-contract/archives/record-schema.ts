/** @file The schemas of `record.ts`. */
import { archiveRecordSchema } from './archive-schema.ts';
import { z } from '../schema.ts';
import { suspicionSeverities, suspicionCodes } from './record.ts';

export const recordFindingSchema = z.object({
  code: z.enum(suspicionCodes),
  severity: z.enum(suspicionSeverities),
  /** Path in the record, such as `notes[3].position`; empty for the record itself. */
  path: z.string(),
  message: z.string(),
  advice: z.string(),
});

export const neighbourSchema = z.object({
  line: z.number().int(),
  iid: z.number().nullable(),
  title: z.string().nullable(),
});

/** A record with the data that helps to understand it. */
export const recordViewSchema = archiveRecordSchema.extend({
  /** The records on the lines before and after; null if there is none. */
  previous: neighbourSchema.nullable(),
  next: neighbourSchema.nullable(),
  suspicions: z.array(recordFindingSchema),
  /** Sentences about searches that were skipped because there is too much to search, or no index. */
  notLookedFor: z.array(z.string()),
  /** Address of the original on its source; null when that is unknown. */
  url: z.string().nullable(),
});
