/** @file Predicts when each wave of a migration will start and end, within the limits of both instances. Pure. */
import type { Pace } from '../../../../src-contract/instances/instance.ts';
import type { WaveForecast } from '../../../../src-contract/migrations/migration.ts';
import { isoTime } from '../../../platform/clock.ts';
import { namespaceOf } from '../../running/rate-limiter.ts';
import { interleaveNamespaces } from '../../exporting/spread.ts';

const minuteMs = 60_000;

/**
 * @param took milliseconds from the request of an export to the stored archive, by path in lower case. A project
 * without a history is expected to take the median, and an import as long as its export.
 * @returns an empty list if no duration is known.
 */
export function waveForecasts(
  projects: readonly { sourcePath: string; wave: number }[],
  took: ReadonlyMap<string, number>,
  paces: { source: Pace; target: Pace },
  startsAt: number,
): WaveForecast[] {
  const inOrder = [...took.values()].sort((a, b) => a - b);
  const usual = inOrder[Math.floor(inOrder.length / 2)];
  if (usual === undefined) return [];
  const waves = Map.groupBy(projects, ({ wave }) => wave);
  let begins = startsAt;
  return [...waves.keys()]
    .sort((a, b) => a - b)
    .map((wave) => {
      const own = waves.get(wave) ?? [];
      const ends = begins + waveMs(own, (path) => took.get(path.toLowerCase()) ?? usual, paces);
      const forecast = { wave, projects: own.length, startsAt: isoTime(begins), endsAt: isoTime(ends) };
      begins = ends;
      return forecast;
    });
}

function waveMs(
  projects: readonly { sourcePath: string }[],
  expected: (path: string) => number,
  { source, target }: { source: Pace; target: Pace },
): number {
  const inTurn = interleaveNamespaces(
    projects.map(({ sourcePath }) => ({ project: sourcePath })),
    source,
  );
  const downloads = new Map<string, number>();
  let latest = 0;
  for (const [at, { project }] of inTurn.entries()) {
    const exported = minutesBefore(at, source.exportsPerMinute) * minuteMs + expected(project);
    const scope = source.downloadScope === 'project' ? project : namespaceOf(project);
    const before = downloads.get(scope) ?? 0;
    downloads.set(scope, before + 1);
    const downloaded = Math.max(exported, minutesBefore(before, source.downloadsPerMinute) * minuteMs);
    const importable = Math.max(downloaded, minutesBefore(at, target.importsPerMinute) * minuteMs);
    latest = Math.max(latest, importable + expected(project));
  }
  return latest;
}

/** Returns for how many minutes the limit delays a project that starts after `others` other projects. */
const minutesBefore = (others: number, perMinute: number): number =>
  perMinute === 0 ? 0 : Math.floor(others / perMinute);
