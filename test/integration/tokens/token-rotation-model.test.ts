/**
 * @file Every point at which a rotation can be interrupted, with every outcome of its request, against the token families
 * of the sandbox. With a spare token no user is ever locked out. Without a spare token a lockout happens only if it cannot
 * be avoided, and it is reported.
 */
import { expect, test } from 'vitest';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { RotationHarness, type Outcome, type Protocol } from '../../support/tokens/rotation-harness.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openTestSandbox } from '../../support/world.ts';

const outcomes: Outcome[] = ['arrives', 'request lost', 'reply lost'];
const protocols: Protocol[] = ['main by itself', 'main by spare', 'spare by main'];

test.for(protocols.flatMap((protocol) => outcomes.map((outcome) => [protocol, outcome] as const)))(
  '%s (first request: %s) survives the end of its process at every point',
  async ([protocol, outcome]) => {
    const sandbox = await openTestSandbox();
    const harness = new RotationHarness({
      folder: temporaryFolder(),
      sandbox,
      keychain: new MemoryKeychain(),
    });
    const [slot, other] =
      protocol === 'spare by main' ? (['spare', 'main'] as const) : (['main', 'spare'] as const);
    const alone = protocol === 'main by itself';
    const lockedOut: number[] = [];
    let points = Infinity;
    for (let end = 0; end <= points; end += 1) {
      await harness.setUp(protocol);
      harness.setFirstOutcome(outcome);
      const before = sandbox.requests.length;
      const first = await harness.run(null, end);
      if (end === 0) points = first.points;
      const { job } = end === 0 ? first : await harness.run(first.job.id);
      const where = `ended at point ${end} of ${points}: ${JSON.stringify(job.state)}`;
      const rotations = sandbox.requests
        .slice(before)
        .filter(({ method, path }) => method === 'POST' && path.endsWith('/rotate'));
      // The server would reply with 401 to a rotation with a revoked token, and would revoke its successor.
      expect(
        rotations.filter(({ status }) => status === 401),
        where,
      ).toEqual([]);
      if (alone) expect(rotations.length, where).toBeLessThanOrEqual(1);
      const works = (await harness.readOwnToken(slot)) !== null;
      const [instance] = harness.settings.read().instances;
      if (!works) lockedOut.push(end);
      // Only users who are locked out get a message.
      expect(instance?.rotationLost === null, where).toBe(works);
      expect(job.state.status === 'failed' && job.state.error.code === 'rotation-lost', where).toBe(!works);
      if (job.state.status === 'failed' && works) expect(job.state.error.code).toBe('rotation-refused');
      if (!alone) expect(await harness.readOwnToken(other), where).not.toBeNull();
      if (job.state.status === 'succeeded') expect(await harness.pending(), where).toBeNull();
    }
    expect(points).toBeGreaterThan(10);
    if (!alone || outcome === 'request lost') expect(lockedOut).toEqual([]);
    // The reply arrived, and the process ended before the keychain received the token, at one of two points.
    else if (outcome === 'arrives') expect(lockedOut).toHaveLength(2);
    // The reply never arrived, unless the process ended before the request was sent.
    else expect(lockedOut).toEqual(expect.arrayContaining([0, points]));
  },
);
