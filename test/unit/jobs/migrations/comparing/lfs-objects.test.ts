import { expect, it } from 'vitest';
import {
  describeUnknownLfsObjects,
  lostLfsObjects,
} from '../../../../../src-main/jobs/migrations/comparing/lfs-objects.ts';
import { assessDifferences } from '../../../../../src-main/jobs/migrations/comparing/differences.ts';

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
const archive = [
  { oid: a, bytes: 5 },
  { oid: b, bytes: 7 },
];
const lossOf = (title: string, lost: 'on-export' | 'on-import') => ({
  ...{ relation: 'lfs_objects', lost, line: null, iid: null, title, part: null },
});

it('an archived object that the target does not have is lost on import', () => {
  expect(lostLfsObjects({ archive, target: new Set([a]) })).toEqual([lossOf(`${b} (7 bytes)`, 'on-import')]);
});

it('an object that the archive lists but does not contain is lost on export, whatever the target answers', () => {
  const listed = [{ oid: a, bytes: null }];
  for (const target of [null, new Set<string>(), new Set([a])])
    expect(lostLfsObjects({ archive: listed, target })).toEqual([lossOf(a, 'on-export')]);
});

it('without an answer no object is lost, and the comparison says that it does not know', () => {
  const sides = { archive, target: null };
  expect(lostLfsObjects(sides)).toEqual([]);
  expect(describeUnknownLfsObjects(sides)).toEqual([
    expect.stringMatching(/each of the 2 LFS objects is not known/),
  ]);
  expect(describeUnknownLfsObjects({ archive: [], target: null })).toEqual([]);
  expect(describeUnknownLfsObjects({ archive, target: new Set() })).toEqual([]);
});

it('the bytes of objects that an import lost are no difference of their own', () => {
  const rows = [
    { relation: 'lfs_objects_size', source: 12, archive: 12, target: 5, verdict: 'lost-on-import' as const },
  ];
  const reconciliation = {
    ...{ at: '2026-11-20T01:00:00.000Z', depth: 'fields' as const, reconciled: false, rows, declared: [] },
    ...{ settings: [], notCompared: [], missing: [lossOf(b, 'on-import')], missingCount: 1 },
  };
  expect(assessDifferences(reconciliation, [], []).map(({ relation }) => relation)).toEqual(['lfs_objects']);
  const unnamed = { ...reconciliation, missing: [], missingCount: 0 };
  expect(assessDifferences(unnamed, [], []).map(({ relation }) => relation)).toEqual(['lfs_objects_size']);
});
