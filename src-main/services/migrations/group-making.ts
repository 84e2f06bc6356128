/** @file Creates the groups that a migration needs and the target lacks: outermost first, each by its own job. */
import type { MigrationGroups, StoredGroup, NewGroup } from '../../catalogue/migrations/migration-groups.ts';
import { hasEnded } from '../../../src-contract/runs/job.ts';
import { splitPath } from '../../jobs/migrations/placing.ts';
import type { Clock } from '../../platform/clock.ts';

export type GroupMaking = ReturnType<typeof createGroupMaking>;

export function createGroupMaking(deps: { groups: MigrationGroups; clock: Clock; firstStep: string }) {
  const { groups, clock } = deps;
  const unfinishedGroupsOf = (id: string): { ready: StoredGroup[]; working: StoredGroup[] } => {
    const all = groups.list(id);
    const byPath = new Map(all.map((group) => [group.path.toLowerCase(), group]));
    const parentExists = ({ path }: StoredGroup): boolean => {
      const parent = byPath.get(splitPath(path).group.toLowerCase());
      return parent === undefined || parent.status === 'succeeded';
    };
    return {
      ready: all.filter((group) => group.status === null && parentExists(group)),
      working: all.filter(({ status }) => status !== null && !hasEnded({ status })),
    };
  };
  return {
    /** Returns whether groups are still to be created. Failed groups and the groups below them do not count. */
    isInProgress(migration: string) {
      const { ready, working } = unfinishedGroupsOf(migration);
      return ready.length + working.length > 0;
    },
    findMissing(migration: string, wantedGroups: readonly NewGroup[]) {
      const knownPaths = new Set(groups.list(migration).map(({ path }) => path.toLowerCase()));
      return wantedGroups.filter(({ path }) => !knownPaths.has(path.toLowerCase()));
    },
    /** Requests the creation of these groups, outermost first. Groups that failed are requested again. */
    requestCreation: (migration: string, wantedGroups: readonly NewGroup[]) => {
      groups.addGroups(migration, wantedGroups);
    },
    /** Creates jobs for the groups whose parent exists. Returns true if a job was created. */
    createJobs(migration: string, target: string) {
      const { ready } = unfinishedGroupsOf(migration);
      for (const { path, visibility } of ready) {
        const pathParts = splitPath(path);
        const change = {
          kind: 'create-group',
          parent: pathParts.group === '' ? null : pathParts.group,
          path: pathParts.path,
          visibility,
        };
        const input = { change, projectId: null, secret: null };
        const job = { kind: 'change' as const, instance: target, project: path, input };
        groups.enqueueJob(migration, path, { ...job, firstStep: deps.firstStep }, clock.now());
      }
      return ready.length > 0;
    },
  };
}
