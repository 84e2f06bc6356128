/** @file Predicts when each wave of a migration will start and end, within the limits of both instances. Pure. */
import type { Pace } from '../../../../src-contract/instances/instance.ts';
import type { WaveForecast } from '../../../../src-contract/migrations/migration.ts';
import { isoTime } from '../../../platform/clock.ts';
import { namespaceOf } from '../../running/rate-limiter.ts';
import { interleaveNamespaces } from '../../exporting/spread.ts';

const minuteMs = 60_000;

/**
 * @param durations milliseconds from an export request to the stored archive, by path in lower case. A project
 * without a history is expected to take the median, and an import as long as its export.
 * @returns an empty list if no duration is known.
 */
export function waveForecasts(
  projects: readonly { sourcePath: string; wave: number }[],
  durations: ReadonlyMap<string, number>,
  paces: { source: Pace; target: Pace },
  startsAt: number,
): WaveForecast[] {
  const sorted = [...durations.values()].sort((a, b) => a - b);
  const medianMs = sorted[Math.floor(sorted.length / 2)];
  if (medianMs === undefined) return [];
  const waves = Map.groupBy(projects, ({ wave }) => wave);
  let startMs = startsAt;
  return [...waves.keys()]
    .sort((a, b) => a - b)
    .map((wave) => {
      const waveProjects = waves.get(wave) ?? [];
      const endMs =
        startMs + waveMs(waveProjects, (path) => durations.get(path.toLowerCase()) ?? medianMs, paces);
      const forecast = {
        wave,
        projects: waveProjects.length,
        startsAt: isoTime(startMs),
        endsAt: isoTime(endMs),
      };
      startMs = endMs;
      return forecast;
    });
}

function waveMs(
  projects: readonly { sourcePath: string }[],
  expectedMs: (path: string) => number,
  { source, target }: { source: Pace; target: Pace },
): number {
  const interleaved = interleaveNamespaces(
    projects.map(({ sourcePath }) => ({ project: sourcePath })),
    source,
  );
  const downloads = new Map<string, number>();
  let latest = 0;
  for (const [index, { project }] of interleaved.entries()) {
    const exportedAt = delayMinutes(index, source.exportsPerMinute) * minuteMs + expectedMs(project);
    const scope = source.downloadScope === 'project' ? project : namespaceOf(project);
    const earlierDownloads = downloads.get(scope) ?? 0;
    downloads.set(scope, earlierDownloads + 1);
    const downloadedAt = Math.max(
      exportedAt,
      delayMinutes(earlierDownloads, source.downloadsPerMinute) * minuteMs,
    );
    const importableAt = Math.max(downloadedAt, delayMinutes(index, target.importsPerMinute) * minuteMs);
    latest = Math.max(latest, importableAt + expectedMs(project));
  }
  return latest;
}

/** Returns for how many minutes the limit delays a project that starts after `others` other projects. */
const delayMinutes = (others: number, perMinute: number): number =>
  perMinute === 0 ? 0 : Math.floor(others / perMinute);
