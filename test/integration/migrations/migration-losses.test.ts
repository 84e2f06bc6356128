import { expect, it } from 'vitest';
import {
  everyVariant,
  loseOneOfEach,
  lossesOfOne,
  lossKindNames,
  sides,
  variantsAtOnce,
  type LossKind,
} from '../../support/migrations/single-losses.ts';
import type { Found } from '../../support/migrations/judged-losses.ts';
import { folderInMemory } from '../../support/temporary-folder.ts';

/** In each of the migrations in which whatever can be lost is lost; `npm run bench -- loss` goes on to 2,000 losses. */
const clean = 2;

/** How what is lost of each kind is found, and put on the right side. */
const expected: Record<LossKind, Found> = {
  records: 'named',
  notes: 'named',
  uploads: 'counted',
  'LFS objects': 'counted',
  refs: 'named',
  members: 'named',
  labels: 'named',
  settings: 'differs',
  diffs: 'named',
  duplicates: 'named',
};

const lossesOfAll = (kind: LossKind, side: (typeof sides)[number]): number =>
  Array.from({ length: everyVariant(kind) }, (_, variant) => lossesOfOne(kind, variant, side)).reduce(
    (sum, each) => sum + each,
  );

it('finds each kind of loss on each side in the project that lost it, and says nothing of what lost nothing', async () => {
  const {
    found,
    wrong,
    losses,
    clean: untouched,
  } = await loseOneOfEach(folderInMemory(), everyVariant, clean);
  expect(wrong).toEqual([]);
  expect(found).toEqual(
    Object.fromEntries(
      lossKindNames.flatMap((kind) =>
        sides.map((side) => [`${kind} on ${side}`, { [expected[kind]]: lossesOfAll(kind, side) }]),
      ),
    ),
  );
  const most = Math.max(...lossKindNames.map(everyVariant));
  expect(untouched).toBe(clean * Math.ceil(most / variantsAtOnce));
  const all = lossKindNames.flatMap((kind) => sides.map((side) => lossesOfAll(kind, side)));
  expect(losses).toBe(all.reduce((sum, each) => sum + each, 0));
}, 300_000);
