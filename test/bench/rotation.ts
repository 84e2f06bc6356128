/**
 * @file R5 of the goals: rotates a token five hundred times with the real keychain, with and without a spare token. Each
 * rotation is ended at a random point and resumed. The request of a rotation arrives, is lost, or loses its reply.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rotateAtRandom } from '../support/tokens/rotations.ts';
import { atSize, type Report } from './measuring.ts';

const rounds = atSize(500, 2);

export async function run(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'packhorse-rotation-'));
  try {
    const tally = await rotateAtRandom({ folder, rounds, seed: 500 });
    const { violations, cut, succeeded, refused, lost } = tally;
    return {
      title: 'Rotations with the real keychain, ended at random points',
      rows: [
        {
          goal: 'R5',
          what: 'avoidable lock-outs, and invalid tokens sent to a rotation',
          measured: `${violations.length} of ${tally.rounds}`,
          goalValue: '0',
          isReached: violations.length === 0 && tally.rounds === rounds,
        },
      ],
      rounds: [
        `${cut} were cut off; ${succeeded} replaced the token, ${refused} left it as it was, ${lost} lost it without a spare and reported the loss`,
        ...violations,
      ],
      versions: [`Node ${process.version}`],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
