/** @file Settings of a migrated project that differ from the source, the archive or an override. Pure. */
import type { Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import { validOverrides } from '../../../../../src-contract/transfers/override-params.ts';
import { ignoredAttributes } from '../../../../../src-contract/projects/project-attribute-answers.ts';
import { attributeNamed } from '../../../../../src-contract/projects/project-attributes.ts';
import { importedVisibility, type VisibilityLimits } from '../../imported-visibility.ts';
import {
  declarationsOn,
  noDifferences,
  remarksOn,
  unshownIn,
  type NamedDifferences,
} from './named-differences.ts';
import { isOfNewProject, isUnset } from './new-project-values.ts';
import { omittedOperationsNames } from './older-names.ts';
import {
  comparedSettings,
  customAttributeSettings,
  shownValue,
  visibilitySetting,
  type ArchivedSettings,
  type Attributes,
  type ComparedSetting,
} from './setting-table.ts';
import { isSame, toText } from './setting-values.ts';

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
 * Compares each setting of the target with its override; without an override, with the source. If the source does not
 * show the setting, the archive decides. `remarks` has sentences about differences that are no loss, `declared` about
 * those that may be edits, and about settings that could not be compared.
 */
export function differingSettings(sides: SettingsOfSides): {
  settings: DifferingSetting[];
  declared: string[];
  remarks: string[];
} {
  const { overrides, target } = sides;
  const { settings, named, hasCustom } = compareSettings(sides);
  for (const { attribute, asked, is } of ignoredAttributes(validOverrides(overrides), target)) {
    // GitLab keeps the first spelling of a topic's name.
    if (Array.isArray(is)) continue;
    const found = toText(target[attribute] ?? is) ?? JSON.stringify(is);
    settings.push({ attribute, expected: toText(asked) ?? JSON.stringify(asked), found, lost: 'on-import' });
  }
  return {
    settings,
    remarks: remarksOn(named),
    declared: [
      ...declarationsOn(named),
      ...(hasCustom && target['custom_attributes'] === undefined
        ? [
            'GitLab shows custom attributes to administrators only, so they were not compared with the target.',
          ]
        : []),
    ],
  };
}

/** Returns the attributes with a value on the source or in the archive that the target does not show. */
export const unshownSettings = (sides: SettingsOfSides): string[] => unshownIn(compareSettings(sides).named);

function compareSettings(sides: SettingsOfSides): {
  settings: DifferingSetting[];
  named: NamedDifferences;
  /** True if source or archive have custom attributes. */
  hasCustom: boolean;
} {
  const { source, overrides, archive, target } = sides;
  const settings: DifferingSetting[] = [];
  const named = noDifferences();
  const custom = customAttributeSettings(source, archive);
  const omittedNames = omittedOperationsNames([target, source ?? {}, archive?.project_feature ?? {}]);
  for (const setting of [...comparedSettings, ...custom])
    if (!omittedNames.includes(setting.attribute) && !isOverridden(setting.attribute, overrides))
      settings.push(...compareSetting(setting, sides, named));
  return { settings, named, hasCustom: custom.length > 0 };
}

/** Returns the loss of a setting, if it was lost. Adds a difference that is no loss, or may be none, to `named`. */
function compareSetting(
  setting: ComparedSetting,
  { source, archive, target, visibilityLimits }: SettingsOfSides,
  named: NamedDifferences,
): DifferingSetting[] {
  const { attribute } = setting;
  const columns = columnsOf(archive, setting);
  const archivedValue = archivedValueOf(columns, setting);
  const exportedValue = (archivedValue ?? '') === '' ? null : (archivedValue ?? null);
  const sourceValue = source === null ? null : sourceValueOf(source, setting);
  const targetValue = shownValue(target, setting);
  const found = targetValue === undefined ? null : toText(targetValue);
  if (targetValue !== undefined && found === null) return [];
  const mayBeForced = sourceValue !== null && setting.mayDifferOnSource?.(sourceValue) === true;
  // The project's own value, if the source may show a forced one instead.
  const ownValue = mayBeForced ? (archivedValue ?? null) : null;
  const isHidden = isHiddenOnSource(setting, source) || ownValue !== null;
  const isAsOnSource = sourceValue !== null && found !== null && isSame(found, sourceValue);
  // Both instances may force the value on a project that has the one of a new project.
  if (isAsOnSource && (ownValue === null || isOfNewProject(attribute, ownValue))) return [];
  if (ownValue !== null && mayBeForced && !isAsOnSource && !isSame(ownValue, sourceValue))
    if (setting.mayLoseForcedValue === true) {
      named.unknownOnSource.push({ attribute, expected: sourceValue, found });
      // A second sentence about the value of the archive would contradict this one.
      if (found === null) return [];
    }
  const isLater = mayBeLater(setting, sourceValue, archivedValue);
  if (isLater) named.possiblyLater.push({ attribute, expected: sourceValue, found: exportedValue ?? '' });
  const expected = ownValue ?? (isLater || isHidden ? exportedValue : sourceValue);
  const isMissingInExport = (archivedValue ?? '') === '' && !isExported(setting, columns);
  if (expected === null) {
    const isShownOnSource = source !== null && shownValue(source, setting) !== undefined;
    const isKnown = archivedValue === '' || isShownOnSource;
    if (!isKnown || exportedValue !== null || sourceValue !== null || found === null) return [];
    // GitLab shows the value of a new project for some columns without a value, also on the source.
    const isAsExpected = isShownOnSource ? isUnset(found) : isOfNewProject(attribute, found);
    if (!isAsExpected) named.onlyOnTarget.push({ attribute, expected: '', found });
    return [];
  }
  if (found === null) {
    const isComparedByArchive = archivedValue !== undefined && archivedValue !== null && !isMissingInExport;
    // The source may have forced a value that the target may force.
    if (isComparedByArchive && !isSame(archivedValue, expected) && setting.mayDifferOnTarget === undefined)
      return [{ attribute, expected, found: archivedValue, lost: 'on-export' }];
    if (setting.replacement !== undefined)
      named.removed.push({ attribute, expected, found, replacement: setting.replacement });
    else if (setting.part !== 'custom_attributes' && !isOfNewProject(attribute, expected))
      (isMissingInExport ? named.notExported : named.notShown).push({ attribute, expected, found });
    return [];
  }
  if (isSame(found, expected)) return [];
  const difference = { attribute, expected, found, lost: lossPhaseOf(expected, archivedValue) };
  const mayDiffer = setting.mayDifferOnTarget?.(found) === true;
  // An archive without the column brings the value of a new project.
  const isContradicted =
    difference.lost === 'on-export' && (archivedValue !== undefined || !isOfNewProject(attribute, expected));
  if (
    setting === visibilitySetting &&
    visibilityLimits !== null &&
    expected === exportedValue &&
    found === importedVisibility(expected, visibilityLimits)
  )
    named.loweredByImport.push(difference);
  else if (isMissingInExport) (mayDiffer ? named.notExportedOrForced : named.notExported).push(difference);
  else if (mayBeForced && !isHidden) named.unknownOnSource.push(difference);
  else if (mayDiffer && !isContradicted) named.decidedByTarget.push(difference);
  else return [difference];
  return [];
}

/**
 * Returns whether the archive decides the expected value, because the source does not show the setting: the source is
 * null, an account that is no administrator does not see custom attributes, and GitLab replies to a request for error
 * tracking as if there were none.
 */
const isHiddenOnSource = (setting: ComparedSetting, source: Attributes | null): boolean =>
  source === null ||
  shownValue(source, setting) === undefined ||
  (setting.part === 'error_tracking_setting' && sourceValueOf(source, setting) === null);

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
  const columns = part === null ? null : (archive?.[part] ?? null);
  // Before GitLab 14, projects had a switch instead of the level of this feature.
  const isRegistryEnabled = archive?.project?.[registrySwitch];
  return part === 'project_feature' && isRegistryEnabled !== undefined
    ? { [registrySwitch]: isRegistryEnabled, ...columns }
    : columns;
}

const registrySwitch = 'container_registry_enabled';

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
