/** @file The schemas of `not-taken.ts`. */
import { z, schemaOf } from '../schema.ts';
import type { NotTaken } from './not-taken.ts';

export const notTakenSchema = schemaOf<NotTaken>()(
  z.object({ attribute: z.string(), asked: z.unknown(), is: z.unknown() }),
);
