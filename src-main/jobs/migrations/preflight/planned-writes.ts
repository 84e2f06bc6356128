/** @file Lists every request of a successful migration that would change data, by the rules of its jobs. Pure. */
import type { PlannedWrite } from '../../../../src-contract/migrations/migration.ts';
import { nextJobKind, type ProjectMigration, type MigrationJobKind } from '../migrating.ts';
import type { ProjectFacts } from './facts.ts';

export interface PlannedMigration {
  source: string;
  target: string;
  freeze: boolean;
  missingGroups: readonly string[];
  projects: readonly { facts: ProjectFacts; state: ProjectMigration }[];
}

/** Returns the requests in order: one wave after the other, and within a wave all projects side by side. */
export function plannedWrites({
  source,
  target,
  freeze,
  missingGroups,
  projects,
}: PlannedMigration): PlannedWrite[] {
  const writes: PlannedWrite[] = missingGroups.map((path) => ({
    instance: target,
    method: 'POST',
    path: '/groups',
    does: `Creates the group ${path}.`,
    project: null,
  }));
  const waves = [...new Set(projects.map(({ state }) => state.wave))].sort((a, b) => a - b);
  for (const wave of waves) {
    let remaining = projects.filter(({ state }) => state.wave === wave);
    while (remaining.length > 0) {
      remaining = remaining.flatMap(({ facts, state }) => {
        const jobKind = nextJobKind(state, freeze);
        if (jobKind === null) return [];
        const isSourceArchived = facts.source?.archived === true;
        const write = writeOf(jobKind, facts, { source, target }, isSourceArchived);
        if (write !== null) writes.push(write);
        return [{ facts, state: withSucceededJob(state, jobKind, write !== null) }];
      });
    }
  }
  return writes;
}

function withSucceededJob(
  state: ProjectMigration,
  jobKind: MigrationJobKind,
  changed: boolean,
): ProjectMigration {
  const job = { jobId: '', status: 'succeeded' as const, error: null, changed };
  return { ...state, jobs: { ...state.jobs, [jobKind]: job } };
}

function writeOf(
  jobKind: MigrationJobKind,
  { sourceId, sourcePath, placement }: ProjectFacts,
  { source, target }: Pick<PlannedMigration, 'source' | 'target'>,
  isSourceArchived: boolean,
): PlannedWrite | null {
  const place = `${placement.namespace}/${placement.path}`;
  const post = (instance: string, path: string, does: string): PlannedWrite => ({
    instance,
    method: 'POST',
    path,
    does,
    project: sourcePath,
  });
  switch (jobKind) {
    case 'freeze':
      return isSourceArchived
        ? null
        : post(source, `/projects/${sourceId}/archive`, `Marks ${sourcePath} as archived.`);
    case 'export':
      return post(source, `/projects/${sourceId}/export`, `Requests an export of ${sourcePath}.`);
    case 'import':
      return post(
        target,
        '/projects/import',
        placement.overwrite
          ? `Imports it as ${place} and replaces the project there.`
          : `Imports it as ${place}.`,
      );
    case 'unmark':
      return post(
        target,
        `/projects/${encodeURIComponent(place)}/unarchive`,
        `Unarchives ${place}, which is archived because ${sourcePath} was.`,
      );
    case 'thaw':
      return post(source, `/projects/${sourceId}/unarchive`, `Unarchives ${sourcePath} again.`);
  }
}
