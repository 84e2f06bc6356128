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
])('from %s to %s there are %i minor releases', (older, newer, wanted) => {
  const [from, to] = [releaseOf(older), releaseOf(newer)];
  expect(from !== null && to !== null && minorsBetween(from, to)).toBe(wanted);
});

test('what is no version compares with nothing', () => {
  expect(releaseOf('nightly')).toBeNull();
  expect(releaseOf(null)).toBeNull();
});

test('missing groups are reported outermost first and once, whatever the case of their letters', () => {
  const there = new Set(['a', 'a/b']);
  const missing = findMissingGroups(['a/b/c/d', 'new/one', 'New/One', 'a/b'], (path) => there.has(path));
  expect(missing).toEqual(['new', 'new/one', 'a/b/c', 'a/b/c/d']);
});

const minute = 60_000;
const projects = (count: number, wave = 1) =>
  Array.from({ length: count }, (_, at) => ({ sourcePath: `group/p${wave}-${at}`, wave }));
const took = new Map([['group/before', 30_000]]);
const paces = { source: presetPaces.gitlab, target: presetPaces.gitlab };

test('a wave takes what the limits of both instances leave, and the next begins when it has ended', () => {
  const forecast = waveForecasts([...projects(13), ...projects(1, 2)], took, paces, 0);
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

test('a target that takes fewer imports than the source makes exports decides', () => {
  const slow = {
    source: { ...presetPaces.gitlab, exportsPerMinute: 0 },
    target: { ...presetPaces.gitlab, importsPerMinute: 1 },
  };
  const [wave] = waveForecasts(projects(5), took, slow, 0);
  expect(wave?.endsAt).toBe(new Date(4 * minute + 30_000).toISOString());
});

test('nothing is forecast where no export is known', () => {
  expect(waveForecasts(projects(2), new Map(), paces, 0)).toEqual([]);
});
