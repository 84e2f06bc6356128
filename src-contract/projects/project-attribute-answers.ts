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
  requested: Readonly<Record<string, AttributeValue>>,
  response: Readonly<Record<string, unknown>>,
): IgnoredAttribute[] {
  return Object.entries(requested).flatMap(([name, value]) => {
    const attribute = attributeNamed(name);
    if (attribute === undefined || attribute.shownInReply === 'never') return [];
    const { actual, expected } = valuesToCompare(attribute, value, response);
    if (actual === undefined && attribute.shownInReply === 'sometimes') return [];
    return isEqual(expected, actual) ? [] : [{ attribute: name, asked: value, is: actual ?? null }];
  });
}

/** Returns the value of the field that shows the attribute, and the expected value if GitLab applied the attribute. */
function valuesToCompare(
  { name, shownAs = [], replacedBy }: Attribute,
  value: AttributeValue,
  response: Readonly<Record<string, unknown>>,
): { actual: unknown; expected: unknown } {
  const replacement = replacedBy === undefined ? undefined : response[replacedBy];
  if (replacement === undefined) {
    const field = [name, ...shownAs].find((candidate) => response[candidate] !== undefined);
    return { actual: field === undefined ? undefined : response[field], expected: value };
  }
  if (name === 'emails_disabled') return { actual: replacement, expected: value === false };
  // The deprecated boolean does not determine who may use an enabled feature.
  if (replacedBy?.endsWith('_access_level') === true) {
    return {
      actual: replacement,
      expected: value === false ? 'disabled' : replacement === 'disabled' ? 'enabled' : replacement,
    };
  }
  return { actual: replacement, expected: value };
}

function isEqual(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) && String([...new Set(expected)].sort()) === String([...new Set(actual)].sort())
    );
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return false;
    const actualFields = actual as Record<string, unknown>;
    return Object.entries(expected).every(([key, part]) =>
      isEqual(part, actualFields[responseKey(key, actualFields)]),
    );
  }
  // GitLab shows an empty text as null.
  return expected === actual || (expected === '' && actual === null);
}

/** Returns the name under which the response shows the field: GitLab shows `name_regex` as `name_regex_delete`. */
const responseKey = (key: string, response: Record<string, unknown>): string =>
  key === 'name_regex' && response['name_regex_delete'] !== undefined ? 'name_regex_delete' : key;
