/**
 * @file The noun *hook*: a program that is run before or after the run of a plan, with the rights of the user
 * who runs Packhorse. The program is started directly, never by a shell, so nothing in it is interpreted.
 */
import type { z } from '../schema.ts';
import type * as schemas from './hook-schema.ts';

export type Hook = z.output<typeof schemas.hookSchema>;
export type Hooks = z.output<typeof schemas.hooksSchema>;

/** How long a hook may take. */
export const hookSeconds = { min: 1, max: 3600, usual: 600 } as const;

/** How many bytes at the end of each of its outputs are kept. */
export const keptOutputBytes = 4096;

/** The effect of a failed program before a run: the run is skipped, or it takes place with a warning. */
export const hookFailureRules = ['skip', 'run'] as const;

export const noHooks: Hooks = { before: null, after: null };
