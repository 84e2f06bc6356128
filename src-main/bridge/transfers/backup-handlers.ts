/** @file The call that backs projects up. */
import type { Progress } from '../../../src-contract/runs/job.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

/** Returns the progress of a call that waits for an instance to respond. */
export function waitProgress(text: string): Progress {
  return { step: 'wait', unit: 'requests', done: 0, total: null, waiting: text };
}

export function backupHandlers(services: Services) {
  return {
    // `waits` is not stored, because only a request that equals the stored one resumes the interrupted run.
    'backup.start': ({ waits, ...request }, context) => {
      const { signal } = context;
      const begin = async () => {
        const instance = services.instances.get(request.instance);
        await services.checks.assertMayWrite(instance, signal);
        return services.backups.start(instance, request, {
          signal,
          onProgress: (done, total) => {
            context.progress({ step: 'choose', unit: 'records', done, total });
          },
        });
      };
      if (waits !== true) return begin();
      return services.retryThroughOutage(request.instance, begin, {
        signal,
        onWait: (text) => {
          context.progress(waitProgress(text));
        },
      });
    },
  } satisfies Partial<Handlers>;
}
