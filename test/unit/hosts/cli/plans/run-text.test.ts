import { expect, test } from 'vitest';
import { forecastComparisonText } from '../../../../../src-main/hosts/cli/plans/run-text.ts';
import type { RunForecast } from '../../../../../src-contract/runs/run.ts';

const minutes = (count: number): string => new Date(Date.UTC(2026, 10, 21, 2, count)).toISOString();

const forecastOf = (
  endedAfter: number,
  furthestOff: { project: string; expectedMs: number; tookMs: number }[] = [],
): RunForecast => ({
  startsAt: minutes(0),
  endsAt: minutes(36),
  count: 200,
  known: 180,
  came: { endedAt: minutes(endedAfter), furthestOff },
});
const slow = { project: 'group/app', expectedMs: 240_000, tookMs: 720_000 };

test.each([
  [
    forecastOf(42, [slow]),
    'Took 42 min 0 s, 6 min 0 s longer than forecast; largest difference: group/app 12 min 0 s instead of 4 min 0 s.',
  ],
  [forecastOf(30), 'Took 30 min 0 s, 6 min 0 s shorter than forecast.'],
  [forecastOf(37), 'Took 37 min 0 s, as forecast.'],
  [forecastOf(36, [{ ...slow, tookMs: 240_100 }]), 'Took 36 min 0 s, as forecast.'],
])('a run is compared with its forecast in one sentence: %#', (forecast, text) => {
  expect(forecastComparisonText(forecast)).toBe(text);
});

test('no comparison is printed for a run without a forecast, a run that has not ended, and a run shorter than a minute', () => {
  expect(forecastComparisonText(null)).toBeNull();
  expect(forecastComparisonText({ ...forecastOf(1), came: null })).toBeNull();
  const short = forecastOf(0.9, [{ ...slow, expectedMs: 3_000, tookMs: 0 }]);
  expect(forecastComparisonText(short)).toBeNull();
});
