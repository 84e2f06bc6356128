/**
 * @file Checks whether an instance applied the attributes that it accepted. GitLab silently ignores attributes of a
 * higher tier.
 */
import type { IgnoredAttribute } from './ignored-attribute.ts';
import { attributeNamed, type Attribute, type AttributeValue } from './project-attributes.ts';

/**
 * Returns the requested attributes whose value in the response differs. Skips secrets, files and attributes that GitLab
 * never shows.
 */
export function ignoredAttributes(
  asked: Readonly<Record<string, AttributeValue>>,
  answered: Readonly<Record<string, unknown>>,
): IgnoredAttribute[] {
  return Object.entries(asked).flatMap(([name, value]) => {
    const attribute = attributeNamed(name);
    if (attribute === undefined || attribute.shownInReply === 'never') return [];
    const { is, wanted } = compared(attribute, value, answered);
    if (is === undefined && attribute.shownInReply === 'sometimes') return [];
    return equal(wanted, is) ? [] : [{ attribute: name, asked: value, is: is ?? null }];
  });
}

/** Returns the value of the field that shows the attribute, and the expected value if GitLab applied the attribute. */
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
  // The deprecated boolean does not determine who may use an enabled feature.
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

/** Returns the name under which the response shows the field: GitLab shows `name_regex` as `name_regex_delete`. */
const fieldNow = (key: string, told: Record<string, unknown>): string =>
  key === 'name_regex' && told['name_regex_delete'] !== undefined ? 'name_regex_delete' : key;
