/**
 * @file Every point at which a rotation can be interrupted, with every outcome of its request, against the sandbox's
 * families of tokens. With a spare nobody is ever locked out. Without one it happens only if it cannot be avoided, and
 * it is reported.
 */
import { expect, test } from 'vitest';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { RotationHarness, type Outcome, type Protocol } from '../../support/tokens/rotation-harness.ts';
import { folderInMemory } from '../../support/temporary-folder.ts';
import { openTestSandbox } from '../../support/world.ts';

const outcomes: Outcome[] = ['arrives', 'request lost', 'reply lost'];
const protocols: Protocol[] = ['main by itself', 'main by spare', 'spare by main'];

test.for(protocols.flatMap((protocol) => outcomes.map((outcome) => [protocol, outcome] as const)))(
  '%s, the first request: %s, survives its process being ended at every point',
  async ([protocol, outcome]) => {
    const sandbox = await openTestSandbox();
    const bench = new RotationHarness({ folder: folderInMemory(), sandbox, keychain: new MemoryKeychain() });
    const [slot, other] =
      protocol === 'spare by main' ? (['spare', 'main'] as const) : (['main', 'spare'] as const);
    const alone = protocol === 'main by itself';
    const lockedOut: number[] = [];
    let points = Infinity;
    for (let end = 0; end <= points; end += 1) {
      await bench.begin(protocol);
      bench.first(outcome);
      const before = sandbox.requests.length;
      const first = await bench.run(null, end);
      if (end === 0) points = first.points;
      const { job } = end === 0 ? first : await bench.run(first.job.id);
      const where = `ended at point ${end} of ${points}: ${JSON.stringify(job.state)}`;
      const rotations = sandbox.requests
        .slice(before)
        .filter(({ method, path }) => method === 'POST' && path.endsWith('/rotate'));
      // A rotation with a revoked token would be answered like this, and would revoke its successor.
      expect(
        rotations.filter(({ status }) => status === 401),
        where,
      ).toEqual([]);
      if (alone) expect(rotations.length, where).toBeLessThanOrEqual(1);
      const works = (await bench.own(slot)) !== null;
      const [instance] = bench.settings.read().instances;
      if (!works) lockedOut.push(end);
      // Only users who are locked out get a message.
      expect(instance?.rotationLost === null, where).toBe(works);
      expect(job.state.status === 'failed' && job.state.error.code === 'rotation-lost', where).toBe(!works);
      if (job.state.status === 'failed' && works) expect(job.state.error.code).toBe('rotation-refused');
      if (!alone) expect(await bench.own(other), where).not.toBeNull();
      if (job.state.status === 'succeeded') expect(await bench.pending(), where).toBeNull();
    }
    expect(points).toBeGreaterThan(10);
    if (!alone || outcome === 'request lost') expect(lockedOut).toEqual([]);
    // The answer arrived, and the process ended before the keychain was asked to store it: two points.
    else if (outcome === 'arrives') expect(lockedOut).toHaveLength(2);
    // The answer never came, unless the process ended before the request was sent.
    else expect(lockedOut).toEqual(expect.arrayContaining([0, points]));
  },
);
