/**
 * @file Changes that the import of a relation made in addition to records: attributes, members, authors (gitlab-facts
 * 8). Pure.
 */
import type { Finding } from '../../../src-contract/archives/archive.ts';
import { joinNames, memberText } from '../../../src-contract/transfers/relation-members.ts';
import type {
  AuthoredRecord,
  RelationTarget,
  TargetMember,
} from '../../../src-contract/transfers/relation-target-schema.ts';
import { comparedSettings } from '../migrations/comparing/settings/setting-table.ts';
import { warning } from '../running/step.ts';

/** The compared attributes: the settings that a migration compares, and whether the project is archived. */
const comparedAttributes = [...comparedSettings.map(({ attribute }) => attribute), 'archived'];

/** Keeps only attributes that an import can assign, so that little is stored. */
export function pickComparedAttributes({ attributes }: RelationTarget): RelationTarget['attributes'] {
  return Object.fromEntries(
    comparedAttributes.flatMap((name) => (name in attributes ? [[name, attributes[name]] as const] : [])),
  );
}

/** Returns changed attributes and members, and records that now belong to the account instead of their authors. */
export function relationEffects(sides: {
  before: RelationTarget;
  after: RelationTarget;
  /** Records that did not exist before. `authors` has their current authors by iid; null if no list reports them. */
  sent: readonly AuthoredRecord[];
  authors: ReadonlyMap<number, string | null> | null;
}): Finding[] {
  const { before, after, sent, authors } = sides;
  return [
    ...changedAttributes(before.attributes, after.attributes),
    ...changedMembers(before.members, after.members),
    ...lostAuthors(before.account, sent, authors),
  ];
}

function changedAttributes(
  before: RelationTarget['attributes'],
  after: RelationTarget['attributes'],
): Finding[] {
  return comparedAttributes.flatMap((name) => {
    const [oldValue, newValue] = [JSON.stringify(before[name] ?? null), JSON.stringify(after[name] ?? null)];
    if (oldValue === newValue || !(name in before)) return [];
    return [
      warning('attribute-changed', `${name} of the project is ${newValue} now and was ${oldValue}.`, name),
    ];
  });
}

function changedMembers(before: RelationTarget['members'], after: RelationTarget['members']): Finding[] {
  if (before === null || after === null) {
    const message = 'The direct members cannot be read, so changes to them are not known.';
    return [warning('members-not-compared', message, 'project_members')];
  }
  const [beforeById, afterById] = [before, after].map(
    (members) => new Map(members.map((member) => [member.id, member])),
  );
  const removed = before.filter(({ id }) => afterById?.has(id) !== true);
  const added = after.filter(({ id }) => beforeById?.has(id) !== true);
  const roleChanged = after.filter(({ id, level }) => (beforeById?.get(id)?.level ?? level) !== level);
  const toFindings = (code: string, members: readonly TargetMember[], sentence: string): Finding[] =>
    members.length === 0
      ? []
      : [warning(code, `${sentence}: ${joinNames(members.map(memberText))}.`, 'project_members')];
  return [
    ...toFindings('member-removed', removed, 'These are no longer direct members'),
    ...toFindings('member-added', added, 'These became direct members'),
    ...toFindings('member-level', roleChanged, 'These members have another role now'),
  ];
}

function lostAuthors(
  { username: importer, administrator }: RelationTarget['account'],
  sent: readonly AuthoredRecord[],
  authors: ReadonlyMap<number, string | null> | null,
): Finding[] {
  const lost = sent.filter(({ iid, author }) => authors?.get(iid) === importer && author !== importer);
  if (lost.length === 0) return [];
  const recordTexts = lost.map(({ iid, author }) => `#${iid} (${author ?? 'not named in the archive'})`);
  const why = administrator ? '' : ' Only an administrator’s import keeps authors.';
  return [
    warning(
      'author-lost',
      `These records belong to ${importer} now: ${joinNames(recordTexts)}.${why}`,
      'author',
    ),
  ];
}
