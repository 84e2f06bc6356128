/** @file The remark that a list of projects makes about an unusual one. */
import { dayMs } from '../../../../src-contract/bounds.ts';
import { usualDeletionDays } from '../../../../src-contract/projects/change.ts';
import type { Project } from '../../../../src-contract/projects/project.ts';

/** Null where there is nothing to say. The day of a deletion is the one that the usual delay leads to. */
export function projectStateText({
  archived,
  markedForDeletionOn,
}: Pick<Project, 'archived' | 'markedForDeletionOn'>): string | null {
  // GitLab marks as archived what it is to delete; the deletion is what matters.
  if (markedForDeletionOn === null) return archived ? 'archived' : null;
  const marked = Date.parse(markedForDeletionOn);
  return Number.isNaN(marked)
    ? 'marked for deletion'
    : `deletion on ${new Date(marked + usualDeletionDays * dayMs).toISOString().slice(0, 10)}`;
}
