/**
 * @file Calls about the checks before anything is moved.
 */
import type { preflightCalls } from '../../../src-contract/calls/preflight-calls.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

export function preflightHandlers(services: Services): Pick<Handlers, keyof typeof preflightCalls> {
  const { preflight } = services;
  return {
    'archive.lint': async ({ archive, target }, context) => {
      const { path } = await services.archives.resolve(archive);
      const instance = target === null ? null : services.instances.known(target);
      return services.lint.lint(path, instance, context.signal, (done, total) => {
        context.progress({ step: 'read', unit: 'bytes', done, total });
      });
    },
    'migration.check': ({ migration }, context) =>
      preflight.check(migration, context.signal, (done, total) => {
        context.progress({ step: 'check', unit: 'records', done, total });
      }),
    'migration.lastCheck': ({ migration }) => ({ check: preflight.last(migration) }),
    'migration.override': ({ migration, finding, note }) => preflight.override(migration, finding, note),
  };
}
