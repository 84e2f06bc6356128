/** @file Calls about migrations: what is to go where, and that it goes. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { CallReply } from '../../../src-preload/contract/calls.ts';
import {
  migratingStates,
  type MigratingProject,
  type MigratingState,
} from '../../../src-preload/contract/migrations/migration.ts';
import type { migrationCalls } from '../../../src-preload/contract/calls/migration-calls.ts';
import type { Confirmations } from '../host/confirmations.ts';
import { knownInstance } from '../instances/instance-handlers.ts';
import { mustMayWrite, withoutAccount } from '../instances/may-write.ts';
import type { BridgePorts, Handlers } from '../ports.ts';

/** Those that would take the place of a project that is on the target. */
export const replacing = (projects: readonly MigratingProject[]): MigratingProject[] =>
  projects.filter(({ placement, state }) => placement.overwrite && state !== 'left-out');

export function migrationHandlers(
  ports: BridgePorts,
  confirmations: Confirmations,
): Pick<Handlers, keyof typeof migrationCalls> {
  const { migrations } = ports;
  return {
    'migration.list': () => Promise.resolve({ migrations: migrations.list() }),
    'migration.show': ({ migration }) => Promise.resolve(migrations.show(migration)),
    'migration.create': async (draft, { signal }) => {
      const source = await knownInstance(ports, draft.source);
      if (source.anonymous) throw withoutAccount(source.name);
      await knownInstance(ports, draft.target);
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
      return Promise.resolve({});
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
      return Promise.resolve({ projects: found.slice(offset, offset + limit), total: found.length });
    },
    'migration.waves': ({ migration }) => Promise.resolve(wavesOf(migrations.projects(migration))),
    'migration.place': ({ migration, project, ...wanted }) => {
      migrations.place(migration, [{ project, ...wanted }]);
      return Promise.resolve(projectOf(migrations.projects(migration), project));
    },
    'migration.start': async ({ migration, createGroups, confirmation }, { signal }) => {
      const before = migrations.show(migration);
      await mustMayWrite(ports, await knownInstance(ports, before.source), signal);
      await mustMayWrite(ports, await knownInstance(ports, before.target), signal);
      const projects = migrations.projects(migration);
      const conflict = projects.find(({ conflicts, state }) => state === 'planned' && conflicts.length > 0);
      if (conflict !== undefined) {
        throw new AppError(
          'migration-blocked',
          `${conflict.sourcePath} cannot go where it is to go. ${conflict.conflicts.join(' ')}`,
        );
      }
      if (replacing(projects).some(({ state }) => state === 'planned')) {
        const target = { instance: before.target, project: before.id };
        confirmations.use(confirmation, { action: 'migration.start', ...target });
      }
      return migrations.start(migration, createGroups);
    },
    'migration.pause': ({ migration }) => Promise.resolve(migrations.pause(migration)),
    'migration.cancel': ({ migration, by }) => Promise.resolve(migrations.cancel(migration, by)),
    'migration.again': ({ migration, project }) => Promise.resolve(migrations.again(migration, project)),
  };
}

function wavesOf(projects: readonly MigratingProject[]): CallReply<'migration.waves'> {
  const waves = new Map<number, Record<MigratingState, number>>();
  for (const { wave, state } of projects) {
    const counts =
      waves.get(wave) ??
      (Object.fromEntries(migratingStates.map((one) => [one, 0])) as Record<MigratingState, number>);
    counts[state] += 1;
    waves.set(wave, counts);
  }
  return {
    waves: [...waves]
      .map(([wave, counts]) => ({ wave, projects: counts }))
      .sort((one, other) => one.wave - other.wave),
    inConflict: projects.filter(({ conflicts }) => conflicts.length > 0).length,
  };
}

function projectOf(projects: readonly MigratingProject[], named: string): MigratingProject {
  const found = projects.find(
    ({ sourceId, sourcePath }) =>
      String(sourceId) === named || sourcePath.toLowerCase() === named.toLowerCase(),
  );
  if (found === undefined) throw new AppError('project-missing', `The migration has no project ${named}.`);
  return found;
}
