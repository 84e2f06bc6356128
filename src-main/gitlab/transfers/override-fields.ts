/** @file Writes `override_params` into a request: as fields of a form, or as JSON (gitlab-facts 7). */
import { validOverrides, type OverrideParams } from '../../../src-contract/transfers/override-params.ts';
import { isObject } from '../../platform/objects.ts';

/** Returns one form field for each string value, and one for each entry of a hash. */
export function overrideFields(overrides: OverrideParams): (readonly [name: string, value: string])[] {
  const values = validOverrides(overrides);
  return Object.entries(overrides).flatMap(([name, text]) => {
    const field = `override_params[${name}]`;
    const value = values[name];
    if (!isObject(value)) return [[field, text] as const];
    return Object.entries(value).map(
      ([part, partValue]) => [`${field}[${part}]`, String(partValue)] as const,
    );
  });
}

/** Returns the overrides as one object: texts are unchanged, hashes are nested objects. */
export function overrideObject(overrides: OverrideParams): Record<string, unknown> {
  const values = validOverrides(overrides);
  return Object.fromEntries(
    Object.entries(overrides).map(([name, text]) => [name, isObject(values[name]) ? values[name] : text]),
  );
}
