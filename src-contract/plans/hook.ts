/**
 * @file The noun *hook*: a program that is run before or after the run of a plan, with the rights of whoever runs Packhorse. It is
 * started by itself, never by a shell, so nothing in it is interpreted.
 */
import { pathTo } from '../path.ts';
import { z } from '../schema.ts';

/** How long a hook may take. */
export const hookSeconds = { min: 1, max: 3600, usual: 600 } as const;

/** Of so many bytes at the end of each of its outputs it is kept what they say. */
export const keptOutputBytes = 4096;

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
export type Hook = z.infer<typeof hookSchema>;

export const hookFailureRules = ['skip', 'run'] as const;

export const hooksSchema = z.object({
  before: hookSchema
    .extend({
      /** What becomes of the run where it fails: it does not take place, or it does all the same, with a warning. */
      ifFails: z.enum(hookFailureRules).default('skip'),
    })
    .nullable()
    .default(null),
  after: hookSchema.nullable().default(null),
});
export type Hooks = z.infer<typeof hooksSchema>;

export const noHooks: Hooks = { before: null, after: null };
