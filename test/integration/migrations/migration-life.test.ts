/**
 * @file Losses beside other changes are found, and what people do while a migration runs is no loss.
 *
 * Slow, because it moves 30 projects whose people work during the migration.
 */
import { expect, it } from 'vitest';
import { migrateWithLife } from '../../support/migrations/life/lively-migrations.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('a migration finds a loss beside another change, and reports no work of people as a loss, whatever the clocks show', async () => {
  const { found, wrong, untold, losses, clean: lively } = await migrateWithLife(temporaryFolder(), 15, 15);
  expect(wrong).toEqual([]);
  expect(untold).toEqual([]);
  expect(lively).toBe(15);
  const counts = Object.values(found).flatMap((times): [string, number][] => Object.entries(times));
  expect(counts.filter(([as]) => as === 'silent')).toEqual([]);
  expect(counts.reduce((sum, [, times]) => sum + times, 0)).toBe(losses);
  expect(losses).toBeGreaterThanOrEqual(15);
}, 300_000);
