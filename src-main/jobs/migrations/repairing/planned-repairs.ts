/**
 * @file Decides which request gives the target what was lost: a setting, a field of a record, a label or a protection. Other parts
 * are not repaired: GitLab would give them another author or time. The state of an issue, for example, has a time. Rights of an
 * existing protection are not changed either: other people may have added rights to it. Pure. (gitlab-facts 14.6)
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

/** Returns the parameters of an edit that gives a field the value; null if no request gives it exactly this value. */
type ToParameters = (value: unknown) => Fields | null;

/** Labels that people added on the target stay. */
const addedLabels: ToParameters = (value) =>
  Array.isArray(value) && value.length > 0 ? { add_labels: value } : null;

/** GitLab carries out lines such as "/close" in a description that is sent to it. */
const hasQuickAction = (value: unknown): boolean => typeof value === 'string' && /^\s*\/[a-z]/m.test(value);

const parameter =
  (name: string): ToParameters =>
  (value) => ({ [name]: value ?? '' });
const stateEvent =
  (events: Readonly<Record<string, string>>): ToParameters =>
  (state) => {
    const event = events[String(state)];
    return event === undefined ? null : { state_event: event };
  };

const noteableParameters = {
  title: parameter('title'),
  description: (value: unknown) => (hasQuickAction(value) ? null : { description: value ?? '' }),
  labels: addedLabels,
  milestone: parameter('milestone'),
  discussion_locked: (value: unknown) => ({ discussion_locked: value === true }),
};

/** The fields that an edit sets, and nothing else. */
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
  const { relation: lostRelation, iid, title, part, lost } = loss;
  const relation = repairableRelations.find((each) => each === lostRelation);
  if (part === null && importableRelations.some((each) => each === lostRelation)) {
    return lost === 'on-import' ? 'import-again' : 'no-request';
  }
  if (relation === undefined || relation === 'settings') return 'no-request';
  if (isNumbered(relation) && iid === null) return 'no-name';
  const key = iid === null ? title : String(iid);
  if (key === null) return 'no-name';
  if (record !== null && !isRecordOf(loss, record)) return 'no-value';
  return part === null ? additionOf(relation, key, lost, record) : editOf(relation, key, lost, part, record);
}

/** A milestone of a group has no number in the project. */
const isNumbered = (relation: RecordRelation): boolean =>
  relation === 'issues' || relation === 'merge_requests' || relation === 'milestones';

/** Returns whether the record has the number or the name of the lost one. Its title may be what was lost. */
const isRecordOf = ({ iid, title }: MissingRecord, record: Fields): boolean =>
  iid === null ? [record['title'], record['name']].includes(title) : record['iid'] === iid;

function editOf(
  relation: RecordRelation,
  key: string,
  lost: MissingRecord['lost'],
  part: NonNullable<MissingRecord['part']>,
  record: Fields | null,
): Repair | UnrepairableReason {
  const field = fieldOf(relation, part.name);
  const toParameters = isEdited(relation) ? editableFields[relation][part.name] : undefined;
  if (!isEdited(relation) || !('values' in part) || field === undefined || toParameters === undefined) {
    return 'no-request';
  }
  if (record === null) return 'no-value';
  const isArchived = lost === 'on-import';
  const contents = isArchived ? archivedContents(relation, record) : listedContents(relation, record);
  const { expected, found } = part.values;
  if (valueText(contents[part.name] ?? '') !== expected) return isArchived ? 'no-value' : 'source-changed';
  const body = toParameters((isArchived ? field.archived : field.listed)?.(record));
  return body === null ? 'no-request' : { relation, key, field: part.name, expected, found, body };
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

function labelParameters(name: string, lost: MissingRecord['lost'], record: Fields): Fields {
  const values = Object.entries(editableFields.labels).flatMap(([field, toParameters]) => {
    const { archived, listed } = fieldOf('labels', field) ?? {};
    const value = (lost === 'on-import' ? archived : listed)?.(record) ?? null;
    return value === null ? [] : Object.entries(toParameters(value) ?? {});
  });
  return { name, ...Object.fromEntries(values) };
}

/** The rights that a request for a protection can give to roles, with the parameter of each. */
const protectionRights: Readonly<Record<string, ToParameters>> = {
  'push access level': parameter('push_access_level'),
  'merge access level': parameter('merge_access_level'),
  'create access level': parameter('create_access_level'),
  // Only Premium has this right.
  'unprotect access level': (value) => (value === null ? {} : { unprotect_access_level: value }),
  'force push': (value) => ({ allow_force_push: value === 1 }),
  'code owner approval': (value) => (value === 1 ? { code_owner_approval_required: true } : {}),
};

/** Returns null if the protection has rights of users, groups or deploy keys, or if no role may push, merge or create. */
function protectionParameters(record: Fields): Fields | null {
  const { name, rules = {} } = parseProtectedRef(record) ?? {};
  const rights = Object.entries(rules);
  const isForRoles = rights.every(([right, level]) => {
    if (!(right in protectionRights)) return level === 0;
    return level !== null || right === 'unprotect access level';
  });
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
