/** @file Values for described parameters: a valid one that differs from the present value, and an invalid one. */
import type { Parameter } from './description.ts';

export const wrongValue = 'zzz-junk';

/** Returns whether the description is precise enough for a value to be invalid. */
export function canBeWrong({ type, enum: values, format }: Parameter): boolean {
  if (type === 'file' || type === 'array') return false;
  return (
    values !== undefined ||
    ['integer', 'boolean', 'number'].includes(type ?? '') ||
    ['date', 'date-time'].includes(format ?? '')
  );
}

/** Returns a valid value other than `initial`; undefined if the description implies none. */
export function otherValue(parameter: Parameter, initial: unknown): unknown {
  if (parameter.enum !== undefined) return parameter.enum.find((value) => value !== initial);
  switch (parameter.type) {
    case 'boolean':
      return initial !== true;
    case 'integer':
      return 700;
    case 'array':
      return ['one'];
    case 'string':
      return 'another';
    default:
      return undefined;
  }
}

/** Values of `sort`, which the description declares as plain text. */
const tokenOrders = ['name_asc', 'created_desc', 'expires_asc', 'last_used_desc'];

/**
 * Returns whether a query parameter searches: its description has no values, so only its effect shows that it is read.
 */
export function isFreeText(name: string, { type, format, enum: values }: Parameter): boolean {
  return type === 'string' && format === undefined && values === undefined && name !== 'sort';
}

/** Returns every valid value of a query parameter with few values; one value of any other parameter. */
export function queryValues(name: string, { type, format, enum: values }: Parameter): string[] {
  if (values !== undefined) return values.map(String);
  if (name === 'sort') return tokenOrders;
  if (format === 'date' || format === 'date-time') return ['2026-01-31'];
  return type === 'boolean' ? ['true', 'false'] : ['1'];
}
