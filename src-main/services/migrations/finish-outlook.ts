/** @file Lists the sources that the account may not mark as archived in GitLab. One request for each project. */
import { AppError } from '../../../src-contract/errors.ts';
import type { CallReply } from '../../../src-contract/calls.ts';
import { accessLevels } from '../../jobs/migrations/access-levels.ts';
import type { RemoteInstance } from '../instances/remote/remote-instance.ts';
import { mapInParallel } from './map-in-parallel.ts';

/**
 * A project with an unknown role is counted as `unknown`, because the attempt may succeed. Throws the errors of the
 * request for the account.
 */
export async function checkFinishPermissions(
  { preflight }: Pick<RemoteInstance, 'preflight'>,
  projects: readonly { sourceId: number; sourcePath: string }[],
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<CallReply<'migration.finishOutlook'>> {
  const user = await preflight.user(signal);
  const roleTooLow: string[] = [];
  let done = 0;
  let unknown = 0;
  await mapInParallel(projects, async ({ sourceId, sourcePath }) => {
    try {
      const found = await preflight.archivedState(sourceId, user, signal);
      if (!found.archived && found.role === null) unknown += 1;
      else if (!found.archived && (found.role ?? 0) < accessLevels.owner) roleTooLow.push(sourcePath);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      if (AppError.from(thrown).code === 'internal') throw thrown;
      unknown += 1;
    }
    onProgress((done += 1), projects.length);
  });
  return { projects: projects.length, roleTooLow: roleTooLow.sort(), unknown };
}
