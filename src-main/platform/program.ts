/**
 * @file Runs a user's program to its end, without a shell and within a time limit. Its process group ends as a whole.
 */
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { parse } from 'node:path';
import type { Readable } from 'node:stream';
import { maxStoredOutputBytes } from '../../src-contract/plans/hook.ts';
import type { Clock } from './clock.ts';
import { redact } from './redact.ts';

export interface ProgramCall {
  /** Absolute path. */
  program: string;
  arguments: readonly string[];
  environment: Readonly<Record<string, string>>;
  timeLimitMs: number;
}

/** How the program ended. `failed-to-start` has the code of the system, such as `ENOENT`. */
export type ProgramEnd = (ProgramExit | { kind: 'timed-out' }) & {
  /** The end of the output: standard output first, then standard error. Redacted, without control characters. */
  output: string;
  tookMs: number;
};

/** Time between the signals SIGTERM and SIGKILL to a process group. */
const graceMs = 5_000;
const groupPollMs = 50;
/**
 * How long to wait for more output after the end of the program. Processes that it left running may hold its outputs
 * open for ever.
 */
const drainMs = 500;
/** Additional bytes that are kept, because redaction does not recognise a secret that is cut at the edge. */
const edgeBytes = 1024;

/** Runs a program. If `signal` is aborted, ends the process group and then rejects with the reason. */
export async function runProgram(call: ProgramCall, clock: Clock, signal: AbortSignal): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const startedAt = clock.monotonic();
  const child = start(call);
  if (child === null) return { kind: 'failed-to-start', code: 'invalid', output: '', tookMs: 0 };
  const printed = [new Tail(), new Tail()] as const;
  child.stdout.on('data', (chunk: Buffer) => {
    printed[0].add(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed[1].add(chunk);
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });
  const ended = endOf(child);

  const stopping: { group: Promise<void> | null; isLate: boolean } = { group: null, isLate: false };
  const stop = (): void => {
    stopping.group ??= endGroup(child, ended, clock);
  };
  const cancelTimer = clock.timer(call.timeLimitMs, () => {
    stopping.isLate = true;
    stop();
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    const end = await ended;
    cancelTimer();
    await stopping.group;
    await waitForOutputEnd(closed, clock);
    signal.throwIfAborted();
    return {
      ...(stopping.isLate ? { kind: 'timed-out' } : end),
      output: printed.map((tail) => tail.text()).join(''),
      tookMs: clock.monotonic() - startedAt,
    };
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', stop);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Returns null for a call that no system can start, such as a NUL in a name. */
function start(call: ProgramCall): ChildProcessByStdio<null, Readable, Readable> | null {
  try {
    return spawn(call.program, call.arguments, {
      cwd: parse(call.program).root,
      env: { ...call.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch {
    return null;
  }
}

type ProgramExit =
  | { kind: 'exited'; code: number }
  | { kind: 'killed'; signal: string }
  | { kind: 'failed-to-start'; code: string };

function endOf(child: ChildProcess): Promise<ProgramExit> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      // The same event reports a signal that could not be sent; the program then keeps running.
      if (child.pid === undefined) resolve({ kind: 'failed-to-start', code: error.code ?? error.message });
    });
    child.once('exit', (code, signal) => {
      resolve(code === null ? { kind: 'killed', signal: signal ?? 'unknown' } : { kind: 'exited', code });
    });
  });
}

/** Terminates every process of the group, and after a grace period kills the remaining processes. */
async function endGroup(child: ChildProcess, ended: Promise<unknown>, clock: Clock): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).once(
      'error',
      () => child.kill('SIGKILL'),
    );
    await ended;
    return;
  }
  signalGroup(pid, 'SIGTERM');
  const until = clock.monotonic() + graceMs;
  while (signalGroup(pid, 0)) {
    if (clock.monotonic() >= until) {
      signalGroup(pid, 'SIGKILL');
      return;
    }
    await clock.sleep(groupPollMs);
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function waitForOutputEnd(closed: Promise<void>, clock: Clock): Promise<void> {
  const stopTimer = new AbortController();
  const late = clock.sleep(drainMs, stopTimer.signal).catch(() => undefined);
  await Promise.race([closed, late]);
  stopTimer.abort();
}

// eslint-disable-next-line no-control-regex -- terminal control sequences begin with ESC
const controlSequences = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

/** Keeps only the end of the output, so that a program that prints without end uses little memory. */
class Tail {
  #kept = Buffer.alloc(0);
  #isCut = false;

  add(chunk: Buffer): void {
    const all = Buffer.concat([this.#kept, chunk]);
    const maxBytes = maxStoredOutputBytes + edgeBytes;
    this.#isCut ||= all.length > maxBytes;
    this.#kept = all.subarray(Math.max(0, all.length - maxBytes));
  }

  text(): string {
    const clean = redact(this.#kept.toString('utf8'))
      // Removes colours and other terminal control sequences.
      .replaceAll(controlSequences, '')
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/[^\P{Cc}\n\t]/gu, '');
    // Text before the first space may be the rest of a secret.
    const whole = this.#isCut ? clean.replace(/^\S*\s?/, '') : clean;
    const bytes = Buffer.from(whole);
    if (bytes.length <= maxStoredOutputBytes)
      return whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`;
    const kept = bytes.subarray(bytes.length - maxStoredOutputBytes).toString('utf8');
    return `… ${kept.replace(/^\uFFFD+/, '')}`;
  }
}
