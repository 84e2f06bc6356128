/** @file Predicts when each project of a run starts and is stored, from limits and earlier durations. Pure. */
import type { CallReply } from '../../../src-contract/calls.ts';
import type { Pace } from '../../../src-contract/instances/instance.ts';
import { isoTime } from '../../platform/clock.ts';

const minuteMs = 60_000;
const maxListed = 500;

/**
 * @param projects in the order in which they start.
 * @param durations milliseconds from the request of an export to the stored archive, by path in lower case. A project
 * without a history is expected to take the median.
 * @returns null if no duration is known.
 */
export function forecastOf(
  projects: readonly { project: string }[],
  durations: ReadonlyMap<string, number>,
  pace: Pick<Pace, 'exportsPerMinute'>,
  startsAt: number,
): CallReply<'plan.forecast'>['forecast'] {
  const usual = median([...durations.values()]);
  if (usual === null || projects.length === 0) return null;
  const durationOf = (project: string): number | undefined => durations.get(project.toLowerCase());
  const expected = projects.map(({ project }, index) => {
    const minutes = pace.exportsPerMinute === 0 ? 0 : Math.floor(index / pace.exportsPerMinute);
    const begins = startsAt + minutes * minuteMs;
    return { project, begins, ends: begins + (durationOf(project) ?? usual) };
  });
  return {
    startsAt: isoTime(startsAt),
    endsAt: isoTime(expected.reduce((latest, { ends }) => Math.max(latest, ends), startsAt)),
    known: projects.filter(({ project }) => durationOf(project) !== undefined).length,
    projects: expected
      .slice(0, maxListed)
      .map(({ project, begins, ends }) => ({ project, startsAt: isoTime(begins), endsAt: isoTime(ends) })),
  };
}

function median(values: readonly number[]): number | null {
  const inOrder = values.toSorted((a, b) => a - b);
  return inOrder[Math.floor(inOrder.length / 2)] ?? null;
}
