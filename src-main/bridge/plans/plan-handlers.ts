/** @file Calls about plans: read their status, save, remove, run and pause them, and preview their effects. */
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { noHooks } from '../../../src-contract/plans/hook.ts';
import { signInNeededError } from '../../services/instances/instance-checks.ts';
import { hooksRefusedError } from '../archives/path-gate.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { waitProgress } from '../transfers/backup-handlers.ts';

/** Maximum number of included projects, and of excluded projects, that a preview names. */
const maxNamedMatches = 500;

export function planHandlers(services: Services) {
  const { plans } = services;
  /**
   * Throws if the page may not choose hooks and sends other hooks than the stored ones, or if a program is not a full
   * path.
   */
  const checkHooks = ({ id, hooks }: ParsedRequest<'plan.save'>, mayChoose: boolean): void => {
    if (hooks === undefined) return;
    const storedHooks = plans.list().find(({ plan }) => plan.id === id)?.plan.hooks ?? noHooks;
    if (!mayChoose && !isDeepStrictEqual(hooks, storedHooks)) throw hooksRefusedError();
    for (const hook of [hooks.before, hooks.after]) {
      if (hook !== null && !isAbsolute(hook.program)) {
        throw new AppError('invalid-input', `Give the full path of the program "${hook.program}".`, {
          details: { parameter: 'program' },
        });
      }
    }
  };
  return {
    'plan.list': () => ({ plans: plans.list() }),
    'plan.save': async (request, { grants }) => {
      checkHooks(request, grants.mayChooseHooks);
      const { anonymous } = services.instances.get(request.instance);
      if (anonymous) throw signInNeededError(request.instance);
      return services.planChanges.save(request);
    },
    'plan.remove': async ({ id }) => {
      await services.planChanges.remove(id);
      return {};
    },
    'plan.run': (request, context) =>
      services.planRuns.run(request, context.signal, (text) => {
        context.progress(waitProgress(text));
      }),
    'plan.cancelBeginning': ({ id, by }) => services.planRuns.cancelBeginning(id, by),
    'plan.pause': async ({ id, until }) => ({ plans: await services.planChanges.pause(id, until) }),
    'plan.skipNext': ({ id, skip }) => services.planChanges.skipNext(id, skip),
    'plan.dueTimes': ({ schedule, count }) => plans.dueTimes(schedule, count),
    'plan.matches': async (request, { signal }) => {
      const instance = services.instances.get(request.instance);
      if (instance.anonymous) throw signInNeededError(request.instance);
      const preview = await services.scopeSurveys.preview(instance, request.selection, signal);
      const { chosen, skipped, covers, beyond } = preview;
      return {
        covers,
        beyond,
        count: chosen.length,
        projects: chosen
          .map(({ fullPath }) => fullPath)
          .sort()
          .slice(0, maxNamedMatches),
        leftOut: skipped.slice(0, maxNamedMatches),
        leftOutCount: skipped.length,
      };
    },
    'plan.forecast': ({ id }, { signal }) => plans.forecast(id, signal),
    'plan.prunePreview': ({ id, retention }) => services.pruning.preview(id, retention),
    'plan.history': ({ days }) => plans.history(days),
  } satisfies Partial<Handlers>;
}
