/** @file GitLab's numbers of the roles that decide what an import may do. */
import { maintainerAccessLevel } from '../../../src-contract/projects/project.ts';

export const accessLevels = { maintainer: maintainerAccessLevel, owner: 50 } as const;
