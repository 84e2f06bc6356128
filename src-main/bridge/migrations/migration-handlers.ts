/** @file Calls about migrations: the placement of projects, and the start, pause and cancellation. */
import { AppError } from '../../../src-contract/errors.ts';
import type { CallReply } from '../../../src-contract/calls.ts';
import {
  countProjects,
  type MigratingProject,
  type Migration,
} from '../../../src-contract/migrations/migration.ts';
import type { Confirmations, ConfirmationTarget } from '../host/confirmations.ts';
import { signInNeededError } from '../../services/instances/instance-checks.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { replacedByRetry, replacedByStart } from '../../services/migrations/replacing.ts';

export function migrationHandlers(services: Services, confirmations: Confirmations) {
  const { migrations } = services;
  return {
    'migration.list': () => ({ migrations: migrations.list() }),
    'migration.show': ({ migration }) => migrations.show(migration),
    'migration.create': async (draft, { signal }) => {
      const source = services.instances.get(draft.source);
      if (source.anonymous) throw signInNeededError(source.name);
      services.instances.get(draft.target);
      return migrations.create(draft, signal);
    },
    'migration.change': ({ migration, changes }, { signal }) =>
      migrations.change(
        migration,
        Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
        signal,
      ),
    'migration.remove': ({ migration }) => {
      migrations.remove(migration);
      return {};
    },
    'migration.projects': (request) => {
      const { migration, state, wave, search, inConflict, offset, limit } = request;
      const wanted = search?.trim().toLowerCase() ?? '';
      const found = migrations.projects(migration).filter((project) => {
        const { namespace, path } = project.placement;
        const paths = `${project.sourcePath}\n${namespace}/${path}`.toLowerCase();
        return (
          (state === null || project.state === state) &&
          (wave === null || project.wave === wave) &&
          (!inConflict || project.conflicts.length > 0) &&
          paths.includes(wanted)
        );
      });
      return { projects: found.slice(offset, offset + limit), total: found.length };
    },
    'migration.waves': ({ migration }) => wavesOf(migrations.projects(migration)),
    'migration.place': ({ migration, project, ...wanted }) => {
      migrations.place(migration, [{ project, ...wanted }]);
      return projectOf(migrations.projects(migration), project);
    },
    'migration.start': async ({ migration, createGroups, confirmation }, { signal }) => {
      const stored = migrations.show(migration);
      await services.checks.assertMayWrite(services.instances.get(stored.source), signal);
      await services.checks.assertMayWrite(services.instances.get(stored.target), signal);
      const projects = migrations.projects(migration);
      const conflict = projects.find(({ conflicts, state }) => state === 'planned' && conflicts.length > 0);
      if (conflict !== undefined) {
        throw new AppError(
          'migration-blocked',
          `${conflict.sourcePath} cannot be placed as planned. ${conflict.conflicts.join(' ')}`,
        );
      }
      if (replacedByStart(projects).length > 0) {
        const target = { instance: stored.target, project: stored.id };
        confirmations.consume(confirmation, { action: 'migration.start', ...target });
      }
      return migrations.start(migration, createGroups);
    },
    'migration.pause': ({ migration }) => migrations.pause(migration),
    'migration.cancel': ({ migration, by }) => migrations.cancel(migration, by),
    'migration.again': async ({ migration, project, confirmation }, { signal }) => {
      const stored = migrations.show(migration);
      if (stored.status === 'draft') {
        throw new AppError('invalid-input', `"${stored.name}" has not started yet, so nothing has failed.`, {
          details: { wrong: 'state' },
        });
      }
      await services.checks.assertMayWrite(services.instances.get(stored.source), signal);
      await services.checks.assertMayWrite(services.instances.get(stored.target), signal);
      const projects = migrations.projects(migration);
      const sourceId = sourceIdOf(projects, project);
      if (replacedByRetry(projects, sourceId).length > 0) {
        confirmations.consume(confirmation, retryConfirmationTarget(stored, sourceId));
      }
      return migrations.retry(migration, sourceId === null ? null : String(sourceId));
    },
  } satisfies Partial<Handlers>;
}

/** Returns the confirmation target of a retry: one project of the migration, or all if `sourceId` is null. */
export const retryConfirmationTarget = (
  { target, id }: Migration,
  sourceId: number | null,
): ConfirmationTarget => ({
  action: 'migration.again',
  instance: target,
  project: sourceId === null ? id : `${id} ${sourceId}`,
});

/** Returns the source id of the named project. If none is named, returns null for all. Throws `project-missing`. */
export const sourceIdOf = (projects: readonly MigratingProject[], named: string | null): number | null =>
  named === null ? null : projectOf(projects, named).sourceId;

function wavesOf(projects: readonly MigratingProject[]): CallReply<'migration.waves'> {
  const waves = [...Map.groupBy(projects, ({ wave }) => wave)].map(([wave, ofWave]) => ({
    wave,
    ...countProjects(ofWave),
  }));
  return {
    waves: waves.sort((a, b) => a.wave - b.wave),
    inConflict: projects.filter(({ conflicts }) => conflicts.length > 0).length,
  };
}

function projectOf(projects: readonly MigratingProject[], named: string): MigratingProject {
  const found = projects.find(
    ({ sourceId, sourcePath }) =>
      String(sourceId) === named || sourcePath.toLowerCase() === named.toLowerCase(),
  );
  if (found === undefined)
    throw new AppError('project-missing', `The migration has no project ${named}.`, {
      details: { project: named },
    });
  return found;
}
