/**
 * @file Settings of a migrated project that the target shows otherwise than its source, its archive, or an override that was asked
 * for. Pure.
 */
import type { Reconciliation } from '../../../src-contract/import.ts';
import { readableOverrides } from '../../../src-contract/projects/override-params.ts';
import { attributesNotTaken } from '../../../src-contract/projects/project-attribute-answers.ts';
import { attributeNamed } from '../../../src-contract/projects/project-attributes.ts';
import {
  comparedSettings,
  visibilitySetting,
  type ArchivedSettings,
  type Attributes,
  type ComparedSetting,
} from './setting-table.ts';

type DifferingSetting = Reconciliation['settings'][number];

export interface SettingsOfSides {
  /** Null: it cannot be asked, or somebody worked on it since; then what the archive holds is expected. */
  source: Attributes | null;
  /** They win over the archive. */
  overrides: Readonly<Record<string, string>>;
  /** Null: it cannot be read. */
  archive: ArchivedSettings | null;
  target: Attributes;
}

/**
 * What the target says otherwise than an override, or without one than the source. What one of them does not show, because of its
 * release, tier or the role there, is not compared, nor is what the source has not set. `declared` says in sentences what differs
 * and is no loss of this project: what no export carries, and what the target decides for all.
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
    // To its members alone a project that became private shows a feature either way.
    if (isLowered && wanted === 'enabled' && found === 'private') continue;
    const differing = { attribute, expected: wanted, found, lost: sideOf(wanted, held) };
    if (setting.decided?.(found) === true) decided.push(differing);
    else if ((held ?? '') === '' && !isCarried(setting, columns)) uncarried.push(differing);
    else settings.push(differing);
  }
  for (const { attribute, asked, is } of attributesNotTaken(readableOverrides(overrides), target)) {
    // GitLab writes the names of topics as they were written first.
    if (Array.isArray(is)) continue;
    const found = plain(target[attribute] ?? is) ?? JSON.stringify(is);
    settings.push({ attribute, expected: plain(asked) ?? JSON.stringify(asked), found, lost: 'on-import' });
  }
  return {
    settings,
    declared: [
      ...told(
        'An export does not carry these settings, so set them on the target where they matter',
        uncarried,
      ),
      ...told('These settings may be as the target decides them for others, too', decided),
    ],
  };
}

function told(what: string, differing: readonly DifferingSetting[]): string[] {
  if (differing.length === 0) return [];
  const each = differing.map(
    ({ attribute, expected, found }) => `${attribute} is ${shown(found)} and was ${shown(expected)}`,
  );
  return [`${what}: ${each.join('; ')}.`];
}

const maxShownLength = 60;
const shown = (value: string): string =>
  value === '' ? 'not set' : value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value;

/** GitLab passes over an override that is blank. A deprecated name sets what replaced it. */
function isOverridden(attribute: string, overrides: Readonly<Record<string, string>>): boolean {
  return Object.entries(overrides).some(
    ([name, value]) => value !== '' && (name === attribute || attributeNamed(name)?.replacedBy === attribute),
  );
}

/** Null where it does not show the setting, or has not set it. */
function settingIn(source: Attributes, attribute: string): string | null {
  const value = source[attribute];
  const text = plain(value);
  if (value === null || value === undefined || text === null) return null;
  return text === '' && attribute !== 'description' ? null : text;
}

/** Null: that cannot be known. */
function columnsOf(archive: ArchivedSettings | null, { part }: ComparedSetting): Attributes | null {
  return part === null ? null : (archive?.[part] ?? null);
}

/** As the API would tell it. Undefined: the archive lacks it; null: that cannot be known. */
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

/** Whether the target is private, and the project was not: its group allows no more. */
function isLessVisible({ source, archive, target }: Omit<SettingsOfSides, 'overrides'>): boolean {
  const held = heldIn(archive?.project ?? null, visibilitySetting);
  const before = source === null ? held : settingIn(source, 'visibility');
  return target['visibility'] === 'private' && (before === 'internal' || before === 'public');
}

/** A switch that was never touched may be told as null, which is off. */
const isSame = (one: string, other: string): boolean =>
  one === other || [one, other].every((value) => value === '' || value === 'false');

/** As a form would send it; null for what is neither a plain value nor a list of them. */
function plain(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const parts = value.map(plain);
    return parts.includes(null) ? null : parts.sort().join(', ');
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
