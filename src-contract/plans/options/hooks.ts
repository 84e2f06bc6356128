/** @file The options for the programs before and after the runs of a plan, and for its heartbeat. */
import type { OptionTable } from '../../options.ts';
import { hookFailureActions, hookTimeLimitSeconds } from '../hook.ts';

export const hookPhases = ['before', 'after'] as const;
export type HookPhase = (typeof hookPhases)[number];

/** Returns the options of the program before or after a run, by the name of the hook's field. */
export const hookOptions = (phase: HookPhase) =>
  ({
    program: {
      kind: 'text',
      flag: `${phase}-run`,
      placeholder: 'program',
      help: `program to run ${phase} each run, by its full path; runs with your rights, without a shell`,
      maxLength: Infinity,
    },
    arguments: {
      kind: 'list',
      flag: `${phase}-arg`,
      placeholder: 'argument',
      help: 'argument for the program, passed unchanged; may be given several times',
      maxLength: Infinity,
      maxCount: Infinity,
    },
    timeLimitSeconds: {
      kind: 'number',
      flag: `${phase}-limit`,
      placeholder: 'seconds',
      help: `time limit of the program in seconds; ${hookTimeLimitSeconds.default} by default`,
      bounds: hookTimeLimitSeconds,
      removalWord: null,
    },
  }) as const satisfies OptionTable;

/** Returns the flag that removes the program before or after runs. */
export const removeHookOption = (phase: HookPhase) => ({
  flag: `no-${phase}-run`,
  help: `remove the program that runs ${phase} each run`,
});

export const failureRuleOption = {
  ifFails: {
    kind: 'choice',
    flag: 'if-before-fails',
    placeholder: 'rule',
    help: 'skip the run (the default), or run anyway with a warning',
    choices: hookFailureActions,
  },
} as const satisfies OptionTable;

export const heartbeatFlags = {
  set: {
    flag: 'heartbeat-url-stdin',
    help: 'address to request after each successful run; read from standard input and stored in the keychain',
  },
  remove: { flag: 'no-heartbeat', help: 'remove the address that is requested after runs' },
} as const;
