/** @file Lists the direct members that the import of one relation removes from its project (gitlab-facts 8). Pure. */
import { AppError } from '../errors.ts';
import { maintainerAccessLevel } from '../projects/project.ts';
import type { RelationTarget, TargetMember } from './relation-target-schema.ts';

const maxListedNames = 10;

/**
 * Returns the direct members that GitLab would remove; none if the first one is the account, with at least the role
 * Maintainer.
 */
function membersAtRisk({ account, members }: RelationTarget): readonly TargetMember[] {
  const [first] = members ?? [];
  const keepsMembers =
    first === undefined || (first.id === account.id && first.level >= maintainerAccessLevel);
  return keepsMembers ? [] : (members ?? []);
}

/** Throws `members-at-risk` unless the import keeps all direct members, or their removal is `accepted`. */
export function assertKeepsMembers(target: RelationTarget, project: string, accepted: boolean): void {
  if (accepted) return;
  if (target.members === null) {
    throw new AppError(
      'members-at-risk',
      `The direct members of ${project} cannot be read, so the import might remove them.`,
      { details: { project } },
    );
  }
  const members = membersAtRisk(target);
  if (members.length === 0) return;
  const names = members.map(memberText);
  const count = members.length === 1 ? 'the only direct member' : `all ${members.length} direct members`;
  throw new AppError(
    'members-at-risk',
    `Importing as ${target.account.username} removes ${count} of ${project}: ${joinNames(names)}.`,
    { details: { project, members: names.join(', ') } },
  );
}

/** Returns the username with the access level, as GitLab writes it. */
export const memberText = ({ username, level }: TargetMember): string => `${username} (${level})`;

/** Returns at most ten names, or that maximum, and the number of further ones. */
export function joinNames(names: readonly string[], maxNames = maxListedNames): string {
  const restCount = names.length - maxNames;
  return names.slice(0, maxNames).join(', ') + (restCount > 0 ? ` and ${restCount} more` : '');
}
