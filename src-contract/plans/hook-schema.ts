/** @file The schemas of `hook.ts`. */
import { pathSchema } from '../path-schema.ts';
import { z } from '../schema.ts';
import { hookTimeLimitSeconds, hookFailureActions } from './hook.ts';

// The operating system would end the argument at a NUL.
const argumentSchema = z
  .string()
  .max(8192)
  .regex(/^[^\0]*$/, 'an argument must not contain NUL');

export const hookSchema = z.object({
  /** The absolute path of the program. */
  program: pathSchema('program'),
  /** Passed to the program unchanged. */
  arguments: z.array(argumentSchema).max(100).default([]),
  timeLimitSeconds: z
    .number()
    .int()
    .min(hookTimeLimitSeconds.min)
    .max(hookTimeLimitSeconds.max)
    .default(hookTimeLimitSeconds.default),
});

export const hooksSchema = z.object({
  before: hookSchema
    .extend({
      ifFails: z.enum(hookFailureActions).default('skip'),
    })
    .nullable()
    .default(null),
  after: hookSchema.nullable().default(null),
});
