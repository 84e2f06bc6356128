/** @file Settings of a migrated project that differ from the source, the archive or an override. Pure. */
import type { Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import { validOverrides } from '../../../../../src-contract/transfers/override-params.ts';
import { ignoredAttributes } from '../../../../../src-contract/projects/project-attribute-answers.ts';
import { attributeNamed } from '../../../../../src-contract/projects/project-attributes.ts';
import { importedVisibility, type VisibilityLimits } from '../../imported-visibility.ts';
import { describeApprovals, describeErrorTracking } from './further-settings.ts';
import {
  comparedSettings,
  customAttributeSettings,
  shownValue,
  visibilitySetting,
  type ArchivedSettings,
  type Attributes,
  type ComparedSetting,
} from './setting-table.ts';

type DifferingSetting = Reconciliation['settings'][number];

export interface SettingsOfSides {
  /** Null if the source cannot be read, or was edited after the export. The archive then decides the expected value. */
  source: Attributes | null;
  overrides: Readonly<Record<string, string>>;
  archive: ArchivedSettings | null;
  target: Attributes;
  /** Null if the target is not less visible than its archive. */
  visibilityLimits: VisibilityLimits | null;
}

/**
 * Compares each setting of the target with its override; without an override, with the source. Skips settings that a
 * side does not report or that are not set on the source. `remarks` has sentences about differences that are no loss,
 * `declared` about those that may be edits.
 */
export function differingSettings({
  source,
  overrides,
  archive,
  target,
  visibilityLimits,
}: SettingsOfSides): { settings: DifferingSetting[]; declared: string[]; remarks: string[] } {
  const settings: DifferingSetting[] = [];
  const notExported: DifferingSetting[] = [];
  const decidedByTarget: DifferingSetting[] = [];
  const possiblyLater: DifferingSetting[] = [];
  const loweredByImport: DifferingSetting[] = [];
  const isLowered = isLessVisible({ source, archive, target });
  const custom = customAttributeSettings(source, archive);
  for (const setting of [...comparedSettings, ...custom]) {
    const { attribute } = setting;
    const targetValue = shownValue(target, setting);
    if (targetValue === undefined || isOverridden(attribute, overrides)) continue;
    const columns = columnsOf(archive, setting);
    const archivedValue = archivedValueOf(columns, setting);
    const exportedValue = (archivedValue ?? '') === '' ? null : (archivedValue ?? null);
    const sourceValue = source === null ? null : sourceValueOf(source, setting);
    const found = toText(targetValue);
    if (found === null || (sourceValue !== null && isSame(found, sourceValue))) continue;
    const isLater = mayBeLater(setting, sourceValue, archivedValue);
    if (isLater)
      possiblyLater.push({ attribute, expected: sourceValue, found: exportedValue ?? '', lost: 'on-export' });
    // An account that is no administrator does not see the custom attributes of the source. Nor does every account or
    // version show error tracking. An instance may force a value that hides the project's own.
    const isHidden =
      (setting.part === 'custom_attributes' && source?.[setting.part] === undefined) ||
      (setting.part === 'error_tracking_setting' && sourceValue === null) ||
      (sourceValue !== null && exportedValue !== null && setting.mayDifferOnSource?.(sourceValue) === true);
    const expected = source === null || isLater || isHidden ? exportedValue : sourceValue;
    if (expected === null || isSame(found, expected)) continue;
    // In a private project, both values show the feature to members only.
    if (isLowered && expected === 'enabled' && found === 'private') continue;
    const difference = { attribute, expected, found, lost: lossPhaseOf(expected, archivedValue) };
    if (
      setting === visibilitySetting &&
      visibilityLimits !== null &&
      expected === exportedValue &&
      found === importedVisibility(expected, visibilityLimits)
    )
      loweredByImport.push(difference);
    else if (setting.mayDifferOnTarget?.(found) === true) decidedByTarget.push(difference);
    else if ((archivedValue ?? '') === '' && !isExported(setting, columns)) notExported.push(difference);
    else settings.push(difference);
  }
  for (const { attribute, asked, is } of ignoredAttributes(validOverrides(overrides), target)) {
    // GitLab keeps the first spelling of a topic's name.
    if (Array.isArray(is)) continue;
    const found = toText(target[attribute] ?? is) ?? JSON.stringify(is);
    settings.push({ attribute, expected: toText(asked) ?? JSON.stringify(asked), found, lost: 'on-import' });
  }
  return {
    settings,
    remarks: [
      ...declaredText(
        'An export does not carry these settings, so set them on the target if they matter',
        notExported,
      ),
      ...declaredText(
        'The import lowered the visibility, because the group or the instance of the target allows no more',
        loweredByImport,
      ),
    ],
    declared: [
      ...declaredText('The target may decide these settings for all projects', decidedByTarget),
      ...declaredText(
        'These settings of the archive differ from the source, and may have been changed there after the export, because GitLab shows no time of such a change, so it is not known whether the export lost them',
        possiblyLater,
      ),
      ...(custom.length > 0 && target['custom_attributes'] === undefined
        ? [
            'GitLab shows custom attributes to administrators only, so they were not compared with the target.',
          ]
        : []),
      ...describeErrorTracking(archive, target),
      ...describeApprovals(archive, target),
    ],
  };
}

/**
 * Returns whether the source may have got another value after the export. GitLab stores features, pipelines and more in
 * other tables than the project, so that their changes give the project no new time.
 */
function mayBeLater(
  { part }: ComparedSetting,
  sourceValue: string | null,
  archivedValue: string | null | undefined,
): sourceValue is string {
  if (part === null || part === 'project' || sourceValue === null || archivedValue === null) return false;
  // An attribute or error tracking that the archive lacks may have been added.
  if (archivedValue === undefined) return part === 'custom_attributes' || part === 'error_tracking_setting';
  const isSet = archivedValue !== '' || part === 'container_expiration_policy';
  return isSet && !isSame(sourceValue, archivedValue);
}

function declaredText(intro: string, differences: readonly DifferingSetting[]): string[] {
  if (differences.length === 0) return [];
  const texts = differences.map(
    ({ attribute, expected, found }) =>
      `${attribute} is ${formatValue(found)} and was ${formatValue(expected)}`,
  );
  return [`${intro}: ${texts.join('; ')}.`];
}

const maxShownLength = 60;
const formatValue = (value: string): string =>
  value === '' ? 'not set' : value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value;

function isOverridden(attribute: string, overrides: Readonly<Record<string, string>>): boolean {
  return Object.entries(overrides).some(
    ([name, value]) =>
      value !== '' &&
      (name === attribute ||
        attributeNamed(name)?.replacedBy === attribute ||
        attributeNamed(name)?.shownAs?.includes(attribute.split('.')[0] ?? '') === true),
  );
}

/** Returns null if the source does not report the setting, or has not set it. */
function sourceValueOf(source: Attributes, setting: ComparedSetting): string | null {
  const value = shownValue(source, setting);
  const text = toText(value);
  if (value === null || value === undefined || text === null) return null;
  return text === '' && setting.attribute !== 'description' ? null : text;
}

function columnsOf(archive: ArchivedSettings | null, { part }: ComparedSetting): Attributes | null {
  return part === null ? null : (archive?.[part] ?? null);
}

/** Returns the value as the API would report it; undefined if the archive lacks it, null if it is not known. */
function archivedValueOf(columns: Attributes | null, { read }: ComparedSetting): string | null | undefined {
  if (columns === null) return null;
  const value = read(columns);
  return value === undefined ? undefined : toText(value);
}

function isExported({ includedInExport }: ComparedSetting, columns: Attributes | null): boolean {
  return typeof includedInExport === 'boolean'
    ? includedInExport
    : columns !== null && includedInExport(columns);
}

function lossPhaseOf(expected: string, archivedValue: string | null | undefined): DifferingSetting['lost'] {
  if (archivedValue === null) return null;
  return archivedValue !== undefined && isSame(archivedValue, expected) ? 'on-import' : 'on-export';
}

/**
 * Returns whether the target is private although the project was not, because its group allows no higher visibility.
 */
function isLessVisible({
  source,
  archive,
  target,
}: Pick<SettingsOfSides, 'source' | 'archive' | 'target'>): boolean {
  const archivedValue = archivedValueOf(archive?.project ?? null, visibilitySetting);
  const originalVisibility = source === null ? archivedValue : sourceValueOf(source, visibilitySetting);
  return (
    target['visibility'] === 'private' &&
    (originalVisibility === 'internal' || originalVisibility === 'public')
  );
}

/** For a switch that was never set, the API may report null, which means off. */
const isSame = (a: string, b: string): boolean =>
  a === b || [a, b].every((value) => value === '' || value === 'false');

/** Returns the value as a form would send it; null if it is neither a plain value nor a list of plain values. */
function toText(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const parts = value.map(toText);
    return parts.includes(null) ? null : parts.sort().join(', ');
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
