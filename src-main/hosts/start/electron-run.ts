/** @file Runs Electron as a child process until it ends. If it ends before showing a window, returns the reason. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '../../platform/clock.ts';

/** A process that lives longer than this has shown its window. */
const startMs = 15_000;
const maxErrorChars = 20_000;

/** `code` is the exit code; `reason` is a sentence without its full stop. */
export type ElectronOutcome = { shown: true; code: number } | { shown: false; reason: string };

/** Runs the program. Aborting the signal requests its end. Its error output is also written to `stderr`. */
export async function runElectron(
  program: string,
  args: readonly string[],
  options: { clock: Clock; signal: AbortSignal; env: NodeJS.ProcessEnv; stderr: NodeJS.WritableStream },
): Promise<ElectronOutcome> {
  const { clock, signal, stderr } = options;
  // Editors built on Electron set this variable in their terminals, and then no window ever opens.
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = options.env;
  const startedAt = clock.monotonic();
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'pipe'], env });
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (errorOutput.length < maxErrorChars) errorOutput += text;
    stderr.write(text);
  });
  const end = (): void => {
    child.kill('SIGTERM');
  };
  signal.addEventListener('abort', end, { once: true });
  const closed = once(child, 'close') as Promise<[code: number | null, killedBy: NodeJS.Signals | null]>;
  const [code, killedBy, error] = await closed.then(
    ([code, killedBy]) => [code, killedBy, null] as const,
    (error: unknown) => [null, null, error as Error] as const,
  );
  signal.removeEventListener('abort', end);
  const isEarlyEnd = clock.monotonic() - startedAt < startMs;
  if (code === 0 || signal.aborted) return { shown: true, code: code ?? 0 };
  if (error !== null) return { shown: false, reason: `Electron cannot be run (${error.message})` };
  if (!isEarlyEnd) return { shown: true, code: code ?? 1 };
  return {
    shown: false,
    reason: findReason(errorOutput) ?? `Electron ended at once (${killedBy ?? `exit code ${code}`})`,
  };
}

function findReason(errorOutput: string): string | null {
  const [, library] = /error while loading shared libraries: ([^:\s]+)/.exec(errorOutput) ?? [];
  if (library !== undefined) return `Electron needs a library that this system lacks (${library})`;
  if (/SUID sandbox helper/.test(errorOutput)) {
    return 'Electron found no way to set up its sandbox here (see "chrome-sandbox" above), and Packhorse does not run it without one';
  }
  if (/Running as root/.test(errorOutput))
    return 'Electron runs for root only without its sandbox, and Packhorse does not run it without a sandbox';
  if (/Missing X server|cannot open display/i.test(errorOutput))
    return 'Electron could not reach the display';
  return null;
}
