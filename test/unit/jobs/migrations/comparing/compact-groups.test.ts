import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CompactGroups } from '../../../../../src-main/jobs/migrations/comparing/compact-groups.ts';

const record = (key: string | null, line: number) => ({ key, line });
const records = [record('a', 0), record('b', 1), record(null, 2), record('a', 3), record('a', 4)];

test('groups are the same as those of Map.groupBy, in the same order', () => {
  const expected = Map.groupBy(records, ({ key }) => key);
  const groups = new CompactGroups(records, ({ key }) => key);
  expect([...groups]).toEqual([...expected]);
  expect([...groups.keys()]).toEqual(['a', 'b', null]);
  for (const key of ['a', 'b', null, 'absent']) {
    expect(groups.get(key)).toEqual(expected.get(key));
    expect(groups.has(key)).toBe(expected.has(key));
  }
});

test('groups of one value take less than two thirds of the memory of arrays', () => {
  // Other tests of this process leave memory behind.
  const program = `
    import { CompactGroups } from ${JSON.stringify(import.meta.resolve('../../../../../src-main/jobs/migrations/comparing/compact-groups.ts'))};
    const records = Array.from({ length: 100_000 }, (_, line) => ({ key: String(line) }));
    const sizeOf = (group) => {
      gc();
      const before = process.memoryUsage().heapUsed;
      const groups = group();
      gc();
      const size = process.memoryUsage().heapUsed - before;
      return groups.has('1') ? size : NaN;
    };
    const compact = sizeOf(() => new CompactGroups(records, ({ key }) => key));
    const arrays = sizeOf(() => Map.groupBy(records, ({ key }) => key));
    console.log(JSON.stringify({ compact, arrays }));
  `;
  const options = ['--expose-gc', '--input-type=module', '--eval', program];
  const { compact, arrays } = JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' })) as {
    compact: number;
    arrays: number;
  };
  expect(compact).toBeLessThan((arrays * 2) / 3);
});
