import { expect, test } from 'vitest';
import { calls } from '../../../src-preload/contract/calls.ts';
import { z } from '../../../src-preload/contract/schema.ts';

interface Json {
  type?: string;
  maxLength?: number;
  enum?: unknown;
  const?: unknown;
  pattern?: string;
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
  items?: Json;
  properties?: Record<string, Json>;
}

/** Fields of a request by which something is looked up. */
const ids =
  /(?:^|\.)(?:id|planId|runId|jobId|job|migration|failure|finding|by|archive|project|instance|failures\[\])$/;

/** Paths of texts without a maximum. */
function unbounded(schema: Json, path: string): string[] {
  const below = [
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].map((one) => [one, path]),
    ...Object.entries(schema.properties ?? {}).map(([name, one]) => [one, `${path}.${name}`]),
    ...(schema.items === undefined ? [] : [[schema.items, `${path}[]`]]),
  ] as [Json, string][];
  const isText = schema.type === 'string' && schema.enum === undefined && schema.const === undefined;
  const isOpen = isText && schema.maxLength === undefined;
  return [...(isOpen ? [path] : []), ...below.flatMap(([one, at]) => unbounded(one, at))];
}

test.each(Object.entries(calls))('%s refuses ids that are longer than any there is', (_name, { request }) => {
  const json = z.toJSONSchema(request, { unrepresentable: 'any', io: 'input' }) as Json;
  expect(unbounded(json, '').filter((path) => ids.test(path))).toEqual([]);
});
