/** @file The programs around the runs of a plan, and its heartbeat, as options. */
import type { OptionTable } from '../../options.ts';
import { hookFailureRules, hookSeconds } from '../hook.ts';

export const hookPhases = ['before', 'after'] as const;
export type HookPhase = (typeof hookPhases)[number];

/** Returns the options of the program on one side of a run, by the name of the hook's field. */
export const hookOptions = (side: HookPhase) =>
  ({
    program: {
      kind: 'text',
      flag: `${side}-run`,
      placeholder: 'program',
      help: `program that is run ${side} each run, by its whole path; no shell, with your rights`,
      maxLength: Infinity,
    },
    arguments: {
      kind: 'list',
      flag: `${side}-arg`,
      placeholder: 'argument',
      help: 'passed to it unchanged; may be given several times',
      maxLength: Infinity,
      maxCount: Infinity,
    },
    timeLimitSeconds: {
      kind: 'number',
      flag: `${side}-limit`,
      placeholder: 'seconds',
      help: `how long it may take; ${hookSeconds.usual} without this option`,
      bounds: hookSeconds,
      none: null,
    },
  }) as const satisfies OptionTable;

/** Removes the program on one side. */
export const removeHookOption = (side: HookPhase) => ({
  flag: `no-${side}-run`,
  help: `run no program ${side} each run any more`,
});

export const failureRuleOption = {
  ifFails: {
    kind: 'choice',
    flag: 'if-before-fails',
    placeholder: 'rule',
    help: 'skip the run (the default), or run anyway with a warning',
    choices: hookFailureRules,
  },
} as const satisfies OptionTable;

export const heartbeatFlags = {
  set: {
    flag: 'heartbeat-url-stdin',
    help: 'read from standard input an address that is requested after each run that succeeded; it is stored in the keychain',
  },
  remove: { flag: 'no-heartbeat', help: 'request no address after runs any more' },
} as const;
