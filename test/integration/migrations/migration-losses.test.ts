import { expect, it } from 'vitest';
import {
  loseOneOfEach,
  lossesOfOne,
  lossKindNames,
  sides,
  type LossKind,
} from '../../support/migrations/single-losses.ts';
import type { Found } from '../../support/migrations/verdict-losses.ts';
import { folderInMemory } from '../../support/temporary-folder.ts';

/** Each kind of loss on each side; `npm run bench -- loss` continues to 2,000 losses. */
const variants = 10;
/** Two of each. */
const clean = 2;

/** How a loss of each kind is found, and assigned to the right side. */
const expected: Record<LossKind, Found> = {
  records: 'named',
  notes: 'named',
  uploads: 'named',
  'LFS objects': 'counted',
  refs: 'named',
  members: 'named',
  labels: 'named',
  settings: 'differs',
  diffs: 'named',
  duplicates: 'named',
};

const lossesOfAll = (kind: LossKind, side: (typeof sides)[number]): number =>
  Array.from({ length: variants }, (_, variant) => lossesOfOne(kind, variant, side)).reduce(
    (sum, each) => sum + each,
  );

it('finds what each of two hundred projects lost on its way, and says nothing of what lost nothing', async () => {
  const { found, wrong, losses, clean: untouched } = await loseOneOfEach(folderInMemory(), variants, clean);
  expect(wrong).toEqual([]);
  expect(found).toEqual(
    Object.fromEntries(
      lossKindNames.flatMap((kind) =>
        sides.map((side) => [`${kind} on ${side}`, { [expected[kind]]: lossesOfAll(kind, side) }]),
      ),
    ),
  );
  expect(untouched).toBe(variants * (clean / 2));
  const all = lossKindNames.flatMap((kind) => sides.map((side) => lossesOfAll(kind, side)));
  expect(losses).toBe(all.reduce((sum, each) => sum + each, 0));
}, 600_000);
