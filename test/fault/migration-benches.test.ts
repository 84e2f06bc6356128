/**
 * @file Runs the benches of migrations at their smallest size.
 *
 * Slow, because each of them starts sandboxes and the product, and moves projects. Only a run shows that a bench still
 * fits the product.
 */
import { expect, test } from 'vitest';
import { runBenches } from '../support/processes/bench-process.ts';

test('each bench of migrations runs and reports whether it reached its goal', async () => {
  const names = ['comparison', 'kill-migration', 'loss', 'migration', 'migration-look', 'retry'];
  expect(await runBenches(names)).toEqual(names);
});
