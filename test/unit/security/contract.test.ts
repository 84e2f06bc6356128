/**
 * @file Checks that the contract never returns a secret to the page, that only few of its calls accept one, and that each
 * channel has one name.
 */
import { describe, expect, test } from 'vitest';
import { callNames, cancelChannel, eventNames, fileChannel } from '../../../src-contract/call-names.ts';
import { calls, events } from '../../../src-contract/calls.ts';
import { z } from '../../../src-contract/schema.ts';

/** Returns the names of all fields at any depth. */
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

/**
 * Their job input contains the key under which the process keeps an address in memory. The key is not a secret: it gives
 * access to nothing outside of the process.
 */
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

test('only the calls that store a secret accept one', () => {
  const acceptingCalls = callNames.filter((name) =>
    [...fields(calls[name].request)].some((field) => secret.test(field)),
  );
  expect(acceptingCalls.toSorted()).toEqual(['instance.setToken', 'storage.save', 'token.setSpare']);
});

test('every channel has one name, and every call and event has a schema', () => {
  const channels = [...callNames, ...eventNames, cancelChannel, fileChannel];
  expect(channels).toEqual([...new Set(channels)]);
  expect(Object.keys(calls).toSorted()).toEqual([...callNames].toSorted());
  expect(Object.keys(events).toSorted()).toEqual([...eventNames].toSorted());
});
