/** @file The schemas of `record.ts`. */
import { archiveRecordSchema } from './archive-schema.ts';
import { z, schemaOf } from '../schema.ts';
import {
  type Suspicion,
  type Neighbour,
  type RecordView,
  suspicionSeverities,
  suspicionCodes,
} from './record.ts';

export const suspicionSchema = schemaOf<Suspicion>()(
  z.object({
    code: z.enum(suspicionCodes),
    severity: z.enum(suspicionSeverities),
    path: z.string(),
    message: z.string(),
    advice: z.string(),
  }),
);

const neighbourSchema = schemaOf<Neighbour>()(
  z.object({
    line: z.number().int(),
    iid: z.number().nullable(),
    title: z.string().nullable(),
  }),
);

export const recordViewSchema = schemaOf<RecordView>()(
  archiveRecordSchema.extend({
    previous: neighbourSchema.nullable(),
    next: neighbourSchema.nullable(),
    suspicions: z.array(suspicionSchema),
    notLookedFor: z.array(z.string()),
    url: z.string().nullable(),
  }),
);
