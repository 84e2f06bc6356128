/** @file Finds a project that is marked for deletion by its earlier path: GitLab frees that path and gives the project another. */
import { changeInputSchema } from '../../../src-contract/projects/change-schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { JobSearch } from '../../catalogue/runs/job-search.ts';
import type { ProjectList } from '../../catalogue/projects/projects.ts';
import type { Remote } from '../instances/remote/remote.ts';

/** The maximum of projects that are requested where several of one path were deleted. */
const maxCandidates = 5;
const maxListed = 50;

export interface MarkedProjectParts {
  lists: Pick<ProjectList, 'page'>;
  search: Pick<JobSearch, 'find'>;
  connect(instance: Instance): Pick<Remote, 'project'>;
}

export class MarkedProjects {
  readonly #parts: MarkedProjectParts;

  constructor(parts: MarkedProjectParts) {
    this.#parts = parts;
  }

  /**
   * Returns the project at that path or with that id. Otherwise returns one that is marked for deletion and
   * was at that path, as far as this data folder knows. Throws `project-missing` with `marked: true`.
   */
  async projectOrMarked(instance: Instance, typed: string, signal: AbortSignal): Promise<Project> {
    const remote = this.#parts.connect(instance);
    const find = async (reference: string): Promise<Project | AppError> => {
      try {
        return await remote.project(reference, signal);
      } catch (thrown) {
        const error = AppError.from(thrown);
        if (error.code !== 'project-missing') throw error;
        return error;
      }
    };
    const found = await find(typed);
    if (!(found instanceof AppError)) return found;
    for (const id of this.#candidates(instance.name, typed)) {
      const one = await find(String(id));
      if (!(one instanceof AppError) && one.markedForDeletionOn !== null) return one;
    }
    throw new AppError(found.code, found.message, {
      details: { ...found.details, marked: true },
      cause: found,
    });
  }

  /** Ids of projects that jobs deleted at that path, and of marked ones in the stored list; newest first. */
  #candidates(instance: string, path: string): number[] {
    const filter = { status: 'succeeded', instance, project: path, limit: maxListed } as const;
    const deleted = this.#parts.search.find(filter).flatMap(({ kind, input }) => {
      const read = kind === 'change' ? changeInputSchema.safeParse(input).data : undefined;
      return read?.change.kind === 'delete' && read.projectId !== null ? [read.projectId] : [];
    });
    const beginning = `${path}-deletion_scheduled-`.toLowerCase();
    const { projects } = this.#parts.lists.page({
      instance,
      search: beginning,
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
        markedForDeletionOn !== null && fullPath.toLowerCase().startsWith(beginning),
    );
    return [...new Set([...deleted, ...listed.map(({ id }) => id)])].slice(0, maxCandidates);
  }
}
