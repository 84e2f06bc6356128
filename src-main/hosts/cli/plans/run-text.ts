/** @file A run of a plan compared with its forecast, in a sentence. */
import type { RunForecast } from '../../../../src-contract/runs/run.ts';
import { formatDuration } from '../terminal/format.ts';

/** A shorter run is not compared with its forecast. */
const minComparedMs = 60_000;
/** A forecast counts as correct if it is off by at most this fraction of the forecast duration, or by a second. */
const maxDeviation = 0.05;

/** Returns null without a forecast, while the run is in progress, and for a run of less than a minute. */
export function forecastComparisonText(forecast: RunForecast | null): string | null {
  if (forecast === null || forecast.came === null) return null;
  const { startsAt, endsAt, came } = forecast;
  const expectedMs = Date.parse(endsAt) - Date.parse(startsAt);
  const tookMs = Date.parse(came.endedAt) - Date.parse(startsAt);
  if (tookMs < minComparedMs) return null;
  const differenceMs = tookMs - expectedMs;
  const difference = formatDuration(Math.abs(differenceMs));
  const isAccurate = Math.abs(differenceMs) <= Math.max(1000, maxDeviation * expectedMs);
  const comparison = isAccurate
    ? 'as forecast'
    : `${difference} ${differenceMs > 0 ? 'longer' : 'shorter'} than forecast`;
  const furthest = came.furthestOff
    .map(({ project, ...one }) => ({
      project,
      expected: formatDuration(one.expectedMs),
      took: formatDuration(one.tookMs),
    }))
    .find(({ expected, took }) => expected !== took);
  const project =
    furthest === undefined
      ? ''
      : `; largest difference: ${furthest.project} ${furthest.took} instead of ${furthest.expected}`;
  return `Took ${formatDuration(tookMs)}, ${comparison}${project}.`;
}
