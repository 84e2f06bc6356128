/** @file Members as source, archive and target list them: who is missing, and whose role or expiry is not what it was. Pure. */
import type { MissingRecord } from '../../../src-preload/contract/import.ts';
import type { Doubt } from './untimed-losses.ts';

/** GitLab's number of the role, and the day on which the membership ends; null or left out where that is not told, or none ends it. */
interface Membership {
  level?: number | null;
  expiresAt?: string | null;
}

/** One with an account, in an archive. `line` as GitLab's `line_number`: invitations have lines too. */
export interface ArchivedMember extends Membership {
  line: number;
  username: string;
}

export interface ListedMember extends Membership {
  name: string;
  /** Epoch milliseconds by the clock of its instance, null where it does not tell. */
  since: number | null;
}

export interface Members {
  /** Null where they may not be read. */
  source: readonly ListedMember[] | null;
  archive: readonly ArchivedMember[];
  target: readonly ListedMember[] | null;
  /** Of those that the target project lacks: who has an account there. */
  withAccount: ReadonlySet<string>;
  /** Only an administrator's import brings members (gitlab-facts 7). */
  byAdministrator: boolean;
}

const relation = 'project_members';
const folded = (name: string): string => name.toLowerCase();

const named = (title: string, lost: MissingRecord['lost'], line: number | null): MissingRecord => ({
  ...{ relation, lost, line, iid: null, title, part: null },
});

/**
 * Members added after the export are not losses. Members that only an administrator could import are declared instead.
 * @param exportedAt epoch milliseconds by the clock of the source.
 */
export function lostMembers(
  members: Members,
  exportedAt: number,
): { missing: MissingRecord[]; doubts: Doubt[] } {
  const { source, archive, target, withAccount, byAdministrator } = members;
  const held = new Set(archive.map(({ username }) => folded(username)));
  const there = new Map(target?.map((member) => [folded(member.name), member]));
  const unheld = (source ?? []).filter(({ name }) => !held.has(folded(name)));
  const untimed = unheld.filter(({ since }) => since === null).length;
  const missing = [
    ...unheld
      .filter(({ since }) => since !== null && since < exportedAt)
      .map(({ name }) => named(name, 'on-export', null)),
    ...(target === null || !byAdministrator ? [] : archive).flatMap((member): MissingRecord[] => {
      const { username, line } = member;
      const found = there.get(folded(username));
      if (found !== undefined) return lessThan(member, found);
      return withAccount.has(username) ? [named(username, 'on-import', line)] : [];
    }),
  ];
  const doubt = { relation, candidates: untimed, lost: 0, named: 0 };
  return { missing, doubts: untimed === 0 ? [] : [doubt] };
}

/** A role that is lower, and a membership that does not end any more, or on another day. */
function lessThan(held: ArchivedMember, found: ListedMember): MissingRecord[] {
  const lost = named(held.username, 'on-import', held.line);
  const part = (name: string): MissingRecord => ({ ...lost, part: { name, expected: 1, found: 0 } });
  const [before, now] = [held.level ?? null, found.level ?? null];
  return [
    ...(before !== null && now !== null && now < before ? [part(`access level ${before}, now ${now}`)] : []),
    ...((held.expiresAt ?? null) !== null && found.expiresAt !== held.expiresAt
      ? [part(`end of the membership on ${held.expiresAt ?? ''}`)]
      : []),
  ];
}

/** In sentences, which members did not arrive without being lost by anybody, and whose arrival is not known. */
export function aboutMembers(members: Members): { declared: string[]; isUnproven: boolean } {
  const { archive, byAdministrator, target, withAccount } = members;
  if (archive.length === 0) return { declared: [], isUnproven: false };
  if (target === null) {
    const whether = `${archive.length === 1 ? 'the member' : `the ${archive.length} members`} of the archive arrived is not known`;
    return {
      declared: [`The members of the target could not be listed, so whether ${whether}.`],
      isUnproven: true,
    };
  }
  const there = new Set(target.map(({ name }) => folded(name)));
  const absent = archive.map(({ username }) => username).filter((name) => !there.has(folded(name)));
  if (!byAdministrator) {
    const lacks = absent.length === 0 ? [] : [`The target lacks these members: ${some(absent)}.`];
    return { declared: [broughtNone, ...lacks], isUnproven: absent.length > 0 };
  }
  const unknown = absent.filter((name) => !withAccount.has(name));
  if (unknown.length === 0) return { declared: [], isUnproven: false };
  return {
    declared: [`These members have no account on the target, so they were not brought: ${some(unknown)}.`],
    isUnproven: true,
  };
}

const broughtNone =
  'The account on the target is no administrator: GitLab brought no members, and made it the author of everything.';

const maxNamed = 10;
const some = (names: readonly string[]): string => {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return `${names.slice(0, maxNamed).join(', ')}${more}`;
};
