/** @file Groups that a migration needs and the target lacks: created outermost first, each by a job of its own. */
import type {
  MigrationGroups,
  StoredGroup,
  WantedGroup,
} from '../../catalogue/migrations/migration-groups.ts';
import { endedStatuses, type JobStatus } from '../../../src-contract/runs/job.ts';
import { splitPath } from '../../jobs/migrations/placing.ts';
import type { Clock } from '../../platform/clock.ts';

export interface GroupMaking {
  /**
   * Whether some of them are still to be created. A group that failed is not waited for, nor are those below
   * it.
   */
  isInProgress(migration: string): boolean;
  /** Returns those that were not requested yet. */
  lacking(migration: string, groups: readonly WantedGroup[]): WantedGroup[];
  /** Requests the creation of these groups, outermost first, and again of those that failed. */
  want(migration: string, groups: readonly WantedGroup[]): void;
  /** Creates jobs for the groups whose parent exists. True where one was created. */
  tend(migration: string, target: string): boolean;
}

const hasEnded = (status: JobStatus): boolean => (endedStatuses as readonly JobStatus[]).includes(status);

export function createGroupMaking(parts: {
  groups: MigrationGroups;
  clock: Clock;
  firstStep: string;
}): GroupMaking {
  const { groups, clock } = parts;
  /** Those that can be created now, and those that are being created. */
  const openOf = (id: string): { ready: StoredGroup[]; working: StoredGroup[] } => {
    const all = groups.list(id);
    const byPath = new Map(all.map((group) => [group.path.toLowerCase(), group]));
    const parentIsThere = ({ path }: StoredGroup): boolean => {
      const parent = byPath.get(splitPath(path).group.toLowerCase());
      return parent === undefined || parent.job?.status === 'succeeded';
    };
    return {
      ready: all.filter((group) => group.job === null && parentIsThere(group)),
      working: all.filter(({ job }) => job !== null && !hasEnded(job.status)),
    };
  };
  return {
    isInProgress(migration) {
      const { ready, working } = openOf(migration);
      return ready.length + working.length > 0;
    },
    lacking(migration, wanted) {
      const known = new Set(groups.list(migration).map(({ path }) => path.toLowerCase()));
      return wanted.filter(({ path }) => !known.has(path.toLowerCase()));
    },
    want: (migration, wanted) => {
      groups.want(migration, wanted);
    },
    tend(migration, target) {
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
        groups.begin(migration, path, { ...job, firstStep: parts.firstStep }, clock.now());
      }
      return ready.length > 0;
    },
  };
}
