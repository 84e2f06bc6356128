/** @file The schemas of `not-taken.ts`. */
import { z } from '../schema.ts';

export const ignoredAttributeSchema = z.object({
  attribute: z.string(),
  asked: z.unknown(),
  is: z.unknown(),
});
