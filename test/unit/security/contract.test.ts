/** @file What the contract itself rules out: that a secret comes back to the page, and that a channel is made up. */
import { describe, expect, test } from 'vitest';
import { callNames, eventNames } from '../../../src-contract/call-names.ts';
import { calls, events } from '../../../src-contract/calls.ts';
import { z } from '../../../src-contract/schema.ts';

/** The names of all fields, however deep. */
function fields(schema: z.ZodType): Set<string> {
  const names = new Set<string>();
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') for (const name of Object.keys(value as object)) names.add(name);
      collect(value);
    }
  };
  collect(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }));
  return names;
}

const secret = /^(private|access|new)?_?(token|secret|password|credentials?|secretAccessKey)$/i;

/** Their input says under which key the memory of the process holds an address. The key is no secret: it opens nothing elsewhere. */
const withKeyOfAddress: readonly string[] = ['job.list', 'job.show', 'job.cancel'];

describe('no reply and no event has a field for a secret', () => {
  test.each(callNames)('%s', (name) => {
    expect([...fields(calls[name].reply)].filter((field) => secret.test(field))).toEqual(
      withKeyOfAddress.includes(name) ? ['secret'] : [],
    );
  });
  test.each(eventNames)('%s', (name) => {
    expect([...fields(events[name])].filter((field) => secret.test(field))).toEqual([]);
  });
});

test('a secret goes in by the calls that keep one, and no other', () => {
  const taking = callNames.filter((name) =>
    [...fields(calls[name].request)].some((field) => secret.test(field)),
  );
  expect(taking.toSorted()).toEqual(['instance.setToken', 'storage.save', 'token.setSpare']);
});
