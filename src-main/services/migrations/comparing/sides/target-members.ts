/** @file Finds the archived members among the members and the accounts of the target. */
import { finderByEmail } from '../../../../jobs/migrations/comparing/people/member-identity.ts';
import type { ArchivedMember, ListedMember } from '../../../../jobs/migrations/comparing/people/members.ts';
import type { RemoteInstance } from '../../../instances/remote/remote-instance.ts';

/**
 * Adds the address of an archived member to the member of the target that has another name, and finds the archived
 * members that the target lacks although they have an account. Only administrators can find accounts by address.
 */
export async function withAddresses(
  members: readonly ListedMember[] | null,
  administrator: boolean,
  archived: readonly ArchivedMember[],
  remote: Pick<RemoteInstance, 'accountOf'>,
  signal: AbortSignal,
): Promise<{ members: ListedMember[] | null; missingMembersWithAccount: Set<string> }> {
  const missingMembersWithAccount = new Set<string>();
  if (members === null || !administrator)
    return { members: members && [...members], missingMembersWithAccount };
  const findMember = finderByEmail(members);
  const addresses = new Map<string, string | null | undefined>();
  for (const member of archived) {
    if (findMember(member) !== undefined) continue;
    const account = await remote.accountOf(member, signal);
    if (account === null) continue;
    if (members.some(({ username }) => username === account)) addresses.set(account, member.email);
    else missingMembersWithAccount.add(member.username);
  }
  return {
    members: members.map((member) => ({
      ...member,
      email: addresses.get(member.username) ?? member.email ?? null,
    })),
    missingMembersWithAccount,
  };
}

/** Returns the members of the target whom the archive does not have; null if they are not known. */
export function addedMembers(
  members: readonly ListedMember[] | null,
  archived: readonly ArchivedMember[],
): ListedMember[] | null {
  const findArchived = finderByEmail(archived);
  return members?.filter((member) => findArchived(member) === undefined) ?? null;
}
