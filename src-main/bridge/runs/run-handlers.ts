/** @file Calls about runs: list them with their results, compare one with its forecast, and cancel one. */
import type { Handlers } from '../handler.ts';
import { readPage } from '../replies.ts';
import type { Services } from '../../services/services.ts';

export function runHandlers({ runs, plans, jobs }: Services) {
  return {
    'run.list': async ({ before, limit: requestedLimit }) => {
      const { page, next } = await readPage(requestedLimit, (limit) => runs.list({ before, limit }));
      return { runs: page, next };
    },
    'run.forecast': ({ runId }) => ({ forecast: plans.forecastOfRun(runId) }),
    'run.cancel': ({ run, by }) => jobs.cancelRun(run, by),
  } satisfies Partial<Handlers>;
}
