/** @file The stored project lists as the bridge asks for them, kept true to what jobs change on an instance. */
import type { ChangeResult } from '../../../src-contract/projects/change.ts';
import { changeInputSchema, changeResultSchema } from '../../../src-contract/projects/change-schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instance.ts';
import type { StoredJob } from '../../../src-contract/job.ts';
import type { ProjectListPort } from '../../bridge/projects/list-ports.ts';
import type { ProjectList } from '../../catalogue/projects/projects.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Announce } from '../events.ts';

interface Parts {
  lists: ProjectList;
  /** Throws `instance-unknown`. */
  instance(name: string): Instance;
  clock: Clock;
  log: Log;
  announce: Announce;
}

export interface ProjectLists {
  forBridge: ProjectListPort;
  /**
   * To be told of every job that changed. What a change made of a project is listed at once; a crash just before costs no
   * more than the next refresh. Never throws: the change itself is done.
   */
  jobChanged(job: StoredJob): void;
}

export function createProjectLists(parts: Parts): ProjectLists {
  const { lists, clock, log, announce } = parts;

  function listChange(job: StoredJob): void {
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
