/**
 * @file Runs commands in one long-lived process: loading the product takes five times as long as most commands.
 * Signals, a terminal and the end of a process are tested with `Cli.start`.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { CommandToRun, FromHost } from './command-host-worker.ts';
import { commandLine } from './command-line.ts';
import { compileCacheOf } from './compile-cache.ts';

const worker = join(import.meta.dirname, 'command-host-worker.ts');

let host: Promise<ChildProcess> | null = null;
let isBusy = false;

async function start(): Promise<ChildProcess> {
  const entry = commandLine();
  const child = fork(worker, [join(dirname(entry), 'program.js'), entry], {
    env: { PATH: '/nowhere', NODE_COMPILE_CACHE: compileCacheOf(entry) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  child.unref();
  child.channel?.unref();
  return child;
}

export interface EndedCommand {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of the built command line to its end; null if the process is busy with another one. `onOutput` receives
 * the output as it is written.
 */
export function runInHost(
  command: CommandToRun,
  onOutput: (text: string) => void,
): Promise<EndedCommand> | null {
  if (isBusy) return null;
  isBusy = true;
  return runNow(command, onOutput).finally(() => {
    isBusy = false;
  });
}

async function runNow(command: CommandToRun, onOutput: (text: string) => void): Promise<EndedCommand> {
  host ??= start();
  const child = await host;
  const written = { stdout: '', stderr: '' };
  const ended = Promise.withResolvers<number | null>();
  const onMessage = (message: FromHost): void => {
    if ('code' in message) {
      ended.resolve(message.code);
      return;
    }
    written[message.stream] += message.text;
    onOutput(message.text);
  };
  const onExit = (code: number | null): void => {
    host = null;
    ended.resolve(code);
  };
  child.on('message', onMessage).once('exit', onExit);
  child.ref();
  child.channel?.ref();
  child.send(command);
  try {
    return { code: await ended.promise, ...written };
  } finally {
    child.off('message', onMessage).off('exit', onExit);
    child.channel?.unref();
    child.unref();
  }
}
