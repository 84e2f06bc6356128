/** @file `packhorse sandbox`: the embedded instance, until it is interrupted. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { userPath } from '../../platform/paths.ts';
import { AppError } from '../../../src-preload/contract/errors.ts';
import { openSandbox } from '../../app/embedded-sandbox.ts';
import { table } from './format.ts';
import { run, type GlobalOptions } from './session.ts';
import { exitCodes } from './terminal.ts';

interface SandboxOptions extends GlobalOptions {
  port: string;
  seed: string[];
  projects?: string;
  limits: string;
}

function count(text: string, option: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new AppError('invalid-input', `${option} takes a whole number from 0 to ${most}.`);
  }
  return value;
}

/** Archives named one by one, or all of a folder. */
async function archivesIn(typed: string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of typed.map((path) => userPath(path))) {
    const found = await stat(path).catch(() => null);
    if (found === null) throw new AppError('archive-missing', `There is no file or folder ${path}.`);
    if (!found.isDirectory()) files.push(path);
    else {
      const names = (await readdir(path)).filter((name) => name.endsWith('.tar.gz')).sort();
      files.push(...names.map((name) => join(path, name)));
    }
  }
  return files;
}

export function sandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description('run the embedded GitLab-compatible instance until interrupted')
    .option('--port <number>', 'port on 127.0.0.1 (default: any free one)', '0')
    .option('--seed <path...>', 'export archives, or folders of them, to begin with', [])
    .option('--projects <count>', 'how many made-up projects to begin with (default: 7, or 0 with --seed)')
    .option('--limits <limits>', 'none, or gitlab for the rate limits of a real server', 'none')
    .action(async (options: SandboxOptions, command: Command) => {
      await run(command, async (terminal, signal) => {
        if (options.limits !== 'none' && options.limits !== 'gitlab') {
          throw new AppError('invalid-input', '--limits is "none" or "gitlab".');
        }
        const files = await archivesIn(options.seed);
        const projects = options.projects ?? (files.length > 0 ? '0' : '7');
        const sandbox = await openSandbox({
          port: count(options.port, '--port', 65_535),
          projects: count(projects, '--projects', 100_000),
          files,
          limits: options.limits,
        });
        try {
          const { url } = sandbox;
          const { administrator, maintainer, readOnly, expired } = sandbox.tokens;
          const tokens = { administrator, maintainer, readOnly, expired };
          if (terminal.json) process.stdout.write(`${JSON.stringify({ url, tokens })}\n`);
          else {
            terminal.line(`A stand-in for GitLab listens at ${url}\n`);
            terminal.line(table(['TOKEN OF', 'TOKEN'], Object.entries(tokens)));
            terminal.line(
              `\nTry:  echo ${maintainer} | npm run --silent packhorse -- instance add practice ${url} --pace sandbox --token-stdin`,
            );
            terminal.line('Stop with Ctrl-C; nothing of it is kept.');
          }
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => {
              resolve();
            });
          });
        } finally {
          await sandbox.close();
        }
        return exitCodes.done;
      });
    });
}
