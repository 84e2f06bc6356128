/** @file The call about runs: the list, with how each ended. */
import type { BridgePorts, Handlers } from './ports.ts';

export function runHandlers(ports: Pick<BridgePorts, 'runs'>): Pick<Handlers, 'run.list'> {
  return {
    'run.list': ({ before, limit }) => {
      const found = ports.runs({ before, limit: limit + 1 });
      const page = found.slice(0, limit);
      return Promise.resolve({
        runs: page,
        next: found.length > page.length ? (page.at(-1)?.id ?? null) : null,
      });
    },
  };
}
