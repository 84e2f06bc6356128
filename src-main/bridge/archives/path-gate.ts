/**
 * @file Restricts the paths in the calls of a window to those that a person gave it and those known from the settings,
 * the store or a job. The contract declares the use of each path, so the check covers every call. [Note: a page names
 * no paths]
 */
import { isAbsolute } from 'node:path';
import { AppError } from '../../../src-contract/errors.ts';
import type { RequestPath, PathUse } from '../../../src-contract/path-schema.ts';
import type { GrantedUse, PathGrants } from './granted-paths.ts';
import type { Services } from '../../services/services.ts';

/**
 * Returns the error for a page served over a network: access to the page must not allow running programs on this
 * computer.
 */
export const hooksRefusedError = (): AppError =>
  new AppError(
    'host-cannot',
    'A page in a browser cannot choose the programs that run before and after a plan.',
  );

/** Throws `path-refused`, in the same way for existing and missing paths. */
export type PathGate = (requestPath: RequestPath, grants: PathGrants) => Promise<void>;

const requiredGrants: Record<PathUse, GrantedUse> = {
  archive: 'file',
  file: 'file',
  'save-to': 'folder',
  'archive-root': 'folder',
  certificate: 'certificate',
  program: 'program',
};

export function createPathGate(
  services: Pick<Services, 'archives' | 'instances' | 'jobs' | 'plans' | 'settings'>,
): PathGate {
  /** Returns whether a person chose this path earlier, in any session. */
  const isKnown = async ({ use, path }: RequestPath): Promise<boolean> => {
    switch (use) {
      case 'archive':
        // A reference that is not an absolute path can only match stored archives.
        return (
          !isAbsolute(path) || (await services.archives.isInStore(path)) || services.jobs.hasImportOf(path)
        );
      case 'archive-root': {
        const { archiveRoot, earlierRoots } = services.settings.show();
        return [archiveRoot, ...earlierRoots].includes(path);
      }
      case 'certificate':
        return services.instances.list().some(({ caFile }) => caFile === path);
      case 'program':
        return services.plans
          .list()
          .some(({ plan: { hooks } }) => [hooks.before, hooks.after].some((hook) => hook?.program === path));
      case 'file':
      case 'save-to':
        return false;
    }
  };
  return async (requestPath, grants) => {
    if (requestPath.use === 'program' && !grants.mayChooseHooks && !(await isKnown(requestPath)))
      throw hooksRefusedError();
    if (grants.isGranted(requestPath.path, requiredGrants[requestPath.use]) || (await isKnown(requestPath)))
      return;
    throw new AppError('path-refused', 'This path was not given to the window.', {
      details: { path: requestPath.path },
    });
  };
}
