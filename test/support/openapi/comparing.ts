/**
 * @file Compares a reply with its described shape: which fields are missing, which are extra, and which have another
 * type.
 */
import type { Schema } from './description.ts';

export interface Differences {
  missing: string[];
  extra: string[];
  wrong: string[];
}

type Fields = Record<string, unknown>;

export function differences(schema: Schema | null, value: unknown, at = ''): Differences {
  const found: Differences = { missing: [], extra: [], wrong: [] };
  const properties = schema?.items?.properties ?? schema?.properties;
  // The description often omits that the reply is a list; a field exists if any row has it.
  const fields = Array.isArray(value) ? union(value) : value;
  if (properties === undefined || !isFields(fields)) return found;
  if (Array.isArray(value) && value.length === 0) return found;
  for (const [name, field] of Object.entries(properties)) {
    const path = `${at}${name}`;
    if (!Object.hasOwn(fields, name)) {
      found.missing.push(path);
      continue;
    }
    if (!hasType(field, fields[name])) found.wrong.push(path);
    const inner = differences(field, fields[name], `${path}.`);
    for (const kind of ['missing', 'extra', 'wrong'] as const) found[kind].push(...inner[kind]);
  }
  found.extra.push(
    ...Object.keys(fields)
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => `${at}${name}`),
  );
  return found;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the fields of all rows, each with the first value that is not null. */
function union(rows: readonly unknown[]): Fields {
  const fields: Fields = {};
  for (const row of rows.filter(isFields)) {
    for (const [name, value] of Object.entries(row)) fields[name] ??= value;
  }
  return fields;
}

/**
 * Returns whether the value has the described type. The generator writes a text without an example if no type is stated.
 */
function hasType({ type, example, format, properties }: Schema, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  const isUnstated = type === 'string' && example === undefined && format === undefined;
  if (isUnstated || (example !== undefined && typeof example === typeof value)) return true;
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isFields(value) || (properties !== undefined && Array.isArray(value));
    default:
      return true;
  }
}
