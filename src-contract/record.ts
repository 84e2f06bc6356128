/** @file What can be said of one record of an archive beside its text. Pure. */
import { archiveRecordSchema } from './archive.ts';
import { z } from './schema.ts';

/**
 * `will-be-refused`: GitLab cannot import the record as it is, or the whole archive because of it. `may-be-dropped`: the record or
 * the part of it may be left out, on some versions at least. `suspicious`: worth a look.
 */
export const suspicionSeverities = ['will-be-refused', 'may-be-dropped', 'suspicious'] as const;

export const suspicionCodes = [
  'record-malformed',
  'line-too-long',
  'text-invalid-utf8',
  'text-nul',
  'title-missing',
  'title-too-long',
  'value-missing',
  'value-unknown',
  'date-invalid',
  'integer-out-of-range',
  'duplicate-iid',
  'duplicate-title',
  'milestone-unknown',
  'label-unknown',
  'sha-invalid',
  'note-empty',
  'position-missing',
] as const;

export const suspicionSchema = z.object({
  code: z.enum(suspicionCodes),
  severity: z.enum(suspicionSeverities),
  /** Where in the record, such as `notes[3].position`; empty: the record itself. */
  path: z.string(),
  message: z.string(),
  advice: z.string(),
});
export type Suspicion = z.infer<typeof suspicionSchema>;

const neighbourSchema = z.object({
  line: z.number().int(),
  iid: z.number().nullable(),
  title: z.string().nullable(),
});
export type Neighbour = z.infer<typeof neighbourSchema>;

/** A record with all that helps to understand it. */
export const recordViewSchema = archiveRecordSchema.extend({
  /** The records on the lines before and after; null where there is none. */
  previous: neighbourSchema.nullable(),
  next: neighbourSchema.nullable(),
  suspicions: z.array(suspicionSchema),
  /** Sentences about what was not looked for, because there is too much of it or no index; empty: everything was. */
  notLookedFor: z.array(z.string()),
  /** Where the original stands on its source; null when that is unknown. */
  url: z.string().nullable(),
});
export type RecordView = z.infer<typeof recordViewSchema>;
