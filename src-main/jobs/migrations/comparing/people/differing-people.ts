/** @file Finds people whom an export or import lost or exchanged, and describes how an import mapped users. Pure. */
import type { ContentDifference } from '../contents/content-differences.ts';
import { mayBeEditedLater, type ComparisonTimes } from '../contents/later-edits.ts';
import { normalizers } from '../contents/field-values.ts';
import { sentenceAbout } from '../sentence-about.ts';
import { relationText } from '../../../../../src-contract/words/relations.ts';
import { isComplete, type IncompletePair, type PeoplePair } from './paired-people.ts';
import { entryText, nobody } from './record-people.ts';
import { foldCase } from './member-identity.ts';
import { findMapping, type MappingSides, type UserMapping } from './user-mapping.ts';

export interface PeopleSides extends Omit<MappingSides, 'pairs'>, ComparisonTimes {
  /** Pairs of archive and source; none if the source was not read. */
  exported: Iterable<PeoplePair | IncompletePair>;
  /** Pairs of archive and target. */
  imported: Iterable<PeoplePair | IncompletePair>;
}

function* completeOf(pairs: Iterable<PeoplePair | IncompletePair>): Generator<PeoplePair, void, undefined> {
  for (const pair of pairs) if (isComplete(pair)) yield pair;
}

/** Returns the differences, sentences about users that are not known, and remarks on those that an import cannot keep. */
export function differingPeople(sides: PeopleSides): {
  differences: ContentDifference[];
  declared: string[];
  remarks: string[];
} {
  const { exportedAt, exported, imported, isPrompt } = sides;
  const isCertainOnImport = (pair: PeoplePair): boolean =>
    pair.isFixed
      ? !hasGhost(pair) && (isPrompt || !hasNobody(pair))
      : !mayBeEditedLater({ ...pair, changesSilently: false }, sides);
  const nameOf = archivedNames(sides.archivedUsers, completeOf(exported));
  const mapping = findMapping({
    ...sides,
    pairs: completeOf(imported).filter((pair) => isCertainOnImport(pair)),
  });
  const onExport = completeOf(exported).flatMap((pair): ContentDifference[] => {
    const listedIds = pair.listed.map(({ id }) => id);
    if (isSame(pair, listedIds, pair.archived)) return [];
    const values = {
      expected: textOf(pair, listedIds.map(nameOf)),
      found: textOf(pair, pair.archived.map(nameOf)),
    };
    return [
      { ...toDifference(pair), ...values, lost: 'on-export', isCertain: isCertainOnExport(pair, exportedAt) },
    ];
  });
  const onImport = completeOf(imported).flatMap((pair): ContentDifference[] => {
    const found = pair.listed.map(({ username }) => username);
    const expected = pair.archived.map((id) => (id === nobody.id ? nobody.username : mapping(id)));
    // GitLab may show a deleted user as the author of a record that has none.
    if (pair.isFixed && pair.archived.every((id) => id === nobody.id)) return [];
    const known = expected.filter((name) => name !== null);
    // An import never leaves out a user, so nobody instead of an unknown user is a loss, too.
    const isKnown = known.length === expected.length;
    if (isKnown ? isSame(pair, known, found) : found.some((name) => name !== nobody.username)) return [];
    return [
      {
        ...toDifference(pair),
        ...{
          lost: 'on-import',
          expected: textOf(pair, isKnown ? known : pair.archived.map(nameOf)),
          found: textOf(pair, found),
        },
        isCertain: isCertainOnImport(pair),
      },
    ];
  });
  return {
    differences: mergeEntries([...onExport, ...onImport]),
    ...describeMapping(sides, mapping, nameOf),
  };
}

/** Returns one difference for all entries of a record, such as its reactions. */
const mergeEntries = (differences: readonly ContentDifference[]): ContentDifference[] =>
  [
    ...Map.groupBy(differences, ({ relation, record, lost, name, isCertain: certain }) =>
      JSON.stringify([relation, record.line, lost, name, certain]),
    ).values(),
  ].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const join = (texts: readonly string[]): string => normalizers.names([...texts]) ?? '';
    const expected = join(same.map((one) => one.expected));
    return [same.length === 1 ? first : { ...first, expected, found: join(same.map((one) => one.found)) }];
  });

const toDifference = ({ relation, record, name }: PeoplePair) => ({ relation, record, name });
const textOf = ({ entry, name: role }: PeoplePair, names: readonly string[]): string => {
  const known = names.map((name) => (name === nobody.username ? 'nobody' : name));
  return normalizers.names(entry === null ? known : known.map((name) => entryText(role, entry, name))) ?? '';
};

/** A role has each user once, and each entry has its own. */
const isSame = <T>({ entry }: PeoplePair, left: readonly T[], right: readonly T[]): boolean =>
  entry === null ? isSameSet(left, right) : left.toSorted().join() === right.toSorted().join();

function isSameSet<T>(left: readonly T[], right: readonly T[]): boolean {
  const [a, b] = [new Set(left), new Set(right)];
  return a.size === b.size && [...a].every((one) => b.has(one));
}

/** GitLab makes such an account the author of the records of a user who is deleted, without a new time. */
const ghost = /^ghost\d*$/;

const hasGhost = ({ listed }: PeoplePair): boolean => listed.some(({ username }) => ghost.test(username));

/** An event of a user who is deleted later has no user. */
const hasNobody = ({ listed }: PeoplePair): boolean => listed.some(({ id }) => id === nobody.id);

function isCertainOnExport(pair: PeoplePair, exportedAt: number): boolean {
  if (pair.isFixed) return !hasGhost(pair) && !hasNobody(pair);
  return pair.listedAt !== null && pair.listedAt < exportedAt;
}

/** Returns a function that names an archived user as the source or the archive does. */
function archivedNames(
  archivedUsers: PeopleSides['archivedUsers'],
  exported: Iterable<PeoplePair>,
): (id: number) => string {
  const names = new Map(archivedUsers.map(({ id, username }) => [id, username]));
  for (const { listed } of exported) for (const { id, username } of listed) names.set(id, username);
  return (id) => (id === nobody.id ? nobody.username : (names.get(id) ?? `user ${id}`));
}

const maxNamedUsers = 20;
const describe = (text: string, names: readonly string[]): string[] =>
  sentenceAbout(text, names, maxNamedUsers);

function describeMapping(
  sides: PeopleSides,
  mapping: UserMapping,
  nameOf: (id: number) => string,
): { declared: string[]; remarks: string[] } {
  const { imported, account, archivedUsers, members } = sides;
  const counts = new Map<number, number>();
  for (const { archived } of completeOf(imported))
    for (const id of archived) if (id !== nobody.id) counts.set(id, (counts.get(id) ?? 0) + 1);
  const users = [...counts].map(([id, count]) => ({ id, name: nameOf(id), count, target: mapping(id) }));
  const others = users.filter(({ name, target }) => target === null || foldCase(name) !== foldCase(target));
  const replaced = others.filter(({ target }) => target === account);
  const renamed = others.filter(({ target }) => target !== account && target !== null);
  const unknown = others.filter(({ target }) => target === null);
  const memberNames = new Set(members?.map(({ username }) => foldCase(username)));
  const doubtful = replaced.filter(({ name }) => memberNames.has(foldCase(name)));
  const usersById = new Map(archivedUsers.map((user) => [user.id, user]));
  const addresses = new Map(members?.map(({ username, email }) => [username, email]));
  /** Returns whether another member has the username of the user, or the two users have different addresses. */
  const mayBeOther = ({ id, name, target }: (typeof users)[number]): boolean => {
    const user = usersById.get(id);
    const namesakes = [name, user?.username ?? name].map(foldCase).filter((one) => memberNames.has(one));
    const [address, found] = [user?.email ?? null, addresses.get(target ?? '') ?? null];
    const hasOtherAddress = address !== null && found !== null && foldCase(address) !== foldCase(found);
    return hasOtherAddress || namesakes.some((one) => one !== foldCase(target ?? ''));
  };
  const nameBoth = ({ name, target }: (typeof users)[number]): string => `${name} (${target ?? ''})`;
  return {
    remarks: [
      ...describe(
        `The import used its own account, ${account}, in place of users that it did not map (number of their records, notes, reactions and changes)`,
        replaced.map(({ name, count }) => `${name} (${count})`),
      ),
      ...describe(
        'These users have another username on the target than on the source',
        renamed.filter((user) => !mayBeOther(user)).map(nameBoth),
      ),
    ],
    declared: [
      ...describe(
        'The target has members with the usernames of users that the import did not map, so it is not known whether it lost these',
        doubtful.map(({ name }) => name),
      ),
      ...describe(
        'The target shows other users in place of these, although it has members with their usernames, or the addresses differ, so it is not known whether the import exchanged them',
        renamed.filter(mayBeOther).map(nameBoth),
      ),
      ...describe(
        'It is not known which users of the target these users are, so they were not compared with the target',
        unknown.map(({ name, count }) => `${name} (${count})`),
      ),
      ...describeIncomplete(sides),
    ],
  };
}

/** Returns sentences about the roles that only one side of a pair has. */
function describeIncomplete({ exported, imported }: PeopleSides): string[] {
  const unarchived = new Set<string>();
  const unlisted = { source: new Set<string>(), target: new Set<string>() };
  for (const [side, pairs] of [
    ['source', exported],
    ['target', imported],
  ] as const)
    for (const { archived, listed, relation, name } of pairs) {
      const role = `${name} of ${relationText(relation)}`;
      if (listed === null) unlisted[side].add(role);
      else if (archived === null && listed.length > 0) unarchived.add(role);
    }
  return [
    ...describe('These users were not compared, because the archive does not contain them', [...unarchived]),
    ...(['source', 'target'] as const).flatMap((side) =>
      describe(`These users were not compared with the ${side}, because it does not show them`, [
        ...unlisted[side],
      ]),
    ),
  ];
}
