import { expect, test } from 'vitest';
import {
  formatDate,
  formatDuration,
  formatPercent,
  formatRate,
  formatRelative,
  formatTime,
} from '../../../src-renderer/kit/format.ts';

test('a time is shown in the local zone', () => {
  expect(formatTime('2026-11-20T23:30:00.000Z', 'en-GB')).toBe('21 Nov 2026, 00:30');
});

test('a date without a time is the same day in every time zone', () => {
  expect(formatDate('2026-11-20', 'en-GB')).toBe('20 Nov 2026');
  expect(formatDate('2026-11-20T23:30:00.000Z', 'en-GB')).toBe('21 Nov 2026');
});

const now = Date.UTC(2026, 10, 20, 12);
test.each([
  [0, 'now'],
  [-59_000, 'now'],
  [-60_000, '1 minute ago'],
  [3 * 3_600_000, 'in 3 hours'],
  [-86_400_000, 'yesterday'],
  [86_400_000, 'tomorrow'],
  [-8 * 86_400_000, 'last week'],
  [-400 * 86_400_000, 'last year'],
])('a time %d ms from now is shown as "%s"', (ms, text) => {
  expect(formatRelative(now + ms, now, 'en')).toBe(text);
});

test.each([
  [0, '0 sec'],
  [-5, '0 sec'],
  [40_000, '40 sec'],
  [125_000, '2 min, 5 sec'],
  [7_200_000, '2 hr'],
  [3 * 86_400_000 + 3_600_000, '3 days, 1 hr'],
])('a duration of %d ms is shown as "%s"', (ms, text) => {
  expect(formatDuration(ms, 'en')).toBe(text);
});

test('the last percent is not shown before everything is done', () => {
  expect([0, 0.004, 0.5, 0.9999, 1].map((share) => formatPercent(share, 'en'))).toEqual([
    '0%',
    '0%',
    '50%',
    '99%',
    '100%',
  ]);
});

test('a rate is shown as a size per second', () => {
  expect(formatRate(2_400_000.4)).toBe('2.4 MB/s');
});
