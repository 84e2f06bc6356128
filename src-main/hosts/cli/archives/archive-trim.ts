/** @file `packhorse archive trim`: a minimal archive of chosen records, with the original line of each. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { trimToFile } from '../../../services/archives/trimming.ts';
import { systemClock } from '../../../platform/clock.ts';
import { userPath } from '../../../platform/paths.ts';
import { existingFile } from './archive-reference.ts';
import { plural } from '../terminal/format.ts';
import { archiveArgument, repeated, required } from '../terminal/options.ts';
import { run, runWithApp, showProgress } from '../running/session.ts';
import { exitCodes, type ExitCode, type Terminal } from '../terminal/terminal.ts';

interface TrimOptions {
  relation: string[];
  lines?: number[];
  to: string;
}

const maxLines = 100_000;

/** Returns the lines of a list such as `1,5-9`. */
function linesOf(text: string): number[] {
  const lines = text.split(',').flatMap((part) => {
    const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim()) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === '' || to < from) throw new InvalidArgumentError('Give lines such as 1,5-9.');
    if (to - from >= maxLines) throw new InvalidArgumentError(`Give at most ${maxLines} lines.`);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
  return [...new Set(lines)];
}

function show(terminal: Terminal, trimmed: CallReply<'archive.trim'>): ExitCode {
  terminal.result(trimmed, () => {
    const held = trimmed.relations.map(
      ({ relation, records }) => `${plural(records, 'record')} of ${relation}`,
    );
    return `${trimmed.path} has ${held.join(', ')} (${formatBytes(trimmed.sizeBytes)}).\nWhich line each had: ${trimmed.linesPath}`;
  });
  return exitCodes.done;
}

export function archiveTrimCommand(archive: Command): void {
  archive
    .command('trim')
    .description('make a minimal archive of chosen records, which GitLab imports')
    .addArgument(archiveArgument())
    .addOption(
      required(
        new Option('--relation <relation>', 'for example issues; may be repeated').argParser(repeated),
      ),
    )
    .addOption(
      new Option('--lines <lines>', 'zero-based, such as 1,5-9; without it all records').argParser(linesOf),
    )
    .addOption(required(new Option('--to <file>', 'the file to be made; none is replaced')))
    .action(async (typed: string, options: TrimOptions, command: Command) => {
      const { relation, lines = null } = options;
      if (lines !== null && relation.length > 1) {
        command.error("error: option '--lines' needs a single '--relation'", { code: 'packhorse.lines' });
      }
      const relations = [...new Set(relation)].map((name) => ({ relation: name, lines }));
      const to = userPath(options.to);
      const file = existingFile(typed);
      if (file === null) {
        await runWithApp(command, async ({ terminal, client }) =>
          show(terminal, await client.call('archive.trim', { archive: typed, relations, to })),
        );
      } else {
        await run(command, async (terminal, signal) => {
          const redraw = showProgress({ terminal, clock: systemClock }, 'Reading');
          const onProgress = (done: number, total: number): void => {
            redraw({ step: 'read', unit: 'bytes', done, total });
          };
          const trimmed = await trimToFile(file, relations, to, { signal, onProgress });
          terminal.status(null);
          return show(terminal, trimmed);
        });
      }
    });
}
