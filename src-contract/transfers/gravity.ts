/** @file Grave losses: people can see or do more on the target than on the source. */
import { openLevels } from '../projects/project-attributes.ts';
import { isWider, visibilities } from '../projects/project-details.ts';
import { noRole } from '../words/relations.ts';
import type { MissingRecord, Reconciliation } from './import.ts';

type Setting = Reconciliation['settings'][number];

const wasSwitchedOff = (expected: string, found: string): boolean => expected === 'true' && found === 'false';

/** At level 0, and without a role, no role has the right. */
const isLowerLevel = (expected: string, found: string): boolean =>
  !isForNobody(found) && (isForNobody(expected) || Number(found) < Number(expected));
const isForNobody = (level: string): boolean => level === '0' || level === noRole;

export function isGraveRecord({ relation, part }: Pick<MissingRecord, 'relation' | 'part'>): boolean {
  const protects = [
    'protected_branches',
    'protected_tags',
    'protected_environments',
    'approval_rules',
    'push_rule',
  ].includes(relation);
  if (part === null || !('values' in part)) return protects;
  const { expected, found } = part.values;
  if (part.name === 'force push') return found === '1';
  if (part.name === 'code owner approval') return found === '0';
  if (part.name === 'required approvals') return Number(found) < Number(expected);
  if (part.name.endsWith('access level')) return protects && isLowerLevel(expected, found);
  if (/^(users who|groups that) may /.test(part.name)) return Number(found) > Number(expected);
  if (part.name === 'visibility') return isWider(visibilities, found, expected);
  const isSecrecy = part.name === 'confidential' || part.name.startsWith('internal of the note');
  return isSecrecy ? wasSwitchedOff(expected, found) : relation === 'push_rule';
}

export function isGraveSetting({ attribute, expected, found }: Omit<Setting, 'lost'>): boolean {
  if (attribute === 'visibility') return isWider(visibilities, found, expected);
  if (attribute.endsWith('_access_level')) return isWider(openLevels, found, expected);
  return attribute.startsWith('only_allow_merge_if') && wasSwitchedOff(expected, found);
}

/** Returns the number of grave losses. */
export const graveLossCount = ({ missing, settings }: Pick<Reconciliation, 'missing' | 'settings'>): number =>
  missing.filter(isGraveRecord).length + settings.filter(isGraveSetting).length;

/** Returns the items with the grave ones first, otherwise in their order. */
export const gravestFirst = <T>(items: readonly T[], isGrave: (item: T) => boolean): T[] => [
  ...items.filter(isGrave),
  ...items.filter((item) => !isGrave(item)),
];
