/** @file The schemas of `not-taken.ts`. */
import { z, schemaOf } from '../schema.ts';
import type { IgnoredAttribute } from './not-taken.ts';

export const ignoredAttributeSchema = schemaOf<IgnoredAttribute>()(
  z.object({ attribute: z.string(), asked: z.unknown(), is: z.unknown() }),
);
