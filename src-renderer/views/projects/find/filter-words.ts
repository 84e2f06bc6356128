/** @file Texts for filters and their values. */
import { common } from '../../../kit/common.text.ts';
import { findText as text } from './find.text.ts';
import { projectsText } from '../projects.text.ts';
import { momentText } from '../../shared/moments.ts';
import { roleOptions } from '../../shared/role-options.ts';
import type { Filter, FilterName } from './find-query.ts';

export const filterLabel = (name: FilterName): string =>
  (text.filter as Readonly<Record<string, string>>)[name] ?? name;

export function filterOptions({ kind, values, canExclude }: Filter): { value: string; label: string }[] {
  switch (kind) {
    case 'yes-no':
      return [
        { value: 'true', label: common.yes },
        ...(canExclude ? [{ value: 'false', label: common.no }] : []),
      ];
    case 'role':
      return roleOptions;
    default:
      return values.map((value) => ({ value, label: projectsText.visibility(value) }));
  }
}

/** The chosen value in words; `rawValue` is the value in the address. */
export function filterSummary(filter: Filter, rawValue: string): string {
  const label = filterOptions(filter).find(({ value }) => value === rawValue)?.label;
  return `${filterLabel(filter.name)}: ${label ?? (filter.kind === 'moment' ? momentText(rawValue) : rawValue)}`;
}
