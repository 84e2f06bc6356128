/** @file Facts about one record of an archive, apart from its text. Pure. */
import type { z } from '../schema.ts';
import type * as schemas from './record-schema.ts';

export type RecordFinding = z.output<typeof schemas.recordFindingSchema>;
export type Neighbour = z.output<typeof schemas.neighbourSchema>;
export type RecordView = z.output<typeof schemas.recordViewSchema>;

/**
 * `will-be-refused`: GitLab refuses the record, or the whole archive because of it. `may-be-dropped`: some versions of
 * GitLab leave out the record or a part of it. `suspicious`: should be reviewed.
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
