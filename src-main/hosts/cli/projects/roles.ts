/** @file The role of the account in a project, for a table. */
import type { Project } from '../../../../src-contract/projects/project.ts';
import { roleText } from '../../../../src-contract/words/roles.ts';

/** Null where the instance did not say. */
export const roleOf = ({ accessLevel }: Project): string | null =>
  accessLevel === null ? null : roleText(accessLevel);
