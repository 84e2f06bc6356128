/**
 * @file Settings of a migrated project whose value on the target differs from the source, the archive or a requested
 * override. Pure.
 */
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { readableOverrides } from '../../../../src-contract/transfers/override-params.ts';
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
  /** Null if the source cannot be read, or was edited since. The archive then decides the expected value. */
  source: Attributes | null;
  /** Overrides take precedence over the archive. */
  overrides: Readonly<Record<string, string>>;
  /** Null if the archive's settings cannot be read. */
  archive: ArchivedSettings | null;
  target: Attributes;
}

/**
 * Compares the target with each override, and with the source where there is none. A setting is skipped if one side
 * does not report it, because of its release, tier or role, or if the source has not set it. `declared` lists in
 * sentences the differences that are no loss of this project: settings that no export carries, and settings that the
 * target decides for all projects.
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
    // To its members, a private project shows a feature either way.
    if (isLowered && wanted === 'enabled' && found === 'private') continue;
    const differing = { attribute, expected: wanted, found, lost: sideOf(wanted, held) };
    if (setting.decided?.(found) === true) decided.push(differing);
    else if ((held ?? '') === '' && !isCarried(setting, columns)) uncarried.push(differing);
    else settings.push(differing);
  }
  for (const { attribute, asked, is } of ignoredAttributes(readableOverrides(overrides), target)) {
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

/** GitLab ignores a blank override. A deprecated name sets the attribute that replaced it. */
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

/** Returns null if the columns are not known. */
function columnsOf(archive: ArchivedSettings | null, { part }: ComparedSetting): Attributes | null {
  return part === null ? null : (archive?.[part] ?? null);
}

/** Returns the value as the API would report it. Undefined: the archive lacks it; null: not known. */
function heldIn(columns: Attributes | null, { read }: ComparedSetting): string | null | undefined {
  if (columns === null) return null;
  const value = read(columns);
  return value === undefined ? undefined : plain(value);
}

function isCarried({ carried }: ComparedSetting, columns: Attributes | null): boolean {
  return typeof carried === 'boolean' ? carried : columns !== null && carried(columns);
}

function sideOf(wanted: string, held: string | null | undefined): DifferingSetting['lost'] {
  if (held === null) return null;
  return held !== undefined && isSame(held, wanted) ? 'on-import' : 'on-export';
}

/** Returns whether the target became private although the project was not: its group allows no more. */
function isLessVisible({ source, archive, target }: Omit<SettingsOfSides, 'overrides'>): boolean {
  const held = heldIn(archive?.project ?? null, visibilitySetting);
  const before = source === null ? held : settingIn(source, 'visibility');
  return target['visibility'] === 'private' && (before === 'internal' || before === 'public');
}

/** The API may report an untouched switch as null, which means off. */
const isSame = (a: string, b: string): boolean =>
  a === b || [a, b].every((value) => value === '' || value === 'false');

/** Returns the value as a form would send it; null for anything but a plain value or a list of plain values. */
function plain(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const parts = value.map(plain);
    return parts.includes(null) ? null : parts.sort().join(', ');
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
