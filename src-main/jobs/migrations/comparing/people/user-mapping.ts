/**
 * @file Finds the users on the target that an import used for the users in its archive. Pure.
 *
 * An import does not report this. An import maps a user by e-mail address, or uses its own account for all records of the user
 * (gitlab-facts 7). The users of all records therefore show the mapping, and a record with another user was changed.
 */
import { foldCase } from './member-identity.ts';
import type { PeoplePair } from './paired-people.ts';
import { nobody } from './record-people.ts';

/** A member with an account, in an archive. */
export interface ArchivedUser {
  id: number;
  username: string;
  email: string | null;
}

export interface MappingSides {
  pairs: Iterable<PeoplePair>;
  archivedUsers: readonly ArchivedUser[];
  /** The direct members of the target; null if they may not be listed. */
  members: readonly { username: string; email: string | null }[] | null;
  /** The username of the account on the target. */
  account: string;
  /** Only an administrator's import maps users. */
  byAdministrator: boolean;
  /** False if somebody may have become a member since the import. */
  isPrompt: boolean;
}

/** Returns the username on the target for an id in the archive; null if it is not known. */
export type UserMapping = (archivedId: number) => string | null;

export function findMapping({
  pairs,
  archivedUsers,
  members,
  account,
  byAdministrator,
  isPrompt,
}: MappingSides): UserMapping {
  const counts = countUsernames(pairs);
  const found = new Map([...counts].map(([id, names]) => [id, majorityOf(names)]));
  const replacedCount = [...found.values()].filter((name) => name === account).length;
  // Another account may have started the import, and newer versions may map users in other ways.
  const mapsNobody = !byAdministrator && (found.size === 0 || replacedCount * 2 > found.size);
  if (mapsNobody) return () => account;
  const memberByEmail = new Map(members?.map(({ username, email }) => [email, username]));
  for (const { id, username, email } of archivedUsers) {
    const names = counts.get(id) ?? new Map<string, number>();
    const byEmail = email === null ? undefined : memberByEmail.get(email);
    const namesake = [...names.keys()].find((name) => foldCase(name) === foldCase(username));
    if (byAdministrator && byEmail !== undefined && (isPrompt || names.has(byEmail))) found.set(id, byEmail);
    else if (namesake !== undefined) found.set(id, namesake);
  }
  return (id) => found.get(id) ?? null;
}

/** Counts the usernames of each archived user, in roles with one user on both sides. */
function countUsernames(pairs: Iterable<PeoplePair>): Map<number, Map<string, number>> {
  const counts = new Map<number, Map<string, number>>();
  for (const { archived, listed } of pairs) {
    const [[id, second], [user, other]] = [archived, listed];
    if (id === undefined || user === undefined || second !== undefined || other !== undefined) continue;
    if (id === nobody.id || user.id === nobody.id) continue;
    const names = counts.get(id) ?? new Map<string, number>();
    counts.set(id, names.set(user.username, (names.get(user.username) ?? 0) + 1));
  }
  return counts;
}

/** Returns null if two names are equally frequent. */
function majorityOf(counts: ReadonlyMap<string, number>): string | null {
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first === undefined || first[1] === second?.[1] ? null : first[0];
}
