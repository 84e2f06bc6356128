/** @file Writes `override_params` into a request: as fields of a form, or as JSON (gitlab-facts 7). */
import { validOverrides, type OverrideParams } from '../../../src-contract/transfers/override-params.ts';
import { isObject } from '../../platform/objects.ts';

/** Returns one form field for each text, and one for each part of a hash. */
export function overrideFields(overrides: OverrideParams): (readonly [name: string, value: string])[] {
  const read = validOverrides(overrides);
  return Object.entries(overrides).flatMap(([name, text]) => {
    const field = `override_params[${name}]`;
    const value = read[name];
    if (!isObject(value)) return [[field, text] as const];
    return Object.entries(value).map(([part, of]) => [`${field}[${part}]`, String(of)] as const);
  });
}

/** Returns texts unchanged, and a hash as an object. */
export function overrideObject(overrides: OverrideParams): Record<string, unknown> {
  const read = validOverrides(overrides);
  return Object.fromEntries(
    Object.entries(overrides).map(([name, text]) => [name, isObject(read[name]) ? read[name] : text]),
  );
}
