/** @file Finds a project that is marked for deletion by the path it had before: GitLab frees that and gives it another. */
import { changeInputSchema } from '../../../src-contract/projects/change-schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instance.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { Services } from '../../services/services.ts';

/** As many as are looked at where projects of one path were deleted one after the other. */
const maxCandidates = 5;

/** Ids of those that were deleted here at that path, and of marked ones in the list as last fetched; newest first. */
function candidates(services: Services, instance: string, path: string): number[] {
  const filter = {
    runId: null,
    status: 'succeeded',
    instance,
    project: path,
    before: null,
    limit: 50,
  } as const;
  const deleted = services.jobs.list(filter).flatMap(({ kind, input }) => {
    const read = kind === 'change' ? changeInputSchema.safeParse(input).data : undefined;
    return read?.change.kind === 'delete' && read.projectId !== null ? [read.projectId] : [];
  });
  const beginning = `${path}-deletion_scheduled-`.toLowerCase();
  const listed = services.projectLists
    .page({
      instance,
      search: beginning,
      standing: null,
      importedSince: 0,
      archived: null,
      sort: 'path',
      descending: false,
      offset: 0,
      limit: 50,
    })
    .projects.filter(
      ({ fullPath, markedForDeletionOn }) =>
        markedForDeletionOn !== null && fullPath.toLowerCase().startsWith(beginning),
    )
    .map(({ id }) => id);
  return [...new Set([...deleted, ...listed])].slice(0, maxCandidates);
}

/**
 * The project at that path or with that id, else one that is marked for deletion and was at that path, as far as this data
 * folder knows. Throws `project-missing` with `marked: true`.
 */
export async function projectOrMarked(
  services: Services,
  instance: Instance,
  typed: string,
  signal: AbortSignal,
): Promise<Project> {
  const remote = services.connections.connect(instance);
  const perhaps = async (reference: string): Promise<Project | AppError> => {
    try {
      return await remote.project(reference, signal);
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (error.code !== 'project-missing') throw error;
      return error;
    }
  };
  const found = await perhaps(typed);
  if (!(found instanceof AppError)) return found;
  for (const id of candidates(services, instance.name, typed)) {
    const one = await perhaps(String(id));
    if (!(one instanceof AppError) && one.markedForDeletionOn !== null) return one;
  }
  throw new AppError(found.code, found.message, {
    details: { ...found.details, marked: true },
    cause: found,
  });
}
