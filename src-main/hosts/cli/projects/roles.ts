/** @file The role of the account in a project, for a table. */
import type { Project } from '../../../../src-contract/projects/project.ts';
import { roleText } from '../../../../src-contract/words/roles.ts';

/** Returns null if the instance did not send the role. */
export const roleOf = ({ accessLevel }: Project): string | null =>
  accessLevel === null ? null : roleText(accessLevel);
