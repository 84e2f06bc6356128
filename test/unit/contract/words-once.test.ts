/** @file A state has one name: tables of words over the states of the contract exist in `src-contract/words` only. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const states =
  'ArchiveCondition|Comparison\\[.verdict.\\]|ChangeKind|JobKind|JobStatus|MigratingState|Migration\\[.status.\\]|RetentionReason|RunOutcome|Scope|BackupStatus|WaitReason';
/** Matches a table of strings, or of objects that contain strings. */
const table = new RegExp(String.raw`Record<(?:${states}),\s*(?:string|StateText|\{\s*(?:text|word|one)\b)`);

const wordTables = (files: Record<string, string>): string[] =>
  Object.entries(files).flatMap(([name, source]) => (table.test(source) ? [name] : []));

test('only files in src-contract/words have a table of words for a state', () => {
  const files = globSync('src-*/**/*.{ts,svelte}', { cwd: root }).filter(
    (file) => !file.startsWith('src-contract/words/'),
  );
  const sources = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
  expect(files.length).toBeGreaterThan(900);
  expect(wordTables(Object.fromEntries(sources))).toEqual([]);
});

test.each([
  'const words: Record<RunOutcome, string> = {',
  '} satisfies Record<BackupStatus, { text: string }>;',
  '} satisfies Record<JobKind, string>,',
  "const words: Record<Comparison['verdict'], string> = {",
])('%s is found as a table of words', (line) => {
  expect(wordTables({ planted: line })).toEqual(['planted']);
});
