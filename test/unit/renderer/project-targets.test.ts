import { expect, test } from 'vitest';
import type { ProjectRow } from '../../../src-contract/projects/project.ts';
import {
  groupByInstance,
  distinct,
  keyOf,
  RememberedCandidates,
  type BackupCandidate,
} from '../../../src-renderer/views/projects/chosen/backup-candidates.ts';

const target = (id: number, instance = 'work'): BackupCandidate => ({
  id,
  instance,
  fullPath: `group/project-${id}`,
  backupStatus: 'current',
  accessLevel: 40,
});

test('a project that stands on two pages is taken once, and equal ids of two instances are two projects', () => {
  const all = [target(1), target(2), target(1), target(1, 'mirror')];
  expect(distinct(all).map(keyOf)).toEqual(['work 1', 'work 2', 'mirror 1']);
  expect(groupByInstance(distinct(all)).map(([name, { length }]) => [name, length])).toEqual([
    ['work', 2],
    ['mirror', 1],
  ]);
});

test('however many rows go by, the selected ones stay known and the others do not pile up', () => {
  const selected = new Set(['work 7']);
  const remembered = new RememberedCandidates((key) => selected.has(key), 100);
  for (let id = 1; id <= 1000; id += 1) remembered.add([target(id) as ProjectRow]);
  const known = remembered.candidatesOf(Array.from({ length: 1000 }, (_, at) => `work ${at + 1}`));
  expect(known.map(({ id }) => id)).toContain(7);
  expect(known.length).toBeLessThanOrEqual(101);
});
