/**
 * @file The relations and fields that `docs/what-is-compared.md` says are compared at each depth, read from its tables. Uses
 * nothing of the code that compares.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChosenDepth, ReachedRelation } from '../../../src-contract/transfers/import.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/what-is-compared.md'), 'utf8');

/** Returns the cells of each row of the table with these first titles. */
function rowsOf(...titles: string[]): string[][] {
  const lines = page.split('\n');
  const cellsOf = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const first = lines.findIndex((line) => titles.every((title, index) => cellsOf(line)[index] === title));
  if (first < 0)
    throw new Error(`docs/what-is-compared.md has no table with the columns ${titles.join(', ')}.`);
  const end = lines.indexOf('', first);
  return lines.slice(first + 2, end).map(cellsOf);
}

const codesIn = (text = ''): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const ownFields = new Map(
  rowsOf('Records', 'Fields').map(([name = '', fields]) => [name.replaceAll('`', ''), codesIn(fields)]),
);

const words: Readonly<Record<string, ReachedRelation['target']>> = {
  ...{ '–': 'none', number: 'counts', key: 'keys', fields: 'contents' },
};
const depthOf = (word = ''): ReachedRelation['target'] => {
  const depth = words[word];
  if (depth === undefined) throw new Error(`docs/what-is-compared.md has no depth “${word}”.`);
  return depth;
};

/** Returns the fields of a cell such as “fields without `approvals.*`”. */
function leftOutOf(text: string, fields: readonly string[]): string[] {
  const patterns = codesIn(text.split(' without ')[1]);
  return fields.filter((field) =>
    patterns.some((name) => (name.endsWith('.*') ? field.startsWith(name.slice(0, -1)) : field === name)),
  );
}

/** Returns the table of the page minus what a comparison of this depth compares, if it can read everything. */
export function documentedRelations(depth: ChosenDepth): ReachedRelation[] {
  const column = { counts: 1, keys: 2, contents: 3 }[depth];
  return rowsOf('Relation', '`counts`').map((cells) => {
    const [relation = ''] = codesIn(cells[0]);
    const fields = [...(ownFields.get(relation) ?? []), ...codesIn(cells[4])];
    const cell = cells[column] ?? '';
    const [, target, source = target] =
      /^(\S+?)(?:, with the source: (\S+))?(?: without .*)?$/.exec(cell) ?? [];
    const depths = { source: depthOf(source), target: depthOf(target) };
    const isCompared = depths.source === 'contents' && depths.target === 'contents';
    return { relation, ...depths, fields: isCompared ? leftOutOf(cell, fields) : fields };
  });
}
