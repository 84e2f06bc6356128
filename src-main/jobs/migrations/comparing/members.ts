/**
 * @file Compares the members that source, archive and target list: who is missing, and whose role or expiry changed.
 * Pure.
 */
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type { Doubt } from './untimed-losses.ts';

/**
 * GitLab's number of the role, and the day on which the membership ends. Null or absent if not reported, or if the
 * membership does not expire.
 */
interface Membership {
  level?: number | null;
  expiresAt?: string | null;
}

/** A member with an account, in an archive. `line` is GitLab's `line_number`, which also counts invitations. */
export interface ArchivedMember extends Membership {
  line: number;
  username: string;
}

export interface ListedMember extends Membership {
  name: string;
  /** Epoch milliseconds by the clock of the member's instance; null if it does not report the time. */
  since: number | null;
}

export interface Members {
  /** Null if the members may not be read. */
  source: readonly ListedMember[] | null;
  archive: readonly ArchivedMember[];
  target: readonly ListedMember[] | null;
  /** Members missing from the target project who have an account there. */
  withAccount: ReadonlySet<string>;
  /** Only an administrator's import adds members (gitlab-facts 7). */
  byAdministrator: boolean;
  /** The source was edited after its export began, or may have been. */
  sourceMoved: boolean;
}

const relation = 'project_members';
const folded = (name: string): string => name.toLowerCase();

const named = (title: string, lost: MissingRecord['lost'], line: number | null): MissingRecord => ({
  ...{ relation, lost, line, iid: null, title, part: null },
});

/**
 * Members added after the export are not losses. Members that only an administrator could import are declared instead.
 * If the source was edited since, so are roles and expiry dates that the archive lacks: GitLab does not say when a
 * membership changed.
 * @param exportedAt epoch milliseconds by the clock of the source.
 */
export function lostMembers(
  members: Members,
  exportedAt: number,
): { missing: MissingRecord[]; declared: string[]; doubts: Doubt[] } {
  const { source, archive, target, withAccount, byAdministrator, sourceMoved } = members;
  const held = new Map(archive.map((member) => [folded(member.username), member]));
  const there = new Map(target?.map((member) => [folded(member.name), member]));
  const unheld = (source ?? []).filter(({ name }) => !held.has(folded(name)));
  const untimed = unheld.filter(({ since }) => since === null).length;
  const lessArchived = (source ?? []).flatMap((member): MissingRecord[] => {
    const found = held.get(folded(member.name));
    const isLater = member.since !== null && member.since >= exportedAt;
    return found === undefined || isLater ? [] : lessInArchive(member, found);
  });
  const missing = [
    ...unheld
      .filter(({ since }) => since !== null && since < exportedAt)
      .map(({ name }) => named(name, 'on-export', null)),
    ...(sourceMoved ? [] : lessArchived),
    ...(target === null || !byAdministrator ? [] : archive).flatMap((member): MissingRecord[] => {
      const { username, line } = member;
      const found = there.get(folded(username));
      if (found !== undefined) return lessOnTarget(member, found);
      return withAccount.has(username) ? [named(username, 'on-import', line)] : [];
    }),
  ];
  const doubt = { relation, candidates: untimed, lost: 0, named: 0 };
  const changed = [...new Set(lessArchived.map(({ title }) => title ?? ''))];
  return {
    missing,
    declared: sourceMoved && changed.length > 0 ? [`${changedSince} ${some(changed)}.`] : [],
    doubts: untimed === 0 ? [] : [doubt],
  };
}

const changedSince =
  'The source was edited after its export, or may have been. It has another role or expiry date than the archive for these members:';

const part = (lost: MissingRecord, name: string): MissingRecord => ({
  ...lost,
  part: { name, expected: 1, found: 0 },
});

/**
 * Returns one part for a lower role, and one for a membership that ends on another day, or ends although it did not
 * before.
 */
function lessOnTarget(held: ArchivedMember, found: ListedMember): MissingRecord[] {
  const lost = named(held.username, 'on-import', held.line);
  const [before, now] = [held.level ?? null, found.level ?? null];
  const [end, endNow] = [held.expiresAt ?? null, found.expiresAt ?? null];
  // A member with a higher role may have another membership, with its own expiry.
  const isOther = isLower(before, now);
  return [
    ...(isLower(now, before) ? [part(lost, `access level ${before}, now ${now}`)] : []),
    ...(end === endNow || (end === null && isOther)
      ? []
      : [part(lost, `end of the membership ${dayText(end)}, now ${dayText(endNow)}`)]),
  ];
}

/**
 * Returns one part for a lower role, and one for another expiry date. An archive also holds inherited members with
 * their highest role. A higher role there is another membership, with its own expiry.
 */
function lessInArchive(source: ListedMember, held: ArchivedMember): MissingRecord[] {
  const lost = named(held.username, 'on-export', held.line);
  const [before, archived] = [source.level ?? null, held.level ?? null];
  const isOther = isLower(before, archived);
  const [end, archivedEnd] = [source.expiresAt, held.expiresAt ?? null];
  return [
    ...(isLower(archived, before) ? [part(lost, `access level ${before}, archived as ${archived}`)] : []),
    ...(end === undefined || end === archivedEnd || isOther
      ? []
      : [part(lost, `end of the membership ${dayText(end)}, archived as ${dayText(archivedEnd)}`)]),
  ];
}

const isLower = (level: number | null, than: number | null): boolean =>
  level !== null && than !== null && level < than;

const dayText = (day: string | null): string => (day === null ? 'never' : `on ${day}`);

/**
 * Returns sentences about members that did not arrive although nobody lost them, and about members whose arrival is
 * unknown.
 */
export function describeMembers(members: Members): { declared: string[]; isUnproven: boolean } {
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
    declared: [`These members have no account on the target, so they were not imported: ${some(unknown)}.`],
    isUnproven: true,
  };
}

const broughtNone =
  'The account on the target is no administrator: GitLab imported no members, and made the account the author of everything.';

const maxNamed = 10;
const some = (names: readonly string[]): string => {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return `${names.slice(0, maxNamed).join(', ')}${more}`;
};
