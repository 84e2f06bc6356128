import { expect, it } from 'vitest';
import {
  compareRefs,
  type RefSides,
} from '../../../../../src-main/jobs/migrations/comparing/compare-refs.ts';

const exportedAt = 1_000;
const older = exportedAt - 1;
const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const object = 'c'.repeat(40);

const identified = (key: string) => ({
  key,
  iid: null,
  title: key,
  notes: null,
  createdAt: null,
  updatedAt: null,
});
const held = (shas: string[], key = 'main') => [{ ...identified(key), line: 3, shas }];
const listed = (shas: string[], committedAt: number | null = older, key = 'main') => [
  { ...identified(key), id: null, shas, committedAt },
];
/** The same ref on all sides, except for the given differences. */
function sides(changes: {
  archive?: RefSides['archive']['branches'];
  source?: RefSides['target']['branches'];
  target?: RefSides['target']['branches'];
  sourceMoved?: boolean;
}): RefSides {
  const { archive = held([a]), source = listed([a]), target = listed([a]), sourceMoved = false } = changes;
  const side = <Refs>(branches: Refs) => ({ branches, tags: [] });
  return {
    source: side(source),
    archive: side(archive),
    target: side(target),
    exportedAt,
    hasSourceChanged: sourceMoved,
  };
}

const lost = (on: string, from: string, to: string) => ({
  relation: 'branches',
  lost: on,
  line: 3,
  title: 'main',
  part: { name: `commit ${from.slice(0, 8)}, now ${to.slice(0, 8)}` },
});

it.each<[string, Parameters<typeof sides>[0], unknown[]]>([
  ['at the same commit on all sides is no loss', {}, []],
  ['at another commit on the target was lost on import', { target: listed([b]) }, [lost('on-import', a, b)]],
  ['at another commit in the archive was lost on export', { source: listed([b]) }, [lost('on-export', b, a)]],
  [
    'at a commit from after the export has moved since',
    { source: listed([b], exportedAt), target: listed([b], exportedAt) },
    [],
  ],
  ['of an annotated tag is the same by its object or its commit', { target: listed([object, a]) }, []],
  ['that the target does not list is named by another rule', { target: [] }, []],
  [
    'that one side does not tell the commit of is not compared',
    { target: listed([]), archive: held([a]) },
    [],
  ],
  ['on a target that may not be listed is not compared', { target: null, source: null }, []],
])('a ref %s', (_rule, changes, missing) => {
  expect(compareRefs(sides(changes))).toMatchObject({ missing, declared: [] });
  expect(compareRefs(sides(changes)).missing).toHaveLength(missing.length);
});

it('a ref of a source that was edited since is declared instead', () => {
  const { missing, declared } = compareRefs(sides({ source: listed([b]), sourceMoved: true }));
  expect(missing).toEqual([]);
  expect(declared).toEqual([expect.stringMatching(/other commits on the source.*: main\.$/)]);
  // The target does not matter here.
  expect(compareRefs(sides({ target: listed([b]), sourceMoved: true })).missing).toMatchObject([
    lost('on-import', a, b),
  ]);
});

it('tags are compared as branches are', () => {
  const of = sides({});
  const moved = {
    ...of,
    archive: { branches: [], tags: held([a], 'v1') },
    target: { branches: [], tags: listed([b], older, 'v1') },
  };
  expect(compareRefs(moved).missing).toMatchObject([{ relation: 'tags', title: 'v1', lost: 'on-import' }]);
});
