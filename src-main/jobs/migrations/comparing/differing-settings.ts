/** @file Settings of a migrated project that differ from the source, the archive or an override. Pure. */
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { validOverrides } from '../../../../src-contract/transfers/override-params.ts';
import { ignoredAttributes } from '../../../../src-contract/projects/project-attribute-answers.ts';
import { attributeNamed } from '../../../../src-contract/projects/project-attributes.ts';
import {
  comparedSettings,
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
}

/**
 * Compares each setting of the target with its override; without an override, with the source. Skips settings that a
 * side does not report or that are not set on the source. `declared` has sentences about differences that are no loss.
 */
export function differingSettings({ source, overrides, archive, target }: SettingsOfSides): {
  settings: DifferingSetting[];
  declared: string[];
} {
  const settings: DifferingSetting[] = [];
  const uncarried: DifferingSetting[] = [];
  const decided: DifferingSetting[] = [];
  const isLowered = isLessVisible({ source, archive, target });
  for (const setting of comparedSettings) {
    const { attribute } = setting;
    if (!(attribute in target) || isOverridden(attribute, overrides)) continue;
    const columns = columnsOf(archive, setting);
    const held = heldIn(columns, setting);
    const wanted =
      source === null ? (held === undefined || held === '' ? null : held) : settingIn(source, attribute);
    const found = plain(target[attribute]);
    if (wanted === null || found === null || isSame(found, wanted)) continue;
    // In a private project, both values show the feature to members only.
    if (isLowered && wanted === 'enabled' && found === 'private') continue;
    const differing = { attribute, expected: wanted, found, lost: sideOf(wanted, held) };
    if (setting.mayDifferOnTarget?.(found) === true) decided.push(differing);
    else if ((held ?? '') === '' && !isCarried(setting, columns)) uncarried.push(differing);
    else settings.push(differing);
  }
  for (const { attribute, asked, is } of ignoredAttributes(validOverrides(overrides), target)) {
    // GitLab keeps the first spelling of a topic's name.
    if (Array.isArray(is)) continue;
    const found = plain(target[attribute] ?? is) ?? JSON.stringify(is);
    settings.push({ attribute, expected: plain(asked) ?? JSON.stringify(asked), found, lost: 'on-import' });
  }
  return {
    settings,
    declared: [
      ...declaredText(
        'An export does not carry these settings, so set them on the target if they matter',
        uncarried,
      ),
      ...declaredText('The target may decide these settings for all projects', decided),
    ],
  };
}

function declaredText(what: string, differing: readonly DifferingSetting[]): string[] {
  if (differing.length === 0) return [];
  const each = differing.map(
    ({ attribute, expected, found }) => `${attribute} is ${shown(found)} and was ${shown(expected)}`,
  );
  return [`${what}: ${each.join('; ')}.`];
}

const maxShownLength = 60;
const shown = (value: string): string =>
  value === '' ? 'not set' : value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value;

function isOverridden(attribute: string, overrides: Readonly<Record<string, string>>): boolean {
  return Object.entries(overrides).some(
    ([name, value]) => value !== '' && (name === attribute || attributeNamed(name)?.replacedBy === attribute),
  );
}

/** Returns null if the source does not report the setting, or has not set it. */
function settingIn(source: Attributes, attribute: string): string | null {
  const value = source[attribute];
  const text = plain(value);
  if (value === null || value === undefined || text === null) return null;
  return text === '' && attribute !== 'description' ? null : text;
}

function columnsOf(archive: ArchivedSettings | null, { part }: ComparedSetting): Attributes | null {
  return part === null ? null : (archive?.[part] ?? null);
}

/** Returns the value as the API would report it; undefined if the archive lacks it, null if it is not known. */
function heldIn(columns: Attributes | null, { read }: ComparedSetting): string | null | undefined {
  if (columns === null) return null;
  const value = read(columns);
  return value === undefined ? undefined : plain(value);
}

function isCarried({ includedInExport }: ComparedSetting, columns: Attributes | null): boolean {
  return typeof includedInExport === 'boolean'
    ? includedInExport
    : columns !== null && includedInExport(columns);
}

function sideOf(wanted: string, held: string | null | undefined): DifferingSetting['lost'] {
  if (held === null) return null;
  return held !== undefined && isSame(held, wanted) ? 'on-import' : 'on-export';
}

/**
 * Returns whether the target is private although the project was not, because its group allows no higher visibility.
 */
function isLessVisible({ source, archive, target }: Omit<SettingsOfSides, 'overrides'>): boolean {
  const held = heldIn(archive?.project ?? null, visibilitySetting);
  const before = source === null ? held : settingIn(source, 'visibility');
  return target['visibility'] === 'private' && (before === 'internal' || before === 'public');
}

/** The API may report a switch that was never set as null, which means off. */
const isSame = (a: string, b: string): boolean =>
  a === b || [a, b].every((value) => value === '' || value === 'false');

/** Returns the value as a form would send it; null if it is neither a plain value nor a list of plain values. */
function plain(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const parts = value.map(plain);
    return parts.includes(null) ? null : parts.sort().join(', ');
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
