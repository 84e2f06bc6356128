/** @file Finds the same person among the members of source, archive and target. Pure. */

/** `userId` is the id on the source, `email` the public address. Each is null or absent if not reported. */
export interface Person {
  username: string;
  userId?: number | null;
  email?: string | null;
}

type Finder<T> = (person: Person) => T | undefined;

const isId = (userId: number | null | undefined): userId is number => typeof userId === 'number';
/** GitLab compares usernames and addresses in any case. */
export const foldCase = (text: string): string => text.toLowerCase();

/**
 * Finds a member of the same instance by id, because usernames change. Without ids, finds the member by name.
 */
export function finderById<T extends Person>(members: readonly T[]): Finder<T> {
  const byId = new Map(members.flatMap((member) => (isId(member.userId) ? [[member.userId, member]] : [])));
  const byName = new Map(members.map((member) => [foldCase(member.username), member]));
  return ({ userId, username }) => {
    if (isId(userId) && byId.has(userId)) return byId.get(userId);
    const namesake = byName.get(foldCase(username));
    const isOther = isId(userId) && isId(namesake?.userId);
    return isOther ? undefined : namesake;
  };
}

/**
 * Finds a member of another instance by e-mail, as an import does (gitlab-facts 7). Without addresses, finds the member by
 * name. A namesake with another address is another person.
 */
export function finderByEmail<T extends Person>(members: readonly T[]): Finder<T> {
  const byEmail = new Map(
    members.flatMap((member) => (member.email ? [[foldCase(member.email), member]] : [])),
  );
  const byName = new Map(members.map((member) => [foldCase(member.username), member]));
  return ({ email, username }) => {
    const found = email ? byEmail.get(foldCase(email)) : undefined;
    if (found !== undefined) return found;
    const namesake = byName.get(foldCase(username));
    return email && namesake?.email ? undefined : namesake;
  };
}
