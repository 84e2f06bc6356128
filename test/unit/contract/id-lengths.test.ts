import { expect, test } from 'vitest';
import { calls } from '../../../src-contract/calls.ts';
import { z } from '../../../src-contract/schema.ts';

interface Json {
  type?: string | string[];
  maxLength?: number;
  enum?: unknown;
  const?: unknown;
  format?: string;
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
  items?: Json;
  properties?: Record<string, Json>;
  additionalProperties?: Json | boolean;
  propertyNames?: Json;
}

/** Fields of a request that identify or name an object. */
const ids =
  /(?:^|\.)(?:id|planId|runId|jobId|job|migration|failure|finding|by|archive|project|instance|failures\[\]|name|before|cursor|search|confirmation)$/;
/** Calls that store their texts in the settings or the keychain. */
const settingsCalls = /^(?:instance|storage|settings|token)\./;

/** Returns the paths of texts without a maximum length. */
function unbounded(schema: Json, path: string): string[] {
  const children = [
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].map((part) => [
      part,
      path,
    ]),
    ...Object.entries(schema.properties ?? {}).map(([name, part]) => [part, `${path}.${name}`]),
    ...(schema.items === undefined ? [] : [[schema.items, `${path}[]`]]),
    ...(schema.propertyNames === undefined ? [] : [[schema.propertyNames, `${path}{name}`]]),
    ...(typeof schema.additionalProperties === 'object' ? [[schema.additionalProperties, `${path}{}`]] : []),
  ] as [Json, string][];
  // A text that may be null has two types.
  const isText = [schema.type].flat().includes('string');
  const isOneOf = schema.enum !== undefined || schema.const !== undefined;
  const isDate = schema.format === 'date';
  const isUnbounded = isText && !isOneOf && !isDate && schema.maxLength === undefined;
  return [...(isUnbounded ? [path] : []), ...children.flatMap(([part, at]) => unbounded(part, at))];
}

test.each(Object.entries(calls))(
  '%s limits the length of ids and names, and of all texts that it stores',
  (name, { request }) => {
    const json = z.toJSONSchema(request, { unrepresentable: 'any', io: 'input' }) as Json;
    const isStored = settingsCalls.test(name);
    expect(unbounded(json, '').filter((path) => isStored || ids.test(path))).toEqual([]);
  },
);
