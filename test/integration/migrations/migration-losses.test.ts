import { expect, it } from 'vitest';
import {
  distinctVariants,
  loseOneOfEach,
  lossesOfOne,
  lossKindNames,
  sides,
  type LossKind,
} from '../../support/migrations/single-losses.ts';
import type { Found } from '../../support/migrations/verdict-losses.ts';
import { folderInMemory } from '../../support/temporary-folder.ts';

/** At least two of each kind on each side; `npm run bench -- loss` loses 2,000 things. */
const variants = (kind: LossKind): number => Math.max(2, distinctVariants(kind));
/** Clean projects in each migration. */
const clean = 10;

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
  Array.from({ length: variants(kind) }, (_, variant) => lossesOfOne(kind, variant, side)).reduce(
    (sum, each) => sum + each,
  );

it('finds what each project lost on its way, of every kind on every side, and says nothing of what lost nothing', async () => {
  const { found, wrong, losses, clean: untouched } = await loseOneOfEach(folderInMemory(), variants, clean);
  expect(wrong).toEqual([]);
  expect(found).toEqual(
    Object.fromEntries(
      lossKindNames.flatMap((kind) =>
        sides.map((side) => [`${kind} on ${side}`, { [expected[kind]]: lossesOfAll(kind, side) }]),
      ),
    ),
  );
  // Two migrations.
  expect(untouched).toBe(2 * clean);
  const all = lossKindNames.flatMap((kind) => sides.map((side) => lossesOfAll(kind, side)));
  expect(losses).toBe(all.reduce((sum, each) => sum + each, 0));
}, 600_000);
