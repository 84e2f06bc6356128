/** @file Calls about plans: list with their next and last run, save, remove. */
import type { BridgePorts, Handlers } from './ports.ts';

type PlanCalls = Extract<keyof Handlers, `plan.${string}`>;

export function planHandlers(ports: Pick<BridgePorts, 'plans'>): Pick<Handlers, PlanCalls> {
  return {
    'plan.list': () => Promise.resolve({ plans: ports.plans.list() }),
    'plan.save': (request) => ports.plans.save(request),
    'plan.remove': async ({ id }) => {
      await ports.plans.remove(id);
      return {};
    },
  };
}
