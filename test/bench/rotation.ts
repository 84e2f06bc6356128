/**
 * @file R5 of the goals: five hundred rotations of a token with the real keychain, each ended at a random point and
 * resumed, with and without a spare. Their requests arrive, are lost, or lose their reply.
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
          what: 'lock-outs that could be helped, or tokens that had ended sent to a rotation',
          measured: `${wrong.length} of ${tally.rounds}`,
          wanted: '0',
          reached: wrong.length === 0 && tally.rounds === rounds,
        },
      ],
      rounds: [
        `${cut} were cut off; ${succeeded} replaced the token, ${refused} left it as it was, ${lost} lost it without a spare and said so`,
        ...wrong,
      ],
      versions: [`Node ${process.version}`],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
