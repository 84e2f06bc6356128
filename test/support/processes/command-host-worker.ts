/**
 * @file A process that runs commands of the built command line one after the other, each with its own arguments,
 * environment, folder and streams. Loading the product takes most of the time of a short command.
 */
import { PassThrough, Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type * as product from '../../../src-main/hosts/cli/program.ts';

export interface CommandToRun {
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  stdin: string;
}

export type FromHost = { stream: 'stdout' | 'stderr'; text: string } | { code: number };

const [, , program = '', entry = ''] = process.argv;
const { runProgram } = (await import(pathToFileURL(program).href)) as typeof product;

const send = (message: FromHost) =>
  new Promise<void>((done) => {
    process.send?.(message, undefined, undefined, () => {
      done();
    });
  });

function replace(name: 'stdin' | 'stdout' | 'stderr', stream: PassThrough | Readable): void {
  Object.defineProperty(process, name, { value: stream, configurable: true });
}

function output(name: 'stdout' | 'stderr'): void {
  const stream = new PassThrough({ encoding: 'utf8' });
  stream.on('data', (text: string) => void send({ stream: name, text }));
  replace(name, stream);
}

async function run({ args, env, cwd, stdin }: CommandToRun): Promise<void> {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, entry, ...args];
  process.exitCode = 0;
  replace('stdin', Readable.from([Buffer.from(stdin)], { objectMode: false }));
  output('stdout');
  output('stderr');
  await runProgram();
  await new Promise(setImmediate);
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  await send({ code: process.exitCode });
}

process.on('message', (command: CommandToRun) => void run(command));
process.on('disconnect', () => process.exit());
await send({ code: 0 });
