/**
 * @file R3 of the goals: kills migrations of ten projects two hundred times at random points. After each kill, runs the
 * same command on the data of the killed process. Uses the built product.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src-main/platform/clock.ts';
import { killMigrations } from '../support/faults/killed-migrations.ts';
import { build, type Report, commandLine, atSize } from './measuring.ts';

const projects = atSize(10, 1);

export async function run(count = atSize(200, 1)): Promise<Report> {
  build();
  const began = systemClock.monotonic();
  const seed = Number(process.env['PACKHORSE_SEED'] ?? 1);
  const folder = mkdtempSync(join(tmpdir(), 'packhorse-kill-migration-'));
  try {
    const { kills, migrations, violations } = await killMigrations(folder, {
      projects,
      kills: count,
      maxKills: 20,
      seed,
      program: commandLine,
    });
    const isGood = violations.length === 0;
    return {
      title: `Migrations of ${projects} projects, killed at random points (seed ${seed}, PACKHORSE_SEED)`,
      rows: [
        {
          goal: 'R3',
          what: 'projects that were lost, imported twice, or left incomplete',
          measured: `${violations.length} after ${kills} kills`,
          goalValue: '0',
          isReached: isGood,
        },
      ],
      rounds: [
        `${migrations} migrations ended; ${((systemClock.monotonic() - began) / 60_000).toFixed(1)} minutes`,
        ...violations,
      ],
      versions: [`Node ${process.version}`],
      verdict: { line: `kills ${kills}, migrations ${migrations}, wrong ${violations.length}`, isGood },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
