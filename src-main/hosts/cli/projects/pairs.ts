/** @file Options of the form `key=value`. */
import { AppError } from '../../../../src-contract/errors.ts';
import { readOverrides } from '../../../../src-contract/transfers/override-params.ts';
import { usageError } from '../terminal/options.ts';

/** Returns the pairs in the typed order; a value may be empty and may contain `=`. Throws `invalid-input`. */
export function parsePairs(pairs: readonly string[]): [key: string, value: string][] {
  return pairs.map((pair) => {
    const separator = pair.indexOf('=');
    if (separator < 1) throw new AppError('invalid-input', `"${pair}" is not of the form key=value.`);
    return [pair.slice(0, separator), pair.slice(separator + 1)];
  });
}

export function parseOverrides(pairs: readonly string[] = []): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const [name, text] of parsePairs(pairs)) {
    if (Object.hasOwn(overrides, name)) throw usageError(`"${name}" is set twice.`);
    overrides[name] = text;
  }
  readOverrides(overrides);
  return overrides;
}
