/**
 * @file A program for `inKeychainSession` that rotates tokens with the real keychain. Each rotation is ended at a random
 * point and resumed by another process. The program `rotation-child.ts <folder> <rounds> <seed>` prints the results as
 * one line of JSON.
 */
import { hasEnded } from '../../../src-contract/runs/job.ts';
import { openSandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { loadKeytar } from '../../../src-main/platform/credentials-keychain.ts';
import { RotationHarness, type Outcome } from './rotation-harness.ts';

/** Returns a generator of numbers in [0, 1), the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export interface RotationTally {
  rounds: number;
  cut: number;
  succeeded: number;
  refused: number;
  lost: number;
  /** Violations; must stay empty. */
  violations: string[];
}

const [folder = '', rounds = '0', seed = '1'] = process.argv.slice(2);
const random = seeded(Number(seed));
const outcomes: Outcome[] = ['arrives', 'request lost', 'reply lost'];
const sandbox = await openSandbox({});
const harness = new RotationHarness({ folder, sandbox, keychain: await loadKeytar() });
const tally: RotationTally = { rounds: 0, cut: 0, succeeded: 0, refused: 0, lost: 0, violations: [] };
for (let round = 0; round < Number(rounds); round += 1) {
  const spare = random() < 0.5;
  const outcome = outcomes[Math.floor(random() * outcomes.length)] ?? 'arrives';
  const end = 1 + Math.floor(random() * 26);
  await harness.setUp(spare ? 'main by spare' : 'main by itself');
  harness.setFirstOutcome(outcome);
  const before = sandbox.requests.length;
  const first = await harness.run(null, end);
  const isCut = !hasEnded(first.job.state);
  const { job } = isCut ? await harness.run(first.job.id) : first;
  const result = job.state.status === 'failed' ? job.state.error.code : job.state.status;
  const works = (await harness.readOwnToken('main')) !== null;
  const sentInvalid = sandbox.requests
    .slice(before)
    .some(({ path, status }) => path.endsWith('/rotate') && status === 401);
  const label = `round ${round}: ${outcome}, ${spare ? 'spare' : 'alone'}, ended at ${end}: ${result}`;
  if (sentInvalid) tally.violations.push(`${label}; an invalid token was sent to a rotation`);
  if (!works && spare) tally.violations.push(`${label}; locked out`);
  if (!works && result !== 'rotation-lost') tally.violations.push(`${label}; locked out without a report`);
  if (works && result !== 'succeeded' && result !== 'rotation-refused')
    tally.violations.push(`${label}; works`);
  if (!works && outcome === 'request lost') tally.violations.push(`${label}; lost although it never arrived`);
  tally.rounds += 1;
  if (isCut) tally.cut += 1;
  if (result === 'succeeded') tally.succeeded += 1;
  if (result === 'rotation-refused') tally.refused += 1;
  if (!works) tally.lost += 1;
}
await sandbox.close();
process.stdout.write(`${JSON.stringify(tally)}\n`);
process.exit(0);
