/** @file The stored project lists as the bridge asks for them, kept true to what jobs change on an instance. */
import {
  changeInputSchema,
  changeResultSchema,
  type ChangeResult,
} from '../../../src-contract/projects/change.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instance.ts';
import type { Job } from '../../../src-contract/job.ts';
import type { ProjectList } from '../../catalogue/projects/projects.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Announce } from '../events.ts';
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import type { InstanceOverview } from '../../../src-contract/overview.ts';
import type {
  ProjectRow,
  BackupStatus,
  JudgedProject,
  HeldOfProject,
} from '../../../src-contract/projects/project.ts';
import type { Project } from '../../../src-contract/projects/project.ts';

export interface StoredLists {
  /** Stores a list that was asked for anew; one that breaks off loses nothing. */
  replace(
    instance: Instance,
    pages: AsyncIterable<Project[]>,
  ): Promise<{ projects: number; refreshedAt: number }>;
  /** `importedSince` in epoch milliseconds limits which projects are new copies. */
  page(filter: ParsedRequest<'project.page'> & { importedSince: number }): {
    projects: ProjectRow[];
    total: number;
  };
  /** Epoch milliseconds of the last refresh by instance; a list that never was refreshed is absent. */
  refreshed(): Map<string, number>;
  /** How many projects of each instance stand how; standings that none has are absent. */
  standings(): { instance: string; standing: BackupStatus; projects: number }[];
  /** What the number of projects by status does not say. `importedSince` in epoch milliseconds limits `newCopies`. */
  protection(
    instance: string,
    importedSince: number,
  ): Pick<InstanceOverview, 'failedHeld' | 'newCopies' | 'oldestArchive'>;
  /** Projects without an archive of their own whose contents are in one that they were imported from after that (epoch milliseconds). */
  newCopies(importedSince: number): { instance: string; id: number }[];
  count(instance: string): number;
  /** The one of the stored list at this path, whatever its case; null where the list has none. */
  withPath(instance: string, fullPath: string): Pick<Project, 'id' | 'fullPath' | 'name'> | null;
  /** Those of the stored list that have one of these ids. */
  withIds(instance: string, ids: number[]): Pick<Project, 'id' | 'fullPath'>[];
  /** What is held of any projects of the instance, listed or not, in the order in which they are named. */
  held(instance: Instance, projects: JudgedProject[]): HeldOfProject[];
  forget(instance: string): void;
}

interface Parts {
  lists: ProjectList;
  /** Throws `instance-unknown`. */
  instance(name: string): Instance;
  clock: Clock;
  log: Log;
  announce: Announce;
}

export interface ProjectLists {
  forBridge: StoredLists;
  /**
   * To be told of every job that changed. What a change made of a project is listed at once; a crash just before costs no
   * more than the next refresh. Never throws: the change itself is done.
   */
  jobChanged(job: Job): void;
}

export function createProjectLists(parts: Parts): ProjectLists {
  const { lists, clock, log, announce } = parts;

  function listChange(job: Job): void {
    const { change, projectId } = changeInputSchema.parse(job.input);
    const { project }: ChangeResult = changeResultSchema.parse(job.result);
    // Who creates or forks a project is a member of it; who creates one for somebody else is not.
    const add = change.kind === 'fork' || (change.kind === 'create' && change.forUser === null);
    if (project !== null) lists.put(parts.instance(job.instance), project, { add, at: clock.now() });
    else if (projectId !== null) lists.drop(job.instance, projectId);
    announce('project.changed', { instance: job.instance });
  }

  return {
    forBridge: {
      async replace(instance, pages) {
        const refreshedAt = clock.now();
        const projects = await lists.replace(instance, pages, refreshedAt);
        announce('project.changed', { instance: instance.name });
        return { projects, refreshedAt };
      },
      page: (filter) => lists.page(filter),
      refreshed: () => lists.refreshed(),
      standings: () => lists.standings(),
      protection: (instance, importedSince) => lists.protection(instance, importedSince),
      newCopies: (importedSince) => lists.newCopies(importedSince),
      count: (instance) => lists.count(instance),
      withPath: (instance, fullPath) => lists.withPath(instance, fullPath),
      withIds: (instance, ids) => lists.withIds(instance, ids),
      held: (instance, projects) => lists.held(instance, projects),
      forget(instance) {
        lists.forget(instance);
        announce('project.changed', { instance });
      },
    },
    jobChanged(job) {
      if (job.kind !== 'change' || job.state.status !== 'succeeded') return;
      try {
        listChange(job);
      } catch (thrown) {
        log.error({ err: AppError.from(thrown), job: job.id }, 'a changed project was not listed anew');
      }
    },
  };
}
