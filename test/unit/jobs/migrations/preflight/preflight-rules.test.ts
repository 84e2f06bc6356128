import { expect, test } from 'vitest';
import { presetPaces } from '../../../../../src-contract/instances/instance.ts';
import { findMissingGroups } from '../../../../../src-main/jobs/migrations/preflight/findings.ts';
import { minorsBetween, releaseOf } from '../../../../../src-contract/instances/releases.ts';
import { waveForecasts } from '../../../../../src-main/jobs/migrations/preflight/wave-forecast.ts';

test.each([
  ['18.5.0-ee', '18.5.1', 0],
  ['18.3.2', '18.5.0', 2],
  ['17.11.4', '18.1.0', 2],
  ['16.11.0', '18.0.0', 13],
])('the distance from %s to %s is %i minor releases', (older, newer, expected) => {
  const [from, to] = [releaseOf(older), releaseOf(newer)];
  expect(from !== null && to !== null && minorsBetween(from, to)).toBe(expected);
});

test('a text that is not a version is not parsed as a release', () => {
  expect(releaseOf('nightly')).toBeNull();
  expect(releaseOf(null)).toBeNull();
});

test('missing groups are reported once and outermost first, ignoring case', () => {
  const existing = new Set(['a', 'a/b']);
  const missing = findMissingGroups(['a/b/c/d', 'new/one', 'New/One', 'a/b'], (path) => existing.has(path));
  expect(missing).toEqual(['new', 'new/one', 'a/b/c', 'a/b/c/d']);
});

const minute = 60_000;
const projects = (count: number, wave = 1) =>
  Array.from({ length: count }, (_, at) => ({ sourcePath: `group/p${wave}-${at}`, wave }));
const durations = new Map([['group/before', 30_000]]);
const paces = { source: presetPaces.gitlab, target: presetPaces.gitlab };

test('a wave lasts as long as the limits of both instances require, and the next one begins at its end', () => {
  const forecast = waveForecasts([...projects(13), ...projects(1, 2)], durations, paces, 0);
  // The thirteenth export may start in the third minute; export and import take half a minute each.
  expect(forecast).toEqual([
    {
      wave: 1,
      projects: 13,
      startsAt: '1970-01-01T00:00:00.000Z',
      endsAt: new Date(3 * minute).toISOString(),
    },
    {
      wave: 2,
      projects: 1,
      startsAt: new Date(3 * minute).toISOString(),
      endsAt: new Date(4 * minute).toISOString(),
    },
  ]);
});

test('the import limit of the target decides if it is lower than the export limit of the source', () => {
  const slow = {
    source: { ...presetPaces.gitlab, exportsPerMinute: 0 },
    target: { ...presetPaces.gitlab, importsPerMinute: 1 },
  };
  const [wave] = waveForecasts(projects(5), durations, slow, 0);
  expect(wave?.endsAt).toBe(new Date(4 * minute + 30_000).toISOString());
});

test('nothing is forecast if no export duration is known', () => {
  expect(waveForecasts(projects(2), new Map(), paces, 0)).toEqual([]);
});
