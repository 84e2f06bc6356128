/** @file The calls about runs: the list, with how each ended, and how one came beside what was expected. */
import type { BridgePorts, Handlers } from '../ports.ts';

export function runHandlers(
  ports: Pick<BridgePorts, 'runs' | 'plans'>,
): Pick<Handlers, 'run.list' | 'run.forecast'> {
  return {
    'run.list': ({ before, limit }) => {
      const found = ports.runs({ before, limit: limit + 1 });
      const page = found.slice(0, limit);
      return Promise.resolve({
        runs: page,
        next: found.length > page.length ? (page.at(-1)?.id ?? null) : null,
      });
    },
    'run.forecast': ({ runId }) => Promise.resolve({ forecast: ports.plans.runForecast(runId) }),
  };
}
