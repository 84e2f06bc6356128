/** @file Compares protected branches, tags and environments, and approval rules: which are missing or differ. Pure. */
import { accessLevels } from '../../access-levels.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import { listOf, type Fields } from '../contents/field-readers.ts';
import type { PeoplePair } from '../people/paired-people.ts';
import type { Person } from '../people/record-people.ts';
import { sentenceAbout } from '../sentence-about.ts';
import { noRole, relationText } from '../../../../../src-contract/words/relations.ts';

/** GitLab shows no time of a change of these, and offers them on Premium only. */
export const untimedProtections = ['protected_environments', 'approval_rules'] as const;
export const protectedRelations = ['protected_branches', 'protected_tags', ...untimedProtections] as const;
export type ProtectedRelation = (typeof protectedRelations)[number];
/** The list of approval rules leaves out some of GitLab's own, which an archive contains. */
export const countedProtections = protectedRelations.filter((relation) => relation !== 'approval_rules');
export const isUntimed = (relation: ProtectedRelation): boolean =>
  untimedProtections.some((untimed) => untimed === relation);

/**
 * `rules` maps the name of a right to a number: the lowest role that has the right, how many individual users or groups have it,
 * or 0 for no and 1 for yes. Null: no role has it.
 */
export interface ProtectedRef {
  name: string;
  rules: Readonly<Record<string, number | null>>;
  /** True for a protected branch of a group, which no export of a project contains. */
  isInherited?: true;
  /** The protected branches of an approval rule. Absent if the rule applies to all of them. */
  branches?: readonly string[];
  /** The users of an approval rule: ids of the source in an archive, users in a list. */
  userIds?: readonly number[];
  users?: readonly Person[];
}

export interface ProtectedRefsToCompare {
  relation: ProtectedRelation;
  source: readonly ProtectedRef[] | null;
  archive: readonly (ProtectedRef & { line: number })[];
  target: readonly ProtectedRef[] | null;
  /** True if the source was edited, or may have been edited, after its export began. */
  hasSourceChanged: boolean;
}

export interface ProtectionLosses {
  missing: MissingRecord[];
  declared: string[];
  /** Sentences about differences that are no loss. */
  remarks: string[];
  /** The columns of the archive with rights that one of the sides does not show. */
  unshown: string[];
  isTargetUnreadable: boolean;
}

/**
 * Columns of a level for a user, group, deploy key or custom role. Exports omit the last two, so that such a level looks
 * like a default role.
 */
const otherHolders = ['user_id', 'group_id', 'deploy_key_id', 'member_role_id'] as const;

/** Returns the lowest role of an access list: 0 if nobody has access, null if the list has no roles. */
function lowestRole(levels: readonly Fields[]): number | null {
  const roles = levels.flatMap((level) => {
    const { access_level: role } = level;
    return typeof role === 'number' && otherHolders.every((holder) => (level[holder] ?? null) === null)
      ? [role]
      : [];
  });
  const allowed = roles.filter((role) => role > 0);
  if (allowed.length > 0) return Math.min(...allowed);
  return roles.length === 0 ? null : 0;
}

const countOf = (levels: readonly Fields[], column: string): number =>
  levels.filter(({ [column]: id }) => typeof id === 'number').length;

export function parseProtectedRef(record: Readonly<Record<string, unknown>>): ProtectedRef | null {
  const { name, allow_force_push: force, code_owner_approval_required: approval } = record;
  if (typeof name !== 'string') return null;
  const { rule_type: type, approvals_required: required, applies_to_all_protected_branches: toAll } = record;
  // GitLab makes other rules for reports and policies itself.
  if (typeof type === 'string' && type !== 'regular' && type !== 'any_approver') return null;
  const rules = ['push', 'merge', 'create', 'deploy', 'unprotect'].flatMap(
    (action): [string, number | null][] => {
      const levels = listOf(record[`${action}_access_levels`]);
      if (levels === undefined) return [];
      return [
        [`${action} access level`, lowestRole(levels)],
        [`users who may ${action}`, countOf(levels, 'user_id')],
        [`groups that may ${action}`, countOf(levels, 'group_id')],
        ...(levels.some((level) => 'deploy_key_id' in level)
          ? [[`deploy keys that may ${action}`, countOf(levels, 'deploy_key_id')] as [string, number]]
          : []),
      ];
    },
  );
  return {
    name,
    rules: {
      ...Object.fromEntries(rules),
      ...(typeof force === 'boolean' && { 'force push': Number(force) }),
      ...(typeof required === 'number' && { 'required approvals': required }),
      ...(typeof toAll === 'boolean' && { 'all protected branches': Number(toAll) }),
      ...(typeof approval === 'boolean' && { 'code owner approval': Number(approval) }),
      ...parseUnexportedRights(record),
    },
    ...(record['inherited'] === true && { isInherited: true }),
    ...approvalDetails(record),
  };
}

/** Rights that no export contains (gitlab-facts 5.6). An import into a new project sets none of them. */
const unexportedRights = ['groups', 'required approvals of deployments', 'approval rules of deployments'];

function parseUnexportedRights(record: Fields): Record<string, number> {
  const { contains_hidden_groups: hasHidden, required_approval_count: approvals } = record;
  const [groups, rules] = [listOf(record['groups']), listOf(record['approval_rules'])];
  return {
    ...(groups !== undefined && { groups: groups.length + Number(hasHidden === true) }),
    ...(typeof approvals === 'number' && { 'required approvals of deployments': approvals }),
    ...(rules !== undefined && { 'approval rules of deployments': rules.length }),
  };
}

/** GitLab shows all protected branches for a rule that applies to all of them. */
function approvalDetails(record: Fields): Omit<ProtectedRef, 'name' | 'rules'> {
  const { applies_to_all_protected_branches: toAll } = record;
  const archived = listOf(record['approval_project_rules_protected_branches']);
  const branches =
    archived?.map(({ branch_name: name }) => name) ??
    listOf(record['protected_branches'])?.map(({ name }) => name);
  const [userIds, users] = [listOf(record['approval_project_rules_users']), listOf(record['users'])];
  return {
    ...(branches !== undefined && toAll !== true && { branches: branches.map(String).toSorted() }),
    ...(userIds !== undefined && {
      userIds: userIds.flatMap(({ user_id: id }) => (typeof id === 'number' ? [id] : [])),
    }),
    ...(users !== undefined && {
      users: users.map(({ id, username }) => ({ id: Number(id), username: String(username) })),
    }),
  };
}

export function lostProtections(sides: ProtectedRefsToCompare): ProtectionLosses {
  const { relation, archive, hasSourceChanged } = sides;
  const [source, target] = [ownRefs(sides.source), ownRefs(sides.target)];
  const relationLabel = relationText(relation);
  const archivedRefs = new Map(archive.map((ref) => [ref.name, ref]));
  const targetRefs = new Map(target?.map((ref) => [ref.name, ref]));
  const importLosses = (target === null ? [] : archive).flatMap((ref) => {
    const found = targetRefs.get(ref.name);
    return found === undefined
      ? [missingRecord(relation, 'on-import', ref.name, ref.line)]
      : differingRules(relation, 'on-import', ref, found, ref.line);
  });
  const raisedNames = archive.flatMap((ref) =>
    hasRaisedLevel(ref, targetRefs.get(ref.name)) ? [ref.name] : [],
  );
  const exportLosses = (source ?? []).flatMap((ref) => {
    const found = archivedRefs.get(ref.name);
    return found === undefined
      ? [missingRecord(relation, 'on-export', ref.name, null)]
      : differingRules(relation, 'on-export', ref, found, found.line);
  });
  const isTargetUnreadable = target === null && archive.length > 0;
  const notInArchive = (source ?? []).map((ref): [ProtectedRef, string[]] => [
    ref,
    unshownRules(ref, archivedRefs.get(ref.name)),
  ]);
  const unshown = [
    ...archive.flatMap((ref) => unshownRules(ref, targetRefs.get(ref.name))),
    ...notInArchive.flatMap(([, rules]) => rules.filter((rule) => !unexportedRights.includes(rule))),
  ];
  const unexported = notInArchive.flatMap(([{ name, rules }, names]) =>
    names
      .filter((rule) => unexportedRights.includes(rule) && targetRefs.get(name)?.rules[rule] !== rules[rule])
      .map((rule) => `${rule} of ${name}`),
  );
  return {
    missing: [...importLosses, ...(hasSourceChanged ? [] : exportLosses)],
    remarks: [
      ...describeInherited(sides),
      ...(raisedNames.length === 0
        ? []
        : [
            `The import raised access levels of these refs to Maintainer, as GitLab does unless an Owner of the top-level group imports: ${raisedNames.join(', ')} (${relationLabel}).`,
          ]),
      ...(unexported.length === 0
        ? []
        : [
            `An export does not carry these rights, so set them on the target if they matter: ${unexported.join(', ')} (${relationLabel}).`,
          ]),
    ],
    declared: [
      ...(isTargetUnreadable
        ? [`The ${relationLabel} of the target could not be listed, so it is not known whether they arrived.`]
        : []),
      ...(unshown.length === 0
        ? []
        : [
            `These rights were not compared, because one of the sides does not show them: ${[...new Set(unshown)].join(', ')} (${relationLabel}).`,
          ]),
      ...(hasSourceChanged && exportLosses.length > 0
        ? [
            `The source was edited, or may have been edited, after the export. Its protections differ from the archive, so it is not known whether the export lost these: ${[...new Set(exportLosses.map(({ title }) => title))].join(', ')} (${relationLabel}).`,
          ]
        : []),
    ],
    unshown: [...new Set(unshown.flatMap(columnOfRight))],
    isTargetUnreadable,
  };
}

const columns: Readonly<Record<string, string>> = {
  'force push': 'allow_force_push',
  'code owner approval': 'code_owner_approval_required',
  'required approvals': 'approvals_required',
  'all protected branches': 'applies_to_all_protected_branches',
};

/** Returns no column for a right that no export contains. */
function columnOfRight(rule: string): string[] {
  const [action] = /^\w+(?= access level$)|(?<= may )\w+$/.exec(rule) ?? [];
  const column = action === undefined ? columns[rule] : `${action}_access_levels`;
  return column === undefined ? [] : [column];
}

/** Returns the protections of the project itself, without those of its groups. */
export const ownRefs = (refs: readonly ProtectedRef[] | null): readonly ProtectedRef[] | null =>
  refs && refs.filter(({ isInherited }) => isInherited !== true);

function describeInherited({ source, target }: ProtectedRefsToCompare): string[] {
  const named = [
    ['source', source],
    ['target', target],
  ] as const;
  return named.flatMap(([side, refs]) =>
    sentenceAbout(
      `Groups of the ${side} protect these branches, and an export of a project does not contain that`,
      (refs ?? []).flatMap(({ name, isInherited }) => (isInherited === true ? [name] : [])),
    ),
  );
}

/** An import raises levels of refs to Maintainer, except "No one" (docs/gitlab-facts.md, section 7). */
const isRaised = (rule: string, expected: number, found: number | null): boolean =>
  rule.endsWith('access level') &&
  !/^(deploy|unprotect)/.test(rule) &&
  expected > 0 &&
  expected < accessLevels.maintainer &&
  found === accessLevels.maintainer;

const hasRaisedLevel = (before: ProtectedRef, after: ProtectedRef | undefined): boolean =>
  Object.entries(before.rules).some(([rule, expected]) =>
    isRaised(rule, expected ?? 0, after?.rules[rule] ?? null),
  );

/** Returns the rights that a ref has, and the other side does not show. */
const unshownRules = ({ rules }: ProtectedRef, other: ProtectedRef | undefined): string[] =>
  Object.entries(rules).flatMap(([rule, value]) =>
    value !== null && value > 0 && other !== undefined && other.rules[rule] === undefined ? [rule] : [],
  );

const missingRecord = (
  relation: ProtectedRelation,
  lost: MissingRecord['lost'],
  title: string,
  line: number | null,
): MissingRecord => ({ relation, lost, line, iid: null, title, part: null });

function differingRules(
  relation: ProtectedRelation,
  lost: MissingRecord['lost'],
  before: ProtectedRef,
  after: ProtectedRef,
  line: number,
): MissingRecord[] {
  const [branches, found] = [before.branches?.join(', '), after.branches?.join(', ')];
  const areKnown = branches !== undefined && found !== undefined;
  const differentBranches: MissingRecord[] =
    areKnown && branches !== found
      ? [
          {
            ...missingRecord(relation, lost, before.name, line),
            part: { name: 'branches', values: { expected: branches, found } },
          },
        ]
      : [];
  const differentRules = Object.entries(before.rules).flatMap(([rule, expected]): MissingRecord[] => {
    const found = after.rules[rule];
    if (found === undefined || found === expected) return [];
    if (lost === 'on-import' && isRaised(rule, expected ?? 0, found)) return [];
    const values = { expected: rightText(expected), found: rightText(found) };
    return [{ ...missingRecord(relation, lost, before.name, line), part: { name: rule, values } }];
  });
  return [...differentRules, ...differentBranches];
}

/** Returns the value of a right as comparisons store it. */
export const rightText = (value: number | null): string => (value === null ? noRole : String(value));

/** Pairs the users of the approval rules that both sides have. GitLab shows no time of a change of a rule. */
export function* pairRuleUsers(
  archive: readonly (ProtectedRef & { line: number })[],
  list: readonly ProtectedRef[] | null,
): Generator<PeoplePair, void, undefined> {
  const listed = new Map(list?.map((rule) => [rule.name, rule]));
  for (const { name, line, userIds } of archive) {
    const users = listed.get(name)?.users;
    if (userIds === undefined || users === undefined) continue;
    yield {
      ...{ relation: 'approval_rules', record: { line, iid: null, title: name } },
      ...{ name: 'users', entry: null, isFixed: false },
      ...{ archived: userIds, listed: users, archivedAt: null, listedAt: null },
    };
  }
}
