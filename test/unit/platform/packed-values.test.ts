import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { withPacked } from '../../../src-main/platform/packed-values.ts';

const text = (index: number): string =>
  `Value ${index}\nwith a second line, „quotes“ and \uD800. `.repeat(20);
const values = (index: number) => ({ contents: { text: text(index), iid: String(index) }, users: [index] });

const count = 2000;
/** Values in several compressed blocks, and in one that is not full. */
const packAll = () => Array.from({ length: count }, (_, index) => withPacked({ line: index }, values(index)));

test('packed fields have the packed values, in whichever order they are read', () => {
  const all = packAll();
  const orders = [
    all.map((_, index) => index),
    all.map((_, index) => count - 1 - index),
    // 7919 is prime, so every index occurs once.
    all.map((_, index) => (index * 7919) % count),
  ];
  for (const order of orders)
    for (const index of order) expect(all[index]).toEqual({ line: index, ...values(index) });
});

test('a spread has ordinary fields, and can replace one of them', () => {
  const packed = withPacked({ line: 1 }, values(1));
  const changed = { ...packed, contents: { text: 'other' } };
  expect(changed).toStrictEqual({ line: 1, contents: { text: 'other' }, users: [1] });
  expect(packed).toEqual({ line: 1, ...values(1) });
});

test('a field that is not packed is absent', () => {
  expect(Object.keys(withPacked({ line: 1 }, { contents: {} }))).toEqual(['line', 'contents']);
});

test('similar values take a small part of their size in memory', () => {
  // Other tests of this process leave memory behind.
  const program = `
    import { withPacked } from ${JSON.stringify(import.meta.resolve('../../../src-main/platform/packed-values.ts'))};
    const usedBytes = () => {
      gc();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const text = (index) => ('Value ' + index + ' with a second line. ').repeat(120);
    const before = usedBytes();
    const all = Array.from({ length: 5000 }, (_, index) => withPacked({}, { text: text(index) }));
    const taken = usedBytes() - before;
    const size = all.reduce((sum, packed) => sum + packed.text.length, 0);
    console.log(JSON.stringify({ size, taken }));
  `;
  // Otherwise another thread releases buffers after `gc` has returned.
  const options = ['--expose-gc', '--single-threaded-gc', '--input-type=module', '--eval', program];
  const { size, taken } = JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' })) as {
    size: number;
    taken: number;
  };
  expect(size).toBeGreaterThan(15e6);
  expect(taken).toBeLessThan(size / 4);
});
