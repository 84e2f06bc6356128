/** @file The schemas of `hook.ts`. */
import { pathTo } from '../path-schema.ts';
import { z } from '../schema.ts';
import { hookSeconds, hookFailureRules } from './hook.ts';

// A NUL would end it early in the eyes of the system.
const argumentSchema = z
  .string()
  .max(8192)
  .regex(/^[^\0]*$/, 'there must be no NUL in it');

export const hookSchema = z.object({
  /** Absolute. */
  program: pathTo('program'),
  /** Handed over as they are. */
  arguments: z.array(argumentSchema).max(100).default([]),
  timeLimitSeconds: z.number().int().min(hookSeconds.min).max(hookSeconds.max).default(hookSeconds.usual),
});

export const hooksSchema = z.object({
  before: hookSchema
    .extend({
      ifFails: z.enum(hookFailureRules).default('skip'),
    })
    .nullable()
    .default(null),
  after: hookSchema.nullable().default(null),
});
