/** @file Decides what a record or the settings of the target say about a repair. Pure. */
import type { Repair } from '../../../../src-contract/migrations/repair.ts';
import { listedContents } from '../comparing/contents/compared-fields.ts';
import type { Fields } from '../comparing/contents/field-readers.ts';
import { valueText } from '../comparing/contents/field-values.ts';
import { parseProtectedRef } from '../comparing/refs/protected-refs.ts';
import { isSame, toText } from '../comparing/settings/setting-values.ts';

/**
 * `open`: the target still has the value that the comparison found. `done`: it has the expected one. `changed`: it has a third
 * one. `gone`: it does not show the record or the setting.
 */
export type RepairState = 'open' | 'done' | 'changed' | 'gone';

/** @param current the record as GitLab lists it, or the attributes of the project; null if there is no such record. */
export function repairStateOf(repair: Repair, current: Fields | null): RepairState {
  if (repair.field === null) return current === null ? 'open' : 'done';
  // A protection is removed before it is added again.
  if (current === null && isProtection(repair)) return 'open';
  const value = current === null ? null : valueOf(repair, repair.field, current);
  if (value === null) return 'gone';
  if (isSame(value, repair.expected)) return 'done';
  return isSame(value, repair.found ?? '') ? 'open' : 'changed';
}

/** Returns whether the repair is one of a protected branch or tag, whose rights GitLab cannot edit in every tier. */
export const isProtection = ({ relation }: Repair): boolean =>
  relation === 'protected_branches' || relation === 'protected_tags';

function valueOf({ relation }: Repair, field: string, current: Fields): string | null {
  if (relation === 'settings') return field in current ? toText(current[field]) : null;
  if (relation === 'protected_branches' || relation === 'protected_tags') {
    const level = parseProtectedRef(current)?.rules[field];
    return level === undefined ? null : String(level ?? '');
  }
  const value = listedContents(relation, current)[field];
  return value === undefined ? null : valueText(value);
}
