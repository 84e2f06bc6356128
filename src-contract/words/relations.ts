/** @file The names of relations, and of the rows of a comparison, for users. */
import type { ChangedField, MissingRecord } from '../transfers/import.ts';
import { roleText } from './roles.ts';
import { upperFirst } from './first-letter.ts';

const known: Partial<Record<string, string>> = {
  issue_notes: 'comments on issues',
  merge_request_notes: 'comments on merge requests',
  ci_pipelines: 'pipelines',
  ci_cd_settings: 'CI/CD settings',
  project_members: 'members',
  project_badges: 'badges',
  project: 'settings of the project',
  project_feature: 'levels of features',
  container_expiration_policy: 'cleanup policy',
  error_tracking_setting: 'error tracking',
  auto_devops: 'Auto DevOps',
  push_rule: 'push rules',
  lfs_objects: 'LFS objects',
  lfs_objects_size: 'LFS objects',
};

/**
 * Returns the name for a sentence, such as "merge requests" for `merge_requests`. An unknown relation gets its key as
 * name.
 */
export function relationText(relation: string): string {
  const words = known[relation] ?? relation.replaceAll('_', ' ').trim();
  return words === '' ? relation : words;
}

/** Returns the name as a label, such as "Merge requests". */
export const relationLabel = (relation: string): string => upperFirst(relationText(relation));

/** Returns the sentence about relations that could not be confirmed on a side; null if there are none. */
export const unconfirmedText = (relations: readonly string[] = []): string | null =>
  relations.length === 0 ? null : `Not confirmed: ${relations.map(relationText).join(', ')}.`;

const quote = (value: string): string => (value === '' ? 'nothing' : `"${value.replaceAll(/\s+/g, ' ')}"`);

/** Returns how a part of a record differs: the counts of its elements, or the values of a field. */
export function partText(part: NonNullable<MissingRecord['part']>): string {
  if ('values' in part) {
    const { expected, found } = shownValues(part);
    return `${part.name}: ${quote(found)} instead of ${quote(expected)}`;
  }
  const { name, expected, found, missing = [] } = part;
  const missingText = missing.length === 0 ? '' : `; missing: ${missing.map(quote).join(', ')}`;
  return `${name}: ${found} of ${expected}${missingText}`;
}

/** Returns the values of a field as users see them: roles by name, and switches as yes or no. */
export function shownValues({ name, values }: ChangedField): ChangedField['values'] {
  const showSwitch = Object.hasOwn(switchTexts, name) ? (switchTexts[name] ?? null) : null;
  const show = name.endsWith('access level') ? levelText : showSwitch;
  return show === null ? values : { expected: show(values.expected), found: show(values.found) };
}

/** The value of an access level that no role has. */
export const noRole = 'no role';

const levelText = (level: string): string => {
  if (level === '0') return 'No one';
  return level === noRole ? level : roleText(Number(level));
};
const switchTexts: Readonly<Record<string, (value: string) => string>> = {
  'force push': (value: string): string => (value === '1' ? 'allowed' : 'not allowed'),
  'code owner approval': (value: string): string => (value === '1' ? 'required' : 'not required'),
  'all protected branches': (value: string): string => (value === '1' ? 'included' : 'not included'),
};
