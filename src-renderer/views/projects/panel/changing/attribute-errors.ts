/** @file Finds the fields of the form that an error belongs to. */
import type { ErrorData } from '../../../../../src-contract/errors.ts';
import { attributesText, createText as text } from './attributes.text.ts';

export function namesIn(error: ErrorData | null): string[] {
  return String(error?.details['attributes'] ?? '')
    .split(', ')
    .filter((name) => name !== '');
}

/** The errors at the fields of a new project: attributes by name, and `namespace` and `forUser`. */
export function refusedFields(
  error: ErrorData | null,
  attributes: readonly string[],
): Readonly<Record<string, string>> {
  if (error === null) return {};
  switch (error.code) {
    case 'invalid-input':
      return Object.fromEntries(namesIn(error).map((name) => [name, attributesText.wrong]));
    case 'path-taken':
      return { path: text.taken };
    case 'name-taken':
      return { name: text.taken };
    case 'namespace-missing':
      return { namespace: text.namespaceMissing };
    case 'not-found':
      return { forUser: text.userMissing };
    case 'request-refused':
      return Object.fromEntries(
        [...attributes, 'namespace']
          .filter((name) => isNamed(error, name))
          .map((name) => [name, attributesText.refused]),
      );
    default:
      return {};
  }
}

/** True if the reasons of the server, which follow the names of fields, name this attribute. */
function isNamed({ details }: ErrorData, attribute: string): boolean {
  const said = details['serverMessage'];
  return typeof said === 'string' && new RegExp(`(^|, )${attribute}(_level)? `, 'i').test(said);
}
