/** @file `packhorse sandbox`: the embedded instance, until it is interrupted. */
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveUserPath } from '../../../platform/paths.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { table, joinLines } from '../terminal/format.ts';
import { integerParser } from '../terminal/options.ts';
import { addServerOptions, serverOptions, type ServerOptions } from './sandbox-options.ts';
import type { AppCommand } from './app-command.ts';

interface SandboxOptions extends ServerOptions {
  port?: number;
  seed?: string[];
  projects?: number;
  limits: 'none' | 'gitlab';
  faults?: string;
}

const defaultProjectCount = 7;

async function findArchives(paths: string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths.map((path) => resolveUserPath(path))) {
    const found = await stat(path).catch(() => null);
    if (found === null) {
      throw new AppError('archive-missing', `There is no file or folder ${path}.`, {
        details: { reference: path },
      });
    }
    if (!found.isDirectory()) files.push(path);
    else {
      const names = (await readdir(path)).filter((name) => name.endsWith('.tar.gz')).sort();
      files.push(...names.map((name) => join(path, name)));
    }
  }
  return files;
}

export function sandboxCommand(program: AppCommand): void {
  program
    .subcommand('sandbox', 'run the embedded GitLab-compatible instance until interrupted')
    .portOption()
    .option('--seed <path...>', 'export archives, or folders of them, to seed projects from')
    .option(
      '--projects <count>',
      `number of generated projects to start with (default: ${defaultProjectCount}, or 0 with --seed)`,
      integerParser(0, 100_000),
    )
    .choiceOption(
      '--limits <limits>',
      'rate limits: none, or those of a real server',
      ['none', 'gitlab'],
      'none',
    )
    .option('--faults <file>', 'a JSON list of faults to inject, as docs/sandbox.md describes it')
    .use(addServerOptions)
    .helpNote(
      'It runs until Ctrl-C or SIGTERM, and then ends with exit code 0.' +
        '\nBelow /-/sandbox it returns the received requests with their results, and accepts more faults.',
    )
    .withoutApp(async (terminal, signal, options: SandboxOptions) => {
      const { port = 0, seed, projects, limits, faults, ...server } = options;
      const files = await findArchives(seed ?? []);
      // Loaded only when needed, as by `serve`.
      const { openSandbox, readFaults } = await import('../../../services/sandbox/embedded-sandbox.ts');
      const sandbox = await openSandbox({
        port,
        projectCount: projects ?? (seed === undefined ? defaultProjectCount : 0),
        seedArchives: files,
        limits,
        faults: faults === undefined ? [] : await readFaults(resolveUserPath(faults)),
        ...serverOptions(server),
      }).catch((thrown: unknown) => {
        if (AppError.from(thrown).code !== 'already-exists') throw thrown;
        throw new AppError('invalid-input', `The port ${port} is in use.`);
      });
      for (const { file, error } of sandbox.skippedArchives) {
        terminal.note(`${file} is left out: ${errorText(error.toData()).what}`);
      }
      try {
        const { url } = sandbox;
        const { administrator, maintainer, readOnly, expired } = sandbox.tokens;
        const tokens = { administrator, maintainer, readOnly, expired };
        if (terminal.json) process.stdout.write(`${JSON.stringify({ url, tokens })}\n`);
        else {
          terminal.line(
            joinLines(
              `A stand-in for GitLab listens at ${url}\n`,
              table(['TOKEN OF', 'TOKEN'], Object.entries(tokens)),
              '\nTry, in another terminal:',
              `  export PACKHORSE_TOKEN_PRACTICE=${maintainer}`,
              `  npm run --silent packhorse -- instance add practice ${url} --pace sandbox`,
              '  npm run --silent packhorse -- backup --instance practice --all\n',
              `Requests, state and faults: below ${url}/-/sandbox/ (see docs/sandbox.md)\n`,
              'Stop with Ctrl-C; its data is then deleted.',
            ),
          );
        }
        if (!signal.aborted) await once(signal, 'abort');
      } finally {
        await sandbox.close();
      }
    });
}
