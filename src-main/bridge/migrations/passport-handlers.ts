/** @file Calls about the results of a migration: tables, comparisons, passports, and changes to sources afterwards. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { progressReporter } from '../replies.ts';

export function passportHandlers(services: Services) {
  const { passports } = services;
  return {
    'migration.table': ({ migration }) => ({ csv: passports.table(migration) }),
    'migration.saveTable': async ({ migration, to }) => {
      const { name } = services.migrations.show(migration);
      const { path } = await services.downloads.save({ path: to, name: `${name}.csv` }, async (file) => {
        const bytes = Buffer.from(passports.table(migration));
        await file.begin(bytes.length);
        await file.write(bytes);
      });
      return { path };
    },
    'migration.fill': ({ migration, csv }) => {
      const changed = passports.fill(migration, csv);
      return { migration: services.migrations.show(migration), changed };
    },
    'migration.reconciliation': ({ migration, project }) => passports.reconciliation(migration, project),
    'migration.reconcile': ({ migration, project, compare }, { signal }) =>
      passports.reconcile(migration, project, signal, compare),
    'migration.finishOutlook': ({ migration, project }, context) =>
      passports.finishOutlook(
        migration,
        project,
        context.signal,
        progressReporter(context, 'check', 'records'),
      ),
    'migration.finish': async ({ migration, project, ...wanted }, { signal }) => {
      if (!wanted.markSource && !wanted.noteNewPlace) {
        throw new AppError(
          'invalid-input',
          'There is nothing to do: choose to mark the source as archived, to note the new place, or both.',
        );
      }
      const { source } = services.migrations.show(migration);
      await services.checks.assertMayWrite(services.instances.get(source), signal);
      return passports.finish(migration, project, wanted);
    },
    'migration.passport': async ({ migration, project, to }, context) => {
      const onProgress = progressReporter(context, 'write', 'records');
      const saved = await passports.passport(migration, project, to, context.signal, onProgress);
      context.grants.grant(saved.folder, 'passports');
      return saved;
    },
  } satisfies Partial<Handlers>;
}
