/**
 * @file C2 and R3 of the goals: migrates two hundred varied projects unattended between two instances that both fail in
 * every way. Twelve of the projects have records that GitLab rejects, and one of these has 250.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src-main/platform/clock.ts';
import { migrateCrowd } from '../support/migrations/migrated-crowd.ts';
import { atSize, type Report } from './measuring.ts';

const bad = atSize(12, 1);
/** A list is also counted before and after the export. */
const maxRepeats = 1.25;
const waveSize = atSize(50, 2);
const manyRejected = atSize(250, 5);

export async function run(projects = atSize(200, 4)): Promise<Report> {
  const began = systemClock.monotonic();
  const folder = mkdtempSync(join(tmpdir(), 'packhorse-migration-'));
  try {
    const tally = await migrateCrowd(folder, { projects, bad, manyRejected, waveSize });
    const { states, failures, imports, lost, violations, reads, requests, verified, seconds } = tally;
    const verifyingSeconds = (systemClock.monotonic() - began) / 1000 - seconds;
    const unknown = failures.happened - failures.known;
    const { arrived = 0, differs = 0, failed = 0 } = states;
    const isGood = violations.length === 0 && unknown === 0;
    return {
      title: `${projects} projects moved while both instances fail`,
      rows: [
        {
          goal: 'C2',
          what: 'failures in GitLab that Packhorse does not know',
          measured: `${unknown} of ${failures.happened}`,
          goalValue: '0',
          isReached: unknown === 0,
        },
        {
          goal: 'R3',
          what: 'projects with a wrong place or wrong contents, or imported twice',
          measured: String(violations.length),
          goalValue: '0',
          isReached: violations.length === 0,
        },
        {
          goal: '–',
          what: `requests for contents, compared with the ${reads.different} different ones`,
          measured: `${(reads.sent / reads.different).toFixed(2)} ×`,
          goalValue: `≤ ${maxRepeats} ×`,
          isReached: reads.sent <= maxRepeats * reads.different,
        },
      ],
      rounds: [
        `${requests} requests to both instances`,
        `${imports} imports were requested, ${lost} of the replies were lost`,
        `${(seconds / 60).toFixed(1)} minutes`,
        `${verified ?? 'no'} verdicts checked by the independent verifier in ${verifyingSeconds.toFixed(0)} s more`,
        ...violations,
      ],
      versions: [`Node ${process.version}`],
      verdict: {
        line: `projects ${projects}, arrived ${arrived}, differ ${differs}, failed ${failed}, failures ${failures.known} of ${failures.happened}, wrong ${violations.length}`,
        isGood,
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
