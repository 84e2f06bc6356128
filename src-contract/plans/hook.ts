/**
 * @file The noun *hook*: a program that is run before or after the run of a plan, with the rights of the user who runs
 * Packhorse. The program is started directly, without a shell, so its arguments are not interpreted.
 */
import type { z } from '../schema.ts';
import type * as schemas from './hook-schema.ts';

export type Hook = z.output<typeof schemas.hookSchema>;
export type Hooks = z.output<typeof schemas.hooksSchema>;

/** How long a hook may take. */
export const hookTimeLimitSeconds = { min: 1, max: 3600, default: 600 } as const;

/** How many bytes at the end of each output stream are stored. */
export const maxStoredOutputBytes = 4096;

/** The effect of a failed program before a run: `skip` skips the run, `run` starts it with a warning. */
export const hookFailureActions = ['skip', 'run'] as const;

export const noHooks: Hooks = { before: null, after: null };
