/**
 * @file C2 and R3 of the goals: two hundred varied projects moved unattended between two instances that both fail in every way, twelve
 * of them with records that GitLab refuses, one of these with 250.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src-main/platform/clock.ts';
import { moveCrowd } from '../support/migrations/migrated-crowd.ts';
import { atSize, type Report } from './measuring.ts';

const bad = atSize(12, 1);
const waveSize = atSize(50, 3);

export async function run(projects = atSize(200, 6)): Promise<Report> {
  const began = systemClock.monotonic();
  const folder = mkdtempSync(join(tmpdir(), 'packhorse-migration-'));
  try {
    const { states, failures, imports, lost, wrong } = await moveCrowd(folder, { projects, bad, waveSize });
    const unknown = failures.happened - failures.known;
    const { arrived = 0, differs = 0, failed = 0 } = states;
    const isGood = wrong.length === 0 && unknown === 0;
    return {
      title: `${projects} projects moved while both instances fail`,
      rows: [
        {
          goal: 'C2',
          what: 'failures of GitLab that are not known here',
          measured: `${unknown} of ${failures.happened}`,
          wanted: '0',
          reached: unknown === 0,
        },
        {
          goal: 'R3',
          what: 'projects that are not where and what they should be, or were imported twice',
          measured: String(wrong.length),
          wanted: '0',
          reached: wrong.length === 0,
        },
      ],
      rounds: [
        `${imports} imports were asked for, ${lost} replies to them lost`,
        `${((systemClock.monotonic() - began) / 60_000).toFixed(1)} minutes`,
        ...wrong,
      ],
      versions: [`Node ${process.version}`],
      verdict: {
        line: `projects ${projects}, arrived ${arrived}, differ ${differs}, failed ${failed}, failures ${failures.known} of ${failures.happened}, wrong ${wrong.length}`,
        isGood,
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
