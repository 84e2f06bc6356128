/** @file Finds the fields of the form that an error belongs to. */
import type { ErrorCode, ErrorData } from '../../../../../src-contract/errors.ts';
import { attributesText, createText as text } from './attributes.text.ts';

export function attributeNamesIn(error: ErrorData | null): string[] {
  return String(error?.details['attributes'] ?? '')
    .split(', ')
    .filter((name) => name !== '');
}

const fields: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  'path-taken': { path: text.taken },
  'name-taken': { name: text.taken },
  'namespace-missing': { namespace: text.namespaceMissing },
  'not-found': { forUser: text.userMissing },
};

/** The errors at the fields of a new project: attributes by name, and `namespace` and `forUser`. */
export function fieldErrorsFrom(
  error: ErrorData | null,
  attributes: readonly string[],
): Readonly<Record<string, string>> {
  const all = (names: string[], words: string) => Object.fromEntries(names.map((name) => [name, words]));
  if (error === null) return {};
  if (error.code === 'invalid-input') return all(attributeNamesIn(error), attributesText.wrong);
  if (error.code !== 'request-refused') return fields[error.code] ?? {};
  const refused = [...attributes, 'namespace'].filter((name) => isNamed(error, name));
  return all(refused, attributesText.refused);
}

/** True if the reasons of the server, which follow the names of fields, name this attribute. */
function isNamed({ details }: ErrorData, attribute: string): boolean {
  const said = details['serverMessage'];
  return typeof said === 'string' && new RegExp(`(^|, )${attribute}(_level)? `, 'i').test(said);
}
