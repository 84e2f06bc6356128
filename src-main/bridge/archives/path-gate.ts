/**
 * @file Restricts the paths that a window may name to those that a person gave it, and those of the settings. The contract
 * declares the use of a path, so every call is held to this. [Note: a page names no paths]
 */
import { isAbsolute } from 'node:path';
import { AppError } from '../../../src-contract/errors.ts';
import type { NamedPath, PathUse } from '../../../src-contract/path-schema.ts';
import type { GivenAs, PathHolder } from './given-paths.ts';
import type { Services } from '../../services/services.ts';

/** The error for a page that comes over a network: access to the page must not include running programs here. */
export const hooksRefused = (): AppError =>
  new AppError(
    'host-cannot',
    'The page in a browser may not say which programs are run before and after a plan.',
  );

/** Throws `path-refused`, alike for a path that exists and one that does not. */
export type PathGate = (named: NamedPath, holder: PathHolder) => Promise<void>;

const neededAs: Record<PathUse, GivenAs> = {
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
  /** Whether an earlier decision of a person names it, in any session. */
  const isKnown = async ({ use, path }: NamedPath): Promise<boolean> => {
    switch (use) {
      case 'archive':
        // Any other reference is looked up among the stored archives.
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
  return async (named, holder) => {
    if (named.use === 'program' && !holder.mayChooseHooks && !(await isKnown(named))) throw hooksRefused();
    if (holder.holds(named.path, neededAs[named.use]) || (await isKnown(named))) return;
    throw new AppError('path-refused', 'This path was not given to the window.', {
      details: { path: named.path },
    });
  };
}
