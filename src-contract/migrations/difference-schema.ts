/** @file The schemas of `difference.ts`. */
import { missingRecordSchema } from '../transfers/import-schema.ts';
import { z, schemaOf } from '../schema.ts';
import { type Difference, type Acceptance, differenceKinds } from './difference.ts';

export const acceptanceSchema = schemaOf<Acceptance>()(z.object({ note: z.string(), at: z.string() }));

export const differenceSchema = schemaOf<Difference>()(
  z.object({
    ref: z.string(),
    kind: z.enum(differenceKinds),
    relation: z.string(),
    what: z.string(),
    lost: missingRecordSchema.shape.lost.nullable(),
    missing: z.number().int(),
    open: z.number().int(),
    accepted: acceptanceSchema.nullable(),
    places: z.array(z.number().int()),
  }),
);
