import { expect, test } from 'vitest';
import type { ProjectRow } from '../../../src-contract/projects/project.ts';
import {
  byInstance,
  distinct,
  keyOf,
  RememberedTargets,
  type Target,
} from '../../../src-renderer/views/projects/chosen/targets.ts';

const target = (id: number, instance = 'work'): Target => ({
  id,
  instance,
  fullPath: `group/project-${id}`,
  backupStatus: 'current',
  accessLevel: 40,
});

test('a project that stands on two pages is taken once, and equal ids of two instances are two projects', () => {
  const all = [target(1), target(2), target(1), target(1, 'mirror')];
  expect(distinct(all).map(keyOf)).toEqual(['work 1', 'work 2', 'mirror 1']);
  expect(byInstance(distinct(all)).map(([name, { length }]) => [name, length])).toEqual([
    ['work', 2],
    ['mirror', 1],
  ]);
});

test('however many rows go by, the selected ones stay known and the others do not pile up', () => {
  const selected = new Set(['work 7']);
  const remembered = new RememberedTargets((key) => selected.has(key), 100);
  for (let id = 1; id <= 1000; id += 1) remembered.add([target(id) as ProjectRow]);
  const known = remembered.of(Array.from({ length: 1000 }, (_, at) => `work ${at + 1}`));
  expect(known.map(({ id }) => id)).toContain(7);
  expect(known.length).toBeLessThanOrEqual(101);
});
