/** @file Finds a project that is marked for deletion, given its earlier path. GitLab gives it another path. */
import { changeInputSchema } from '../../../src-contract/projects/change-schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { SharedDeps } from '../shared-deps.ts';
import type { Connections } from '../instances/connections.ts';
import { Service } from '../service.ts';

const maxCandidates = 5;
const maxListed = 50;

export interface MarkedProjectDeps extends Pick<SharedDeps, 'projectListStore' | 'jobSearch'> {
  connections: Connections;
}

export class MarkedProjects extends Service<MarkedProjectDeps> {
  /**
   * Returns the project at this path or with this id. If there is none, returns a project that is marked for deletion
   * and had this path, if this data folder knows one. Throws `project-missing`. Its detail `marked: true` adds the hint
   * about paths of projects that are marked for deletion.
   */
  async findIncludingMarked(instance: Instance, pathOrId: string, signal: AbortSignal): Promise<Project> {
    const remote = this.deps.connections.connect(instance);
    const find = async (reference: string): Promise<Project | AppError> => {
      try {
        return await remote.project(reference, signal);
      } catch (thrown) {
        const error = AppError.from(thrown);
        if (error.code !== 'project-missing') throw error;
        return error;
      }
    };
    const found = await find(pathOrId);
    if (!(found instanceof AppError)) return found;
    for (const id of this.#candidates(instance.name, pathOrId)) {
      const one = await find(String(id));
      if (!(one instanceof AppError) && one.markedForDeletionOn !== null) return one;
    }
    throw found.withDetails({ marked: true });
  }

  /** Returns ids of projects that jobs deleted at this path, then of marked projects in the stored list. */
  #candidates(instance: string, path: string): number[] {
    const filter = { status: 'succeeded', instance, project: path, limit: maxListed } as const;
    const deleted = this.deps.jobSearch.find(filter).flatMap(({ kind, input }) => {
      const parsed = kind === 'change' ? changeInputSchema.safeParse(input).data : undefined;
      return parsed?.change.kind === 'delete' && parsed.projectId !== null ? [parsed.projectId] : [];
    });
    const prefix = `${path}-deletion_scheduled-`.toLowerCase();
    const { projects } = this.deps.projectListStore.page({
      instance,
      search: prefix,
      backupStatus: null,
      importedSince: 0,
      archived: null,
      sort: 'path',
      descending: false,
      offset: 0,
      limit: maxListed,
    });
    const listed = projects.filter(
      ({ fullPath, markedForDeletionOn }) =>
        markedForDeletionOn !== null && fullPath.toLowerCase().startsWith(prefix),
    );
    return [...new Set([...deleted, ...listed.map(({ id }) => id)])].slice(0, maxCandidates);
  }
}
