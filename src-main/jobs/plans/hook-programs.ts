/** @file The input of programs before and after a plan's run, and the notes about their results. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Hook } from '../../../src-contract/plans/hook.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { Run, RunNote } from '../../../src-contract/runs/run.ts';
import { isoTime } from '../../platform/clock.ts';
import { whyNoHeartbeat, outcomeForPrograms } from './heartbeat.ts';
import { leftOutCount } from './out-of-scope-projects.ts';
import type { ProgramCall, ProgramEnd } from '../../platform/program.ts';

/** If the signal is aborted, rejects with its reason after the program and its children have ended. */
export type RunProgram = (
  call: Pick<ProgramCall, 'program' | 'arguments' | 'timeLimitMs'> & { input: Record<string, string> },
  signal: AbortSignal,
) => Promise<ProgramEnd>;

/** The start of a run: its id, its notes, and whether it takes place. */
export interface RunPreparation {
  runId: string;
  notes: RunNote[];
  takesPlace: boolean;
  /** True if the run was cancelled. The plan does not fire again for that due time, even if it changes. */
  isCancelled: boolean;
}

export interface UpcomingRun {
  runId: string;
  dueAt: number;
  projects: number;
}

/**
 * Runs the program before the run, if there is one. If `cancelSignal` is aborted, the program ends and the run does not take
 * place, which is no failure.
 */
export async function prepareRun(
  plan: StoredPlan,
  { runId, dueAt, projects }: UpcomingRun,
  runProgram: RunProgram,
  signal: AbortSignal,
  cancelSignal: AbortSignal,
): Promise<RunPreparation> {
  const hook = plan.hooks.before;
  if (hook === null) return { runId, notes: [], takesPlace: true, isCancelled: false };
  const input = {
    ...runVariables(plan, 'before', runId, isoTime(dueAt)),
    PACKHORSE_PROJECTS: String(projects),
  };
  const end = await runProgram(callOf(hook, input), AbortSignal.any([signal, cancelSignal])).catch(
    (thrown: unknown) => {
      if (cancelSignal.aborted && !signal.aborted) return null;
      throw thrown;
    },
  );
  if (end === null) {
    const error = AppError.from(cancelSignal.reason);
    const note: RunNote = { severity: 'info', message: error.message, error: error.toData() };
    return { runId, notes: [note], takesPlace: false, isCancelled: true };
  }
  const problem = problemOf(hook, end);
  const preparation = (runNote: RunNote, takesPlace: boolean): RunPreparation => ({
    runId,
    notes: [runNote],
    takesPlace,
    isCancelled: false,
  });
  if (problem === null) return preparation(note('info', 'before', 'succeeded', end), true);
  if (hook.ifFails === 'run') {
    return preparation(note('warning', 'before', `${problem}, but the run took place`, end), true);
  }
  const error = new AppError(
    'hook-failed',
    `The program before the run ${problem}, so nothing was backed up.`,
  );
  const failureNote = {
    ...note('warning', 'before', `${problem}, so nothing was backed up`, end),
    error: error.toData(),
  };
  return preparation(failureNote, false);
}

export async function runAfterHook(
  plan: StoredPlan,
  hook: Hook,
  endedRun: Run,
  runProgram: RunProgram,
  signal: AbortSignal,
): Promise<RunNote> {
  const counted = (status: string): string => String(endedRun.jobs[status] ?? 0);
  const input = {
    ...runVariables(plan, 'after', endedRun.id, endedRun.dueAt ?? ''),
    PACKHORSE_OUTCOME: outcomeForPrograms(endedRun),
    PACKHORSE_SUCCEEDED: counted('succeeded'),
    PACKHORSE_FAILED: counted('failed'),
    PACKHORSE_CANCELLED: counted('cancelled'),
    PACKHORSE_SKIPPED: counted('skipped'),
    PACKHORSE_LEFT_OUT: String(leftOutCount(endedRun)),
    PACKHORSE_HEARTBEAT: whyNoHeartbeat(endedRun) === null ? '1' : '0',
  };
  const end = await runProgram(callOf(hook, input), signal);
  const problem = problemOf(hook, end);
  return note(problem === null ? 'info' : 'warning', 'after', problem ?? 'succeeded', end);
}

function runVariables(
  plan: StoredPlan,
  when: 'before' | 'after',
  runId: string,
  dueAt: string,
): Record<string, string> {
  return {
    PACKHORSE_HOOK: when,
    PACKHORSE_PLAN: plan.name.replaceAll(/\p{Cc}/gu, ' '),
    PACKHORSE_RUN: runId,
    PACKHORSE_DUE: dueAt,
  };
}

const callOf = (hook: Hook, input: Record<string, string>): Parameters<RunProgram>[0] => ({
  program: hook.program,
  arguments: hook.arguments,
  timeLimitMs: hook.timeLimitSeconds * 1000,
  input,
});

/** Returns the problem as the end of a sentence; null if there was none. */
function problemOf(hook: Hook, end: ProgramEnd): string | null {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? null : `failed with the exit code ${end.code}`;
    case 'killed':
      return `was ended by the signal ${end.signal}`;
    case 'timed-out':
      return `was ended after its time limit of ${hook.timeLimitSeconds} s`;
    case 'failed-to-start':
      return `could not be started (${startProblems[end.code] ?? end.code})`;
  }
}

const startProblems: Partial<Record<string, string>> = {
  ENOENT: 'there is no such file, or the interpreter in its first line is missing',
  EACCES: 'it may not be executed',
  ENOEXEC: 'this system cannot run it',
};

function note(
  severity: RunNote['severity'],
  when: 'before' | 'after',
  what: string,
  { output, tookMs }: ProgramEnd,
): RunNote {
  const took = tookMs < 950 ? '' : ` It took ${Math.round(tookMs / 1000)} s.`;
  return {
    severity,
    message: `The program ${when} the run ${what}.${took}`,
    ...(output === '' ? {} : { output }),
  };
}
