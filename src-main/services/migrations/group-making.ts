/** @file Creates the groups that a migration needs and the target lacks: outermost first, each by its own job. */
import type {
  MigrationGroups,
  StoredGroup,
  WantedGroup,
} from '../../catalogue/migrations/migration-groups.ts';
import { hasEnded } from '../../../src-contract/runs/job.ts';
import { splitPath } from '../../jobs/migrations/placing.ts';
import type { Clock } from '../../platform/clock.ts';

export type GroupMaking = ReturnType<typeof createGroupMaking>;

export function createGroupMaking(parts: { groups: MigrationGroups; clock: Clock; firstStep: string }) {
  const { groups, clock } = parts;
  const openOf = (id: string): { ready: StoredGroup[]; working: StoredGroup[] } => {
    const all = groups.list(id);
    const byPath = new Map(all.map((group) => [group.path.toLowerCase(), group]));
    const parentIsThere = ({ path }: StoredGroup): boolean => {
      const parent = byPath.get(splitPath(path).group.toLowerCase());
      return parent === undefined || parent.status === 'succeeded';
    };
    return {
      ready: all.filter((group) => group.status === null && parentIsThere(group)),
      working: all.filter(({ status }) => status !== null && !hasEnded({ status })),
    };
  };
  return {
    /** Returns whether groups are still to be created. Failed groups and the groups below them do not count. */
    isInProgress(migration: string) {
      const { ready, working } = openOf(migration);
      return ready.length + working.length > 0;
    },
    findMissing(migration: string, wanted: readonly WantedGroup[]) {
      const known = new Set(groups.list(migration).map(({ path }) => path.toLowerCase()));
      return wanted.filter(({ path }) => !known.has(path.toLowerCase()));
    },
    /** Requests the creation of these groups, outermost first. Groups that failed are requested again. */
    requestCreation: (migration: string, wanted: readonly WantedGroup[]) => {
      groups.addGroups(migration, wanted);
    },
    /** Creates jobs for the groups whose parent exists. Returns true if a job was created. */
    createJobs(migration: string, target: string) {
      const { ready } = openOf(migration);
      for (const { path, visibility } of ready) {
        const place = splitPath(path);
        const change = {
          kind: 'create-group',
          parent: place.group === '' ? null : place.group,
          path: place.path,
          visibility,
        };
        const input = { change, projectId: null, secret: null };
        const job = { kind: 'change' as const, instance: target, project: path, input };
        groups.enqueueJob(migration, path, { ...job, firstStep: parts.firstStep }, clock.now());
      }
      return ready.length > 0;
    },
  };
}
