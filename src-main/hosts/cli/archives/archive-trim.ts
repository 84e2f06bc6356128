/** @file `packhorse archive trim`: a minimal archive of chosen records, with the original line of each. */
import { InvalidArgumentError } from 'commander';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { trimToFile } from '../../../services/archives/trimming.ts';
import { resolveUserPath } from '../../../platform/paths.ts';
import { plural } from '../terminal/format.ts';
import { archiveArgument, collectRepeated } from '../terminal/options.ts';
import type { AppCommand } from '../running/app-command.ts';
import { readArchive } from './archive-reference.ts';

interface TrimOptions {
  relation: string[];
  lines?: number[];
  to: string;
}

const maxLines = 100_000;

/** Returns the lines of a list such as `1,5-9`. */
function parseLines(text: string): number[] {
  const lines = text.split(',').flatMap((part) => {
    const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim()) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === '' || to < from) throw new InvalidArgumentError('Give lines such as 1,5-9.');
    if (to - from >= maxLines) throw new InvalidArgumentError(`Give at most ${maxLines} lines.`);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  return [...new Set(lines)];
}

function trimText({ path, relations, sizeBytes, linesPath }: CallReply<'archive.trim'>): string {
  const contents = relations.map(({ relation, records }) => `${plural(records, 'record')} of ${relation}`);
  return `${path} has ${contents.join(', ')} (${formatBytes(sizeBytes)}).\nThe original line of each record: ${linesPath}`;
}

export function archiveTrimCommand(archive: AppCommand): void {
  archive
    .subcommand('trim', 'make a minimal archive of chosen records, which GitLab imports')
    .addArgument(archiveArgument())
    .neededOption('--relation <relation>', 'for example issues; may be repeated', collectRepeated)
    .option('--lines <lines>', 'zero-based, such as 1,5-9; without it all records', parseLines)
    .neededOption('--to <file>', 'the new file; an existing file is never replaced')
    .action(async (reference: string, options: TrimOptions, command: AppCommand) => {
      const { relation, lines = null } = options;
      if (lines !== null && relation.length > 1) {
        command.error("error: option '--lines' needs a single '--relation'", { code: 'packhorse.lines' });
      }
      const relations = [...new Set(relation)].map((name) => ({ relation: name, lines }));
      const to = resolveUserPath(options.to);
      await readArchive(command, reference, {
        readFile: (file, readOptions) => trimToFile(file, relations, to, readOptions),
        readStored: ({ client }) => client.call('archive.trim', { archive: reference, relations, to }),
        text: trimText,
      });
    });
}
