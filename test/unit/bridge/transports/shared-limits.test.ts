import { expect, test } from 'vitest';
import { createSharedLimits } from '../../../../src-main/bridge/transports/shared-limits.ts';

const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;
const never = new AbortController().signal;

/** Creates calls whose work ends when the test calls one of `ends`. */
function openWork() {
  const limits = createSharedLimits();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const call = (name: string, signal = never): Promise<number> => {
    const number = ends.length + begun.length;
    return limits.run(name, signal, async () => {
      begun.push(number);
      return new Promise((resolve) => {
        ends.push(() => {
          resolve(number);
        });
      });
    });
  };
  return { limits, begun, ends, call };
}

test('at most two archives are read at once for all pages, and the other calls wait', async () => {
  const { begun, ends, call } = openWork();
  const calls = Array.from({ length: 4 }, () => call('archive.inspect'));
  expect(begun).toHaveLength(2);
  ends[0]?.();
  await calls[0];
  await expect.poll(() => begun.length).toBe(3);
  for (const end of ends) end();
  await expect.poll(() => begun.length).toBe(4);
  ends.at(-1)?.();
  await Promise.all(calls);
});

test('at most 32 calls that read archives wait, and a cancelled one frees its place', async () => {
  const { call } = openWork();
  const cancel = new AbortController();
  for (let at = 0; at < 2 + 31; at++) void call('archive.lint');
  const waiting = call('archive.lint', cancel.signal);
  await expect(call('archive.trim')).rejects.toThrow(withCode('calls-too-many'));
  cancel.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  const admitted = call('archive.trim');
  expect(await Promise.race([admitted, Promise.resolve('waits')])).toBe('waits');
});

test('at most 256 calls of all pages are in progress', async () => {
  const { call } = openWork();
  for (let at = 0; at < 256; at++) void call('doctor.run');
  await expect(call('doctor.run')).rejects.toThrow(withCode('calls-too-many'));
});

test('at most 32 MiB wait to be sent to all pages together', () => {
  const { limits } = openWork();
  expect(limits.addUnsent(32 << 20)).toBe(true);
  expect(limits.addUnsent(1)).toBe(false);
  expect(limits.addUnsent(-2)).toBe(true);
});
