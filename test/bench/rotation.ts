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
    const { wrong, cut, succeeded, refused, lost } = tally;
    return {
      title: 'Rotations with the real keychain, ended at random points',
      rows: [
        {
          goal: 'R5',
          what: 'avoidable lock-outs, and invalid tokens sent to a rotation',
          measured: `${wrong.length} of ${tally.rounds}`,
          wanted: '0',
          reached: wrong.length === 0 && tally.rounds === rounds,
        },
      ],
      rounds: [
        `${cut} were cut off; ${succeeded} replaced the token, ${refused} left it as it was, ${lost} lost it without a spare and reported the loss`,
        ...wrong,
      ],
      versions: [`Node ${process.version}`],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
