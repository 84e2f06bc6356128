import { expect, test } from 'vitest';
import { endlessPauseUntil } from '../../../../src-contract/plans/plan.ts';
import {
  formatDuration,
  formatTime,
  formatTimeIn,
  plural,
  table,
} from '../../../../src-main/hosts/cli/terminal/format.ts';
import { collectRepeated, integerParser } from '../../../../src-main/hosts/cli/terminal/options.ts';
import { AppCommand } from '../../../../src-main/hosts/cli/running/app-command.ts';
import { jobStateText } from '../../../../src-main/hosts/cli/runs/job-words.ts';
import { attentionLine } from '../../../../src-main/hosts/cli/runs/overview.ts';
import { collectByCursor } from '../../../../src-main/hosts/reply-pages.ts';
import { pauseText } from '../../../../src-main/hosts/cli/plans/plan-text.ts';
import { ProgressMeter } from '../../../../src-main/hosts/cli/terminal/progress.ts';
import { recordText, recordViewText } from '../../../../src-main/hosts/cli/archives/record-text.ts';

test.each([
  [-5, '0 s'],
  [59_499, '59 s'],
  [59_500, '1 min 0 s'],
  [3_599_000, '59 min 59 s'],
  [7_500_000, '2 h 5 min'],
])('%i milliseconds are printed as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('the header of a column of times names their time zone, other headers do not', () => {
  const time = formatTime(Date.UTC(2026, 0, 2, 3, 4, 5));
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [head] = table(
    ['WHEN', 'SAID', 'NEVER'],
    [
      [time, `at ${time}`, null],
      [null, 'x', null],
    ],
  ).split('\n');
  expect(head?.split(/ {2,}/)).toEqual([`WHEN (${zone})`, 'SAID', 'NEVER']);
});

test('times are printed in local time, or in a given time zone and in local time', () => {
  expect(formatTime('2026-01-02T03:04:05.678Z')).toBe('2026-01-02 04:04:05');
  expect(formatTimeIn('2026-01-02T03:04:05.678Z', 'Europe/Berlin')).toBe('2026-01-02 04:04:05 Europe/Berlin');
  expect(formatTimeIn('2026-01-02T03:04:05.678Z', 'Asia/Tokyo')).toBe(
    '2026-01-02 12:04:05 Asia/Tokyo (here 2026-01-02 04:04:05)',
  );
});

test('a table aligns numbers right and text left, and prints an unknown value as a dash', () => {
  const shown = table(
    ['NAME', 'COUNT', 'STATE'],
    [
      ['a', 5, 'good'],
      ['longer', null, 'b\nad'],
      ['c', 100, ''],
    ],
  );
  expect(shown.split('\n')).toEqual([
    'NAME    COUNT  STATE',
    'a           5  good',
    'longer      –  b\uFFFDad',
    'c         100',
  ]);
});

test('the number one has the singular, every other number the plural', () => {
  expect([plural(1, 'entry', 'entries'), plural(0, 'job'), plural(2, 'job')]).toEqual([
    '1 entry',
    '0 jobs',
    '2 jobs',
  ]);
});

test('progress is printed with its share, and with its rate and time left if they can be measured', () => {
  const meter = new ProgressMeter();
  const at = (done: number, now: number) =>
    meter.formatLine({ step: 'store', unit: 'bytes', done, total: 10_000_000 }, now);
  expect(at(0, 1000)).toBe('[················] 0 B of 10 MB');
  expect(at(5_000_000, 6000)).toBe('[████████········] 5 MB of 10 MB, 1 MB/s, 5 s left');
  // A finished step has no rate and no time left.
  expect(at(10_000_000, 11_000)).toBe('[████████████████] 10 MB of 10 MB');
  expect(meter.formatLine({ step: 'list', unit: 'records', done: 3, total: null }, 12_000)).toBe('3');
});

test('an option with a whole number is checked against its limits', () => {
  const parse = integerParser(1, 500);
  expect([parse('1'), parse('500')]).toEqual([1, 500]);
  for (const text of ['0', '501', '-1', '1.5', '1e2', '', ' 5', '99999999999']) {
    expect(() => parse(text), text).toThrow('whole number from 1 to 500');
  }
  expect(new AppCommand().limitOption(50).opts()).toEqual({ limit: 50 });
});

test('the values of a repeated option keep their order', () => {
  expect(collectRepeated('b', collectRepeated('a', undefined))).toEqual(['a', 'b']);
});

test('pages are requested until there are enough entries, and the cursor of the remaining ones is returned', async () => {
  const all = Array.from({ length: 1200 }, (_, index) => index);
  const requestedLimits: number[] = [];
  const fetchPage = (limit: number, from: string | null) => {
    requestedLimits.push(limit);
    const start = Number(from ?? 0);
    const next = start + limit < all.length ? String(start + limit) : null;
    return Promise.resolve({ entries: all.slice(start, start + limit), next });
  };
  expect(await collectByCursor(Infinity, 'entries', fetchPage)).toEqual({ entries: all, next: null });
  expect(await collectByCursor(600, 'entries', fetchPage)).toEqual({
    entries: all.slice(0, 600),
    next: '600',
  });
  expect(requestedLimits).toEqual([500, 500, 500, 500, 100]);
});

test('a record is printed field by field, with nested lists as counts and long texts shortened', () => {
  const value = { title: null, notes: [1], text: 'x'.repeat(500), '\u001b': { a: 1 } };
  const shown = recordText({ relation: 'issues', line: 4, text: '', truncated: false, value });
  const [place, ...fields] = shown.split('\n');
  expect(place).toBe('issues, line 4 (line 5 in an editor)');
  expect(fields.slice(0, 2)).toEqual(['  title  null', '  notes  (1 entry)']);
  expect(fields[2]).toMatch(/^ {2}text {3}"x{199}…$/);
  expect(fields[3]).toBe('  \uFFFD      {"a":1}');
});

test('a record view prints each field once, and names the option that prints the whole record', () => {
  const value = { title: 'First', notes: [{ note: 'Said', system: false }], iid: 7 };
  const view = { relation: 'issues', line: 4, text: '', truncated: false, value };
  const around = { previous: null, next: null, suspicions: [], notLookedFor: [], url: null };
  const shown = recordViewText({ ...view, ...around });
  expect(shown.match(/First/g)).toHaveLength(1);
  expect(shown).toContain('(1 note and 0 system notes)');
  expect(shown).toContain('--json prints the whole record');
});

test('a line that is not JSON is printed as it is', () => {
  const shown = recordText({ relation: 'issues', line: 0, text: '{cut', truncated: true, value: null });
  expect(shown).toBe('issues, line 0 (line 1 in an editor)\n  {cut…');
});

test.each([
  ['export', '2 backups'],
  ['import', '2 imports'],
  ['change', '2 changes'],
  ['relation-import', '2 relation imports'],
  ['token', '2 token changes'],
] as const)('failed jobs of the kind %s are called %s', (jobKind, label) => {
  const error = { code: 'internal', message: '', retry: 'never', details: {} } as const;
  const about = { kind: 'jobs-failed', jobKind, instance: 'work', error, total: 2, jobs: [] } as const;
  expect(attentionLine({ ...about, jobs: [] })).toContain(`${label} of work failed.`);
});

test('a project that is no longer backed up is named with its instance, because two projects may have the same path', () => {
  const leftScope = {
    kind: 'left-scope',
    instance: 'work',
    project: 'group/app',
    projectId: 1,
    reason: 'deleted',
    detail: null,
    archives: 1,
    plan: 'nightly',
    leftAt: '2026-11-20T12:00:00.000Z',
  } as const;
  expect(attentionLine(leftScope)).toMatch(/^work: group\/app is no longer backed up\. /);
});

test('the state of a job is printed with its reason', () => {
  const waiting = { status: 'waiting', reason: 'network', until: 0, text: '' } as const;
  expect(jobStateText({ status: 'succeeded', warnings: [] })).toBe('done');
  expect(jobStateText(waiting)).toBe('waiting: Waiting for the network');
  expect(jobStateText({ ...waiting, text: 'Asked again.' })).toBe('waiting: Asked again.');
  expect(jobStateText({ status: 'cancelled', by: 'the window' })).toBe('cancelled by the window');
});

test('a pause is printed with its end, or as lasting until it is resumed', () => {
  expect(pauseText('2026-12-24T00:00:00.000Z')).toMatch(/^2026-12-24 0[01]:00:00$/);
  expect(pauseText(endlessPauseUntil)).toBe('it is resumed');
});
