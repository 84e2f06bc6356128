import { expect, test } from 'vitest';
import type { ProjectRow } from '../../../src-contract/projects/project.ts';
import {
  groupByInstance,
  distinct,
  keyOf,
  RememberedCandidates,
  type BackupCandidate,
} from '../../../src-renderer/views/projects/chosen/backup-candidates.ts';

const candidate = (id: number, instance = 'work'): BackupCandidate => ({
  id,
  instance,
  fullPath: `group/project-${id}`,
  backupStatus: 'current',
  accessLevel: 40,
});

test('a project that is on two pages is one candidate, and equal ids on two instances are two candidates', () => {
  const all = [candidate(1), candidate(2), candidate(1), candidate(1, 'mirror')];
  expect(distinct(all).map(keyOf)).toEqual(['work 1', 'work 2', 'mirror 1']);
  expect(groupByInstance(distinct(all)).map(([name, { length }]) => [name, length])).toEqual([
    ['work', 2],
    ['mirror', 1],
  ]);
});

test('selected rows stay known after any number of other rows, and the number of other known rows is limited', () => {
  const selected = new Set(['work 7']);
  const remembered = new RememberedCandidates((key) => selected.has(key), 100);
  for (let id = 1; id <= 1000; id += 1) remembered.add([candidate(id) as ProjectRow]);
  const known = remembered.candidatesOf(Array.from({ length: 1000 }, (_, at) => `work ${at + 1}`));
  expect(known.map(({ id }) => id)).toContain(7);
  expect(known.length).toBeLessThanOrEqual(101);
});
