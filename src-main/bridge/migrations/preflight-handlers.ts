/** @file Calls about the preflight: the checks of archives and migrations before an import. */
import { lintForInstance } from '../../services/archives/linting.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { progressReporter, archiveReadOptions } from '../replies.ts';

export function preflightHandlers(services: Services) {
  const { preflight } = services;
  return {
    'archive.lint': async ({ archive, target }, context) => {
      const { path } = await services.archives.resolve(archive);
      const instance = target === null ? null : services.instances.get(target);
      return lintForInstance(services.connections, path, instance, archiveReadOptions(context));
    },
    'migration.check': ({ migration }, context) =>
      preflight.check(migration, context.signal, progressReporter(context, 'check', 'records')),
    'migration.lastCheck': ({ migration }) => ({ check: preflight.last(migration) }),
    'migration.override': ({ migration, finding, note }) => preflight.override(migration, finding, note),
  } satisfies Partial<Handlers>;
}
