/** @file Decides what a record or the settings of the target say about a repair. Pure. */
import type { Repair } from '../../../../src-contract/migrations/repair.ts';
import { fieldOf, listedContents } from '../comparing/contents/compared-fields.ts';
import type { Fields } from '../comparing/contents/field-readers.ts';
import { hasName, isShortened, shownNames, valueText } from '../comparing/contents/field-values.ts';
import { settingText } from '../comparing/settings/setting-table.ts';
import { isSame } from '../comparing/settings/setting-values.ts';

/**
 * `open`: the target still has the value that the comparison found. `done`: it has the expected one. `changed`: it has a third
 * one. `gone`: it does not show the record or the setting.
 */
export type RepairState = 'open' | 'done' | 'changed' | 'gone';

/** @param current the record as GitLab lists it, or the attributes of the project; null if there is no such record. */
export function repairStateOf(repair: Repair, current: Fields | null): RepairState {
  const { relation, field, expected, found } = repair;
  // A project shows the labels of its groups, too.
  const isOfGroup = relation === 'labels' && current?.['is_project_label'] === false;
  if (field === null) return current === null ? 'open' : isOfGroup ? 'changed' : 'done';
  const value = current === null || isOfGroup ? null : valueOf(repair, field, current);
  if (value === null) return 'gone';
  // Labels are added, so that others stay.
  if (field === 'labels') return hasEachName(value, expected) ? 'done' : 'open';
  const isSwitch = relation === 'settings' || fieldOf(relation, field)?.kind === 'flag';
  const isEqual = (one: string, other: string): boolean => (isSwitch ? isSame(one, other) : one === other);
  if (isEqual(value, expected)) return 'done';
  return isEqual(value, found ?? '') ? 'open' : 'changed';
}

const hasEachName = (value: string, expected: string): boolean =>
  isShortened(expected) ? value === expected : shownNames(expected).every((name) => hasName(value, name));

function valueOf({ relation }: Repair, field: string, current: Fields): string | null {
  if (relation === 'settings') return settingText(current, field);
  if (relation === 'protected_branches' || relation === 'protected_tags') return null;
  const value = listedContents(relation, current)[field];
  return value === undefined ? null : valueText(value);
}
