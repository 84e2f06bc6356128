/** @file The schemas of `ignored-attribute.ts`. */
import { z } from '../schema.ts';

export const ignoredAttributeSchema = z.object({
  attribute: z.string(),
  asked: z.unknown(),
  /** The present value on the instance; null if the tier or release lacks the attribute. */
  is: z.unknown(),
});
