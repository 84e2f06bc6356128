/**
 * @file Decides which request gives the target what was lost: a value of a setting or of a record, or a label or a protection.
 * GitLab can change no other lost values, or would give them another author or time. Pure. (gitlab-facts 14.6)
 */
import {
  repairableRelations,
  type Repair,
  type RepairableRelation,
  type UnrepairableReason,
} from '../../../../src-contract/migrations/repair.ts';
import {
  attributeProblems,
  parseAttribute,
} from '../../../../src-contract/projects/project-attribute-values.ts';
import {
  attributeNamed,
  type Attribute,
  type AttributeValue,
} from '../../../../src-contract/projects/project-attributes.ts';
import type { MissingRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { importableRelations } from '../../../../src-contract/transfers/transfer.ts';
import { fieldOf, archivedContents, listedContents } from '../comparing/contents/compared-fields.ts';
import type { Fields } from '../comparing/contents/field-readers.ts';
import { valueText } from '../comparing/contents/field-values.ts';
import { parseProtectedRef } from '../comparing/refs/protected-refs.ts';

type RecordRelation = Exclude<RepairableRelation, 'settings'>;
type EditedRelation = Exclude<RecordRelation, 'protected_branches' | 'protected_tags'>;

/** Returns the parameters of an edit that gives a field the value. */
type ToParameters = (value: unknown) => Fields;

const parameter =
  (name: string): ToParameters =>
  (value) => ({ [name]: value ?? '' });
const stateEvent =
  (events: Readonly<Record<string, string>>): ToParameters =>
  (state) => ({ state_event: events[String(state)] });

const noteableParameters = {
  title: parameter('title'),
  description: parameter('description'),
  state: stateEvent({ opened: 'reopen', closed: 'close' }),
  labels: parameter('labels'),
  milestone: parameter('milestone'),
  discussion_locked: (value: unknown) => ({ discussion_locked: value === true }),
};

/** The fields that GitLab's API can edit, by relation. An approval, a vote or a time of a record has its own author or clock. */
const editableFields: Readonly<Record<EditedRelation, Readonly<Record<string, ToParameters>>>> = {
  issues: {
    ...noteableParameters,
    confidential: (value) => ({ confidential: value === true }),
    due_date: parameter('due_date'),
    weight: (value) => ({ weight: value ?? null }),
  },
  merge_requests: noteableParameters,
  milestones: {
    title: parameter('title'),
    description: parameter('description'),
    state: stateEvent({ active: 'activate', closed: 'close' }),
    start_date: parameter('start_date'),
    due_date: parameter('due_date'),
  },
  labels: {
    color: parameter('color'),
    description: parameter('description'),
    priority: (value) => ({ priority: value ?? null }),
  },
};

const isEdited = (relation: RecordRelation): relation is EditedRelation => relation in editableFields;

/**
 * Returns the repair of a lost record, or of a lost part of one; otherwise the reason why there is none.
 * @param record the record of the archive if the import lost it, otherwise the record as the source lists it; null if unknown.
 */
export function repairOfRecord(loss: MissingRecord, record: Fields | null): Repair | UnrepairableReason {
  const { relation: lostRelation, part, lost } = loss;
  const relation = repairableRelations.find((each) => each === lostRelation);
  if (part === null && importableRelations.some((each) => each === lostRelation)) return 'import-again';
  if (relation === undefined || relation === 'settings') return 'no-request';
  const key = loss.iid === null ? loss.title : String(loss.iid);
  if (key === null) return 'no-name';
  if (part === null) return additionOf(relation, key, lost, record);
  if (!isEdited(relation)) return renewalOf(relation, key, part, record);
  const field = fieldOf(relation, part.name);
  const toParameters = editableFields[relation][part.name];
  if (!('values' in part) || field === undefined || toParameters === undefined) return 'no-request';
  if (record === null) return 'no-value';
  const contents =
    lost === 'on-import' ? archivedContents(relation, record) : listedContents(relation, record);
  const { expected, found } = part.values;
  if (valueText(contents[part.name] ?? '') !== expected) return 'source-changed';
  const read = lost === 'on-import' ? field.archived : field.listed;
  const body = toParameters(read?.(record));
  // A merge request cannot be merged without its time and author.
  if (Object.values(body).includes(undefined)) return 'no-request';
  return { relation, key, field: part.name, expected, found, body };
}

/** Returns the repair that adds a record. GitLab would give a milestone another number. */
function additionOf(
  relation: RecordRelation,
  key: string,
  lost: MissingRecord['lost'],
  record: Fields | null,
): Repair | UnrepairableReason {
  if (relation !== 'labels' && relation !== 'protected_branches' && relation !== 'protected_tags') {
    return 'no-request';
  }
  if (record === null) return 'no-value';
  const body = relation === 'labels' ? labelParameters(key, lost, record) : protectionParameters(record);
  if (body === null) return 'no-request';
  return { relation, key, field: null, expected: key, found: null, body };
}

/** Returns the repair that gives a protection its rights again: GitLab's Free tier can edit none, so it is added again. */
function renewalOf(
  relation: 'protected_branches' | 'protected_tags',
  key: string,
  part: NonNullable<MissingRecord['part']>,
  record: Fields | null,
): Repair | UnrepairableReason {
  if (record === null) return 'no-value';
  const body = protectionParameters(record);
  if (body === null || !('values' in part) || !(part.name in protectionRights)) return 'no-request';
  const { expected, found } = part.values;
  const level = parseProtectedRef(record)?.rules[part.name] ?? null;
  if (String(level ?? '') !== expected) return 'source-changed';
  return { relation, key, field: part.name, expected, found, body };
}

function labelParameters(name: string, lost: MissingRecord['lost'], record: Fields): Fields {
  const values = Object.entries(editableFields.labels).flatMap(([field, toParameters]) => {
    const { archived, listed } = fieldOf('labels', field) ?? {};
    const value = (lost === 'on-import' ? archived : listed)?.(record) ?? null;
    return value === null ? [] : Object.entries(toParameters(value));
  });
  return { name, ...Object.fromEntries(values) };
}

/** The rights that a request for a protection can give to roles, with the parameter of each. */
const protectionRights: Readonly<Record<string, ToParameters>> = {
  'push access level': parameter('push_access_level'),
  'merge access level': parameter('merge_access_level'),
  'create access level': parameter('create_access_level'),
  'force push': (value) => ({ allow_force_push: value === 1 }),
  'code owner approval': (value) => (value === 1 ? { code_owner_approval_required: true } : {}),
};

/** Returns null if the protection has rights of users, groups or deploy keys, or of no role. */
function protectionParameters(record: Fields): Fields | null {
  const { name, rules = {} } = parseProtectedRef(record) ?? {};
  const rights = Object.entries(rules).filter(
    ([right]) => !right.endsWith('unprotect') && right !== 'unprotect access level',
  );
  const isForRoles = rights.every(([right, level]) =>
    right in protectionRights ? level !== null : level === 0,
  );
  if (name === undefined || !isForRoles) return null;
  const parameters = rights.flatMap(([right, level]) =>
    Object.entries(protectionRights[right]?.(level) ?? {}),
  );
  return { name, ...Object.fromEntries(parameters) };
}

/** Returns the repair of a setting; otherwise the reason why there is none. */
export function repairOfSetting({
  attribute,
  expected,
  found,
}: Reconciliation['settings'][number]): Repair | UnrepairableReason {
  const known = attributeNamed(attribute);
  const value = known === undefined ? null : valueOf(known, expected);
  if (value === null || attributeProblems('edit', { [attribute]: value }).length > 0) return 'no-request';
  return { relation: 'settings', key: '', field: attribute, expected, found, body: { [attribute]: value } };
}

/** Returns null if the text is no value of the attribute, such as an empty number. */
function valueOf(attribute: Attribute, text: string): AttributeValue | null {
  try {
    return parseAttribute(attribute, text);
  } catch {
    return null;
  }
}
