/** @file Checks whether an instance applied the attributes it accepted: it silently ignores those of a tier it lacks. */
import type { IgnoredAttribute } from './ignored-attribute.ts';
import { attributeNamed, type Attribute, type AttributeValue } from './project-attributes.ts';

/** Returns what has another value in the full view. Secrets, files and hidden attributes are not compared. */
export function ignoredAttributes(
  asked: Readonly<Record<string, AttributeValue>>,
  answered: Readonly<Record<string, unknown>>,
): IgnoredAttribute[] {
  return Object.entries(asked).flatMap(([name, value]) => {
    const attribute = attributeNamed(name);
    if (attribute === undefined || attribute.untold === 'never') return [];
    const { is, wanted } = compared(attribute, value, answered);
    if (is === undefined && attribute.untold === 'sometimes') return [];
    return equal(wanted, is) ? [] : [{ attribute: name, asked: value, is: is ?? null }];
  });
}

/** Returns the field that shows the attribute, and its value if the attribute was taken. */
function compared(
  { name, shownAs = [], replacedBy }: Attribute,
  value: AttributeValue,
  answered: Readonly<Record<string, unknown>>,
): { is: unknown; wanted: unknown } {
  const now = replacedBy === undefined ? undefined : answered[replacedBy];
  if (now === undefined) {
    const field = [name, ...shownAs].find((shown) => answered[shown] !== undefined);
    return { is: field === undefined ? undefined : answered[field], wanted: value };
  }
  if (name === 'emails_disabled') return { is: now, wanted: value === false };
  // The old boolean does not show who may use an enabled feature.
  if (replacedBy?.endsWith('_access_level') === true) {
    return { is: now, wanted: value === false ? 'disabled' : now === 'disabled' ? 'enabled' : now };
  }
  return { is: now, wanted: value };
}

function equal(asked: unknown, is: unknown): boolean {
  if (Array.isArray(asked)) {
    return Array.isArray(is) && String([...new Set(asked)].sort()) === String([...new Set(is)].sort());
  }
  if (typeof asked === 'object' && asked !== null) {
    if (typeof is !== 'object' || is === null) return false;
    const told = is as Record<string, unknown>;
    return Object.entries(asked).every(([key, part]) => equal(part, told[fieldNow(key, told)]));
  }
  // GitLab shows an empty text as null.
  return asked === is || (asked === '' && is === null);
}

/** An older name of a field of the expiration policy appears under the newer one. */
const fieldNow = (key: string, told: Record<string, unknown>): string =>
  key === 'name_regex' && told['name_regex_delete'] !== undefined ? 'name_regex_delete' : key;
