import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { maxOutageMs } from '../../../src-main/jobs/running/retry.ts';
import { FakeArchives, FakeInstance, noSecrets } from '../../support/jobs/fake-instance.ts';
import { noTokens } from '../../support/tokens/fake-tokens.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { harnessOf, done, kindOf, waiting } from './runner-harness.ts';

describe('a failing job', () => {
  it('is retried a limited number of times, each after a wait', async () => {
    let attempts = 0;
    const fail = () => {
      attempts += 1;
      throw new AppError('archive-corrupt', 'cut', { retry: 'later' });
    };
    const harness = harnessOf(kindOf({ one: fail })).start();
    const { id } = harness.enqueue('g/p');
    expect((await harness.ended(id)).state).toMatchObject({
      status: 'failed',
      error: { code: 'archive-corrupt' },
    });
    expect(attempts).toBe(6);
    expect(harness.events(id).filter((event) => event.type === 'wait')).toHaveLength(5);
  });

  it.each(['disk-full', 'disk-denied', 'disk-failed'] as const)('fails immediately with %s', async (code) => {
    let attempts = 0;
    const fail = () => {
      attempts += 1;
      throw new AppError(code, 'x', { retry: 'later' });
    };
    const harness = harnessOf(kindOf({ one: fail })).start();
    expect((await harness.ended(harness.enqueue('g/p').id)).state).toMatchObject({ error: { code } });
    expect(attempts).toBe(1);
  });

  it('also fails if its server stays down for maintenance', async () => {
    let attempts = 0;
    const fail = () => {
      attempts += 1;
      throw new AppError('server-error', '503', { retry: { afterMs: 30_000 } });
    };
    const harness = harnessOf(kindOf({ one: fail })).start();
    const began = harness.clock.monotonic();
    const { state } = await harness.ended(harness.enqueue('g/p').id);
    expect(state).toMatchObject({ status: 'failed', error: { code: 'server-error' } });
    expect(harness.clock.monotonic() - began).toBeGreaterThanOrEqual(maxOutageMs);
    expect(harness.clock.monotonic() - began).toBeLessThan(maxOutageMs + 60_000);
    // The job never retries sooner than the server said.
    expect(attempts).toBeLessThanOrEqual(maxOutageMs / 30_000 + 1);
  });

  it('waits for a missing token and continues when it is available', async () => {
    let locked = true;
    const clock = new SteppedClock();
    const ports = {
      instance: new FakeInstance(clock),
      archives: new FakeArchives(),
      secrets: noSecrets,
      tokens: noTokens,
      appVersion: '1',
      retentionOf: () => null,
      skipsUnchanged: () => false,
      archiveRootOf: () => null,
    };
    const harness = harnessOf(kindOf({ one: () => done }), {
      clock,
      ports: () => (locked ? Promise.reject(new AppError('keychain-locked', 'x')) : Promise.resolve(ports)),
    }).start();
    const { id } = harness.enqueue('g/p');
    await harness.until(id, waiting);
    await clock.advance(120_000);
    expect(harness.job(id).state).toMatchObject({ status: 'waiting', reason: 'token-missing' });
    locked = false;
    expect((await harness.ended(id, 60_000)).state.status).toBe('succeeded');
  });

  it.each(['token-missing', 'keychain-missing', 'keychain-unreachable'] as const)(
    'with %s reports that it needs a token, makes no attempts, and continues as soon as a token is available',
    async (code) => {
      const clock = new SteppedClock();
      const ports = {
        instance: new FakeInstance(clock),
        archives: new FakeArchives(),
        secrets: noSecrets,
        tokens: noTokens,
        appVersion: '1',
        retentionOf: () => null,
        skipsUnchanged: () => false,
        archiveRootOf: () => null,
      };
      let available = false;
      const harness = harnessOf(kindOf({ one: () => done }), {
        clock,
        ports: () =>
          available ? Promise.resolve(ports) : Promise.reject(new AppError(code, 'D-Bus is gone')),
        hasToken: () => available,
      }).start();
      const { id } = harness.enqueue('g/p');
      await harness.until(id, waiting);
      expect(harness.job(id).state).toMatchObject({
        reason: 'token-missing',
        text: 'No token is available for "source".',
      });
      const eventCount = harness.events(id).length;
      await clock.advance(600_000);
      expect(harness.events(id)).toHaveLength(eventCount);
      available = true;
      expect((await harness.ended(id, 1_000)).state.status).toBe('succeeded');
    },
  );

  it.each(['keychain-locked', 'token-missing'] as const)(
    'with %s in a step is not retried immediately if a token is available',
    async (code) => {
      let attempts = 0;
      const fail = () => {
        attempts += 1;
        if (attempts > 50) return done;
        throw new AppError(code, 'The keyring is locked.');
      };
      const harness = harnessOf(kindOf({ one: fail }), { hasToken: () => true }).start();
      const { id } = harness.enqueue('g/p');
      expect((await harness.until(id, waiting)).state).toMatchObject({ reason: 'keychain' });
      await harness.clock.advance(180_000);
      expect(attempts).toBe(4);
    },
  );

  it('is retried immediately if a token becomes available while the keychain is read', async () => {
    let available = false;
    let attempts = 0;
    const fail = () => {
      attempts += 1;
      if (available) return done;
      available = true;
      throw new AppError('keychain-timeout', 'The keyring hung.');
    };
    const harness = harnessOf(kindOf({ one: fail }), { hasToken: () => available }).start();
    await harness.ended(harness.enqueue('g/p').id, 1_000);
    expect(attempts).toBe(2);
  });

  it('fails if this version does not have its step, instead of blocking the other jobs', async () => {
    const harness = harnessOf(kindOf({ one: () => done }));
    const store = harness.store;
    const job = harness.enqueue('g/p');
    store.beginStep(job.id, 'gone', 1);
    harness.start();
    expect((await harness.ended(job.id)).state).toMatchObject({ error: { code: 'internal' } });
    expect((await harness.ended(harness.enqueue('g/q').id)).state.status).toBe('succeeded');
  });
});
