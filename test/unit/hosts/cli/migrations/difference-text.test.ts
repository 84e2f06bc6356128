import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Difference } from '../../../../../src-contract/migrations/difference.ts';
import type { DifferenceFilter } from '../../../../../src-contract/migrations/difference-filter.ts';
import type { MissingRecord, Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import { differencesText, lossesText } from '../../../../../src-main/hosts/cli/migrations/difference-text.ts';
import { Terminal } from '../../../../../src-main/hosts/cli/terminal/terminal.ts';
import {
  assessDifferences,
  differenceIdOf,
} from '../../../../../src-main/jobs/migrations/comparing/differences.ts';

const issue = (iid: number, name: string, expected: string, found: string): MissingRecord => ({
  ...{ relation: 'issues', lost: 'on-import', line: iid, iid, title: 'Crash' },
  part: { name, values: { expected, found } },
});
const reconciliation: Reconciliation = {
  at: '2026-11-20T09:00:00.000Z',
  depth: 'contents',
  reconciled: false,
  rows: [{ relation: 'uploads', source: 5, archive: 5, target: 2, verdict: 'lost-on-import' }],
  missing: [
    issue(4, 'description', 'The old text of it', 'The new text of it'),
    { relation: 'labels', lost: 'on-export', line: null, iid: null, title: 'bug', part: null },
    issue(4, 'confidential', 'true', 'false'),
  ],
  missingCount: 3,
  settings: [{ attribute: 'topics', expected: 'a, b', found: 'a', lost: 'on-import' }],
  declared: [],
  notCompared: [],
};
const differences = assessDifferences(reconciliation, [], []).map((difference): Difference => ({
  ...difference,
  ref: differenceIdOf('m', 7, difference),
  accepted: null,
}));
const text = (filter: DifferenceFilter = {}, limit = 50): string =>
  differencesText(reconciliation, differences, { filter, limit })
    .join('\n')
    .replaceAll(/7-[0-9a-f]{10}/g, 'REF');

test('differences are printed in groups, grave ones first, with signs around the words that differ', () => {
  expect(text()).toBe(`
Missing or changed:
A difference is grave if people can see or do more on the target than on the source.
[-Words-] were expected, and {+words+} were found instead.

Grave differences (1)
  REF  GRAVE: issues line 4: #4 Crash, confidential: [-true-]{+false+} (lost on import)

Issues (1)
  REF  issues line 4: #4 Crash, description: The [-old-]{+new+} text of it (lost on import)

Labels (1)
  REF  labels: bug (lost on export)

Uploads (1)
  REF  uploads: 3 fewer (lost on import)

Settings (1)
  REF  the setting topics: a[-, b-] (lost on import)
Accept the differences that may remain: packhorse migration accept REF... --note WHY`);
});

test.each<[DifferenceFilter, string[]]>([
  [{ kind: 'number' }, ['uploads']],
  [{ kind: 'setting' }, ['the setting topics']],
  [{ kind: 'part' }, ['GRAVE', 'issues line 4']],
  [{ lost: 'on-export' }, ['labels']],
  [{ isGrave: true }, ['GRAVE']],
  [{ relation: 'issues', lost: 'on-export' }, []],
])(
  'with the conditions %j only the differences %j are printed, and their share is named',
  (filter, shown) => {
    const printed = text(filter);
    expect([...printed.matchAll(/^ {2}REF {2}([^:]+):/gm)].map(([, name]) => name)).toEqual(shown);
    expect(printed).toContain(`Missing or changed, ${shown.length} of 5 differences:`);
  },
);

test('a list of more differences than the limit ends with the number of the others', () => {
  const printed = text({}, 2);
  expect(printed.match(/^ {2}REF/gm)).toHaveLength(2);
  expect(printed).toMatch(/\n {2}and 3 more\n/);
});

test('differences of an import without a migration have no refs', () => {
  const unnamed = { ...reconciliation, missingCount: 5 };
  expect(lossesText(unnamed).join('\n')).toMatch(
    /Labels \(1\)\n {2}labels: bug \(lost on export\)\n[^]*\n {2}2 more records, or parts of records$/,
  );
  expect(lossesText({ ...unnamed, missing: [], settings: [], missingCount: 2 })).toEqual([
    ...['', 'Missing or changed:', '  2 more records, or parts of records'],
  ]);
});

test('the marks have colours on a terminal only, and a text of a server cannot send colours', () => {
  vi.stubEnv('FORCE_COLOR', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const print = (isTTY: boolean): string => {
    const stdout = Object.assign(new PassThrough(), { isTTY });
    const terminal = new Terminal({ json: false, quiet: false, stdout, stderr: new PassThrough() });
    terminal.result({}, () => 'The [-old\u001B[31m-]{+new+} text', { hasMarks: true });
    return String(stdout.read());
  };
  expect(print(false)).toBe('The [-old\uFFFD[31m-]{+new+} text\n');
  expect(print(true)).toBe('The \u001B[31m[-old\uFFFD[31m-]\u001B[39m\u001B[32m{+new+}\u001B[39m text\n');
});
