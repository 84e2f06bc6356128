/** @file The options of `plan add` and `plan edit` for programs and a heartbeat around a run. */
import { isAbsolute } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { AppError } from '../../../../src-contract/errors.ts';
import {
  type hookFailureActions,
  hookTimeLimitSeconds,
  noHooks,
  type Hook,
  type Hooks,
} from '../../../../src-contract/plans/hook.ts';
import {
  failureRuleOption,
  heartbeatFlags,
  hookOptions,
  hookPhases,
  removeHookOption,
} from '../../../../src-contract/plans/options/hooks.ts';
import type { PlanDraft } from '../../../../src-contract/plans/plan.ts';
import { addOptions, booleanOption, valueOption } from '../terminal/declared-options.ts';
import { readSecretLine } from '../terminal/secret-input.ts';
import type { TokenOptions } from '../running/session.ts';
import type { AppCommand } from '../running/app-command.ts';
import { usageError } from '../terminal/options.ts';

export interface HookOptions {
  /** False removes it. */
  beforeRun?: string | false;
  beforeArg?: string[];
  beforeLimit?: number;
  ifBeforeFails?: (typeof hookFailureActions)[number];
  afterRun?: string | false;
  afterArg?: string[];
  afterLimit?: number;
  heartbeatUrlStdin?: boolean;
  /** False removes it. */
  heartbeat?: boolean;
}

/** Adds the options for programs and the heartbeat. @param isEdit true for `plan edit`, which can also remove them. */
export function addHookOptions(command: AppCommand, isEdit: boolean): AppCommand {
  for (const phase of hookPhases) {
    const { program, ...others } = hookOptions(phase);
    command.addOption(valueOption(program).argParser(programPath));
    addOptions(command, others);
    if (isEdit) command.addOption(booleanOption(removeHookOption(phase)));
  }
  addOptions(command, failureRuleOption);
  command.addOption(booleanOption(heartbeatFlags.set));
  if (isEdit) command.addOption(booleanOption(heartbeatFlags.remove));
  return command;
}

function programPath(text: string): string {
  if (isAbsolute(text)) return text;
  throw new InvalidArgumentError('Give the full path of the program, such as /usr/local/bin/mount-drive.');
}

export function hooksOf(options: HookOptions, current: Hooks = noHooks): Hooks | undefined {
  const { ifBeforeFails } = options;
  const before = hookOf('before', options.beforeRun, options.beforeArg, options.beforeLimit, current.before);
  const after = hookOf('after', options.afterRun, options.afterArg, options.afterLimit, current.after);
  if (before === undefined && after === undefined && ifBeforeFails === undefined) return undefined;
  const program = before === undefined ? current.before : before;
  if (program === null && ifBeforeFails !== undefined)
    throw missingProgramError('before', '--if-before-fails');
  return {
    before: program && { ...program, ifFails: ifBeforeFails ?? current.before?.ifFails ?? 'skip' },
    after: after === undefined ? current.after : after,
  };
}

/** Returns null to remove the program with its arguments, undefined if nothing was typed. */
function hookOf(
  phase: 'before' | 'after',
  program: string | false | undefined,
  args: string[] | undefined,
  limit: number | undefined,
  current: Hook | null,
): Hook | null | undefined {
  if (program === undefined && args === undefined && limit === undefined) return undefined;
  if (program === false) return null;
  if (program === undefined && current === null)
    throw missingProgramError(phase, `--${phase}-arg or --${phase}-limit`);
  return {
    program: program ?? current?.program ?? '',
    arguments: args ?? (program === undefined ? current?.arguments : undefined) ?? [],
    timeLimitSeconds: limit ?? current?.timeLimitSeconds ?? hookTimeLimitSeconds.default,
  };
}

const missingProgramError = (phase: string, option: string): AppError =>
  usageError(`${option} needs a program ${phase} the run: give --${phase}-run.`);

/** Returns the new heartbeat; null removes it, undefined keeps it. Reads standard input if an option requires it. */
export async function heartbeatOf(options: HookOptions & TokenOptions): Promise<PlanDraft['heartbeat']> {
  if (options.heartbeatUrlStdin !== true) return options.heartbeat === false ? null : undefined;
  if (options.heartbeat === false) {
    throw usageError('Give --heartbeat-url-stdin or --no-heartbeat, not both.');
  }
  return { secretAddress: await readSecretLine('address of the heartbeat', options) };
}
