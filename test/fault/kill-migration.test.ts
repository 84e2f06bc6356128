import { expect, it } from 'vitest';
import { killMigrations } from '../support/faults/killed-migrations.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const seed = Number(process.env['PACKHORSE_SEED'] ?? 1);

it('a migration that is killed at random points resumes with the same command, loses nothing and imports nothing twice', async () => {
  const { kills, violations } = await killMigrations(temporaryFolder(), {
    projects: 5,
    kills: 20,
    maxKills: 20,
    seed,
  });
  expect(violations, `seed ${seed} (PACKHORSE_SEED)`).toEqual([]);
  expect(kills).toBe(20);
}, 240_000);
