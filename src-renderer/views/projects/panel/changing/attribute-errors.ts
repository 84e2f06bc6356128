/** @file Finds the fields of the form that an error belongs to. */
import type { ErrorCode, ErrorData } from '../../../../../src-contract/errors.ts';
import { attributesText, createText as text } from './attributes.text.ts';

export function attributeNamesIn(error: ErrorData | null): string[] {
  return String(error?.details['attributes'] ?? '')
    .split(', ')
    .filter((name) => name !== '');
}

const fieldErrorsByCode: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  'path-taken': { path: text.pathTaken },
  'name-taken': { name: text.pathTaken },
  'namespace-missing': { namespace: text.namespaceMissing },
  'not-found': { forUser: text.userMissing },
};

/** Returns the error text by field of a new project. The fields are the attributes, `namespace` and `forUser`. */
export function fieldErrorsFrom(
  error: ErrorData | null,
  attributes: readonly string[],
): Readonly<Record<string, string>> {
  const sameErrorFor = (names: string[], message: string) =>
    Object.fromEntries(names.map((name) => [name, message]));
  if (error === null) return {};
  if (error.code === 'invalid-input') return sameErrorFor(attributeNamesIn(error), attributesText.wrong);
  if (error.code !== 'request-refused') return fieldErrorsByCode[error.code] ?? {};
  const refused = [...attributes, 'namespace'].filter((name) => isNamed(error, name));
  return sameErrorFor(refused, attributesText.refused);
}

/** True if the server's message names this attribute. In the message, a reason follows each field name. */
function isNamed({ details }: ErrorData, attribute: string): boolean {
  const serverMessage = details['serverMessage'];
  return (
    typeof serverMessage === 'string' && new RegExp(`(^|, )${attribute}(_level)? `, 'i').test(serverMessage)
  );
}
