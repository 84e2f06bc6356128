/** @file Calls about plans: list with their next and last run, save, remove. */
import { knownInstance } from './instance-handlers.ts';
import { withoutAccount } from './may-write.ts';
import type { BridgePorts, Handlers } from './ports.ts';

type PlanCalls = Extract<keyof Handlers, `plan.${string}`>;

export function planHandlers(ports: BridgePorts): Pick<Handlers, PlanCalls> {
  return {
    'plan.list': () => Promise.resolve({ plans: ports.plans.list() }),
    'plan.save': async (request) => {
      const { anonymous } = await knownInstance(ports, request.instance);
      if (anonymous) throw withoutAccount(request.instance);
      return ports.plans.save(request);
    },
    'plan.remove': async ({ id }) => {
      await ports.plans.remove(id);
      return {};
    },
  };
}
