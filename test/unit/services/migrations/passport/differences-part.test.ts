import { expect, test } from 'vitest';
import type { MissingRecord, Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import { differencesPart } from '../../../../../src-main/services/migrations/passport/differences-part.ts';

const reconciliation = (missing: MissingRecord[]): Reconciliation => ({
  at: '2026-11-20T09:00:00.000Z',
  depth: 'contents',
  reconciled: false,
  rows: [{ relation: 'uploads', source: 5, archive: 5, target: 2, verdict: 'lost-on-import' }],
  missing,
  missingCount: missing.length,
  settings: [{ attribute: 'visibility', expected: 'private', found: 'public', lost: 'on-import' }],
  declared: [],
  notCompared: [],
});
const label = (line: number): MissingRecord => ({
  ...{ relation: 'labels', lost: 'on-export', line, iid: null, title: `<b>${line}`, part: null },
});
const title: MissingRecord = {
  ...{ relation: 'issues', lost: 'on-import', line: 3, iid: 4, title: 'Crash' },
  part: { name: 'title', values: { expected: 'The <old> text', found: 'The new text' } },
};
const notes: MissingRecord = { ...title, part: { name: 'notes', expected: 3, found: 1, missing: ['“Yes”'] } };

const flat = (missing: MissingRecord[]): string =>
  differencesPart(reconciliation(missing)).text.replaceAll(/\s+/g, ' ');
const groups = (page: string): [string, boolean][] =>
  [...page.matchAll(/<details class="group" (open)?> <summary> ([^<]+?) (?:<span|<\/summary)/g)].map(
    ([, open, name = '']) => [name, open !== undefined],
  );

test('a passport shows the differences in groups, with marks around the words that differ', () => {
  const page = flat([label(1), title, notes]);
  expect(groups(page)).toEqual([
    ['Grave differences (1)', true],
    ['Labels (1)', true],
    ['Issues (2)', true],
    ['Uploads (1)', true],
  ]);
  expect(page).toContain('<td>The <del>&lt;old&gt;</del> text</td><td>The <ins>new</ins> text</td>');
  expect(page).toContain('<td>3</td><td>1 (missing: “Yes”)</td>');
  expect(page).toContain('<td>number of uploads</td><td></td><td>5</td><td>2</td>');
  expect(page).toContain('<td>&lt;b&gt;1</td><td></td><td></td><td>missing</td>');
  expect(page).toContain('<del>private</del>');
});

test('if a passport has many differences, only the group of the grave ones is open', () => {
  const page = flat(Array.from({ length: 300 }, (_, line) => label(line)));
  expect(groups(page)).toEqual([
    ['Grave differences (1)', true],
    ['Labels (300)', false],
    ['Uploads (1)', false],
  ]);
  expect(page).toContain('&lt;b&gt;299');
});
