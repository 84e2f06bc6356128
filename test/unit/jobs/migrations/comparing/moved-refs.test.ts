import { expect, it } from 'vitest';
import {
  compareRefs,
  type RefSides,
} from '../../../../../src-main/jobs/migrations/comparing/refs/compare-refs.ts';

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
const archived = (shas: string[], key = 'main') => [{ ...identified(key), line: 3, shas }];
const listed = (shas: string[], committedAt: number | null = older, key = 'main') => [
  { ...identified(key), id: null, shas, committedAt },
];
/** Returns the same ref on all sides, except for `changes`. */
function sides(changes: {
  archive?: RefSides['archive']['branches'];
  source?: RefSides['target']['branches'];
  target?: RefSides['target']['branches'];
  sourceMoved?: boolean;
  isPrompt?: boolean;
  knownLosses?: RefSides['knownLosses'];
}): RefSides {
  const {
    archive = archived([a]),
    source = listed([a]),
    target = listed([a]),
    sourceMoved = false,
    isPrompt = true,
    knownLosses = [],
  } = changes;
  const side = <Refs>(branches: Refs) => ({ branches, tags: [] });
  return {
    source: side(source),
    archive: side(archive),
    target: side(target),
    exportedAt,
    hasSourceChanged: sourceMoved,
    ...{ isPrompt, knownLosses },
  };
}

const lost = (on: string, from: string, to: string) => ({
  relation: 'branches',
  lost: on,
  line: 3,
  title: 'main',
  part: { name: 'commit', values: { expected: from.slice(0, 8), found: to.slice(0, 8) } },
});

it.each<[string, Parameters<typeof sides>[0], unknown[]]>([
  ['at the same commit on all sides is no loss', {}, []],
  ['at another commit on the target was lost on import', { target: listed([b]) }, [lost('on-import', a, b)]],
  ['at another commit in the archive was lost on export', { source: listed([b]) }, [lost('on-export', b, a)]],
  [
    'of a source that nobody edited was lost on export, even if its commit claims a later time',
    { source: listed([b], exportedAt + 1) },
    [lost('on-export', b, a)],
  ],
  ['of an annotated tag is equal if its object or its commit is equal', { target: listed([object, a]) }, []],
  ['that the target does not list is left to another rule', { target: [] }, []],
  [
    'without a reported commit on one side is not compared',
    { target: listed([]), archive: archived([a]) },
    [],
  ],
  ['on a target whose refs may not be listed is not compared', { target: null, source: null }, []],
])('a ref %s', (_rule, changes, missing) => {
  expect(compareRefs(sides(changes))).toMatchObject({ missing, declared: [] });
  expect(compareRefs(sides(changes)).missing).toHaveLength(missing.length);
});

it('a different ref is declared, not lost on export, if the source was edited since', () => {
  const { missing, declared } = compareRefs(sides({ source: listed([b]), sourceMoved: true }));
  expect(missing).toEqual([]);
  expect(declared).toEqual([
    expect.stringMatching(/other commits on the source.*: main \(bbbbbbbb, in the archive aaaaaaaa\)\.$/),
  ]);
  // The edited source does not hide a loss on import.
  expect(compareRefs(sides({ target: listed([b]), sourceMoved: true })).missing).toMatchObject([
    lost('on-import', a, b),
  ]);
});

it('a ref of the target at a commit from after the export is declared, because somebody may have pushed it', () => {
  expect(compareRefs(sides({ target: listed([b], exportedAt) }))).toEqual({
    missing: [],
    declared: [
      expect.stringMatching(/other commits on the target.*: main \(bbbbbbbb, in the archive aaaaaaaa\)\.$/),
    ],
  });
  const pushed = sides({ source: listed([b], exportedAt), sourceMoved: true });
  expect(compareRefs(pushed)).toMatchObject({
    missing: [],
    declared: [expect.stringContaining('on the source')],
  });
});

it('a ref of the target at an older commit is a loss long after the import only if it was one before', () => {
  const later = { target: listed([b]), isPrompt: false };
  expect(compareRefs(sides(later))).toEqual({
    missing: [],
    declared: [
      expect.stringMatching(/other commits on the target.*may have moved after the import: main \(bbb/),
    ],
  });
  const { missing: knownLosses } = compareRefs(sides({ target: listed([b]) }));
  expect(knownLosses).toHaveLength(1);
  expect(compareRefs(sides({ ...later, knownLosses }))).toEqual({ missing: knownLosses, declared: [] });
});

it('a lost ref stays lost until the target has its commit, although somebody pushed another one', () => {
  const { missing: onImport } = compareRefs(sides({ target: listed([b]) }));
  const pushed = { target: listed([object], exportedAt + 1), isPrompt: false, knownLosses: onImport };
  // The loss keeps its values, so that an acceptance still covers it.
  expect(compareRefs(sides(pushed))).toEqual({ missing: onImport, declared: [] });
  expect(compareRefs(sides({ ...pushed, target: listed([a]) }))).toEqual({ missing: [], declared: [] });

  const { missing: onExport } = compareRefs(sides({ source: listed([b]) }));
  const moved = { source: listed([object]), sourceMoved: true, knownLosses: onExport };
  expect(compareRefs(sides(moved))).toMatchObject({ missing: onExport, declared: [] });
  expect(compareRefs(sides({ ...moved, target: listed([b]) })).missing).toMatchObject([
    { lost: 'on-import' },
  ]);
  expect(compareRefs(sides({ ...moved, target: listed([object]) })).missing).toMatchObject([
    lost('on-import', a, object),
  ]);
});

it('tags are compared like branches', () => {
  const same = sides({});
  const moved = {
    ...same,
    archive: { branches: [], tags: archived([a], 'v1') },
    target: { branches: [], tags: listed([b], older, 'v1') },
  };
  expect(compareRefs(moved).missing).toMatchObject([{ relation: 'tags', title: 'v1', lost: 'on-import' }]);
});
