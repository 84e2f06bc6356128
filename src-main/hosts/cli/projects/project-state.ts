/** @file Formats table cells for a project: the account's role, and whether the project is archived or marked for deletion. */
import { dayMs } from '../../../../src-contract/bounds.ts';
import { defaultDeletionDelayDays } from '../../../../src-contract/projects/change.ts';
import type { Project } from '../../../../src-contract/projects/project.ts';
import { roleText } from '../../../../src-contract/words/roles.ts';

/** Returns null if the instance did not send the role. */
export const roleOf = ({ accessLevel }: Project): string | null =>
  accessLevel === null ? null : roleText(accessLevel);

/** Returns null for a project that is neither archived nor marked for deletion. The day of a deletion assumes the default delay. */
export function projectStateText({
  archived,
  markedForDeletionOn,
}: Pick<Project, 'archived' | 'markedForDeletionOn'>): string | null {
  // GitLab also marks a project as archived when it schedules its deletion; only the deletion is shown.
  if (markedForDeletionOn === null) return archived ? 'archived' : null;
  const marked = Date.parse(markedForDeletionOn);
  return Number.isNaN(marked)
    ? 'marked for deletion'
    : `deletion on ${new Date(marked + defaultDeletionDelayDays * dayMs).toISOString().slice(0, 10)}`;
}
