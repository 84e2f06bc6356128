import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { maxOutageMs } from '../../../src-main/jobs/running/retry.ts';
import { FakeArchives, FakeInstance, noSecrets } from '../../support/jobs/fake-instance.ts';
import { noTokens } from '../../support/tokens/fake-tokens.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { benchOf, done, kindOf, waiting } from './runner-harness.ts';

describe('failures', () => {
  it('are tried again a bounded number of times, each after a wait', async () => {
    let tries = 0;
    const fail = () => {
      tries += 1;
      throw new AppError('archive-corrupt', 'cut', { retry: 'later' });
    };
    const bench = benchOf(kindOf({ one: fail })).start();
    const { id } = bench.enqueue('g/p');
    expect((await bench.ended(id)).state).toMatchObject({
      status: 'failed',
      error: { code: 'archive-corrupt' },
    });
    expect(tries).toBe(6);
    expect(bench.events(id).filter((event) => event.type === 'wait')).toHaveLength(5);
  });

  it.each(['disk-full', 'disk-denied', 'disk-failed'] as const)('%s is reported at once', async (code) => {
    let tries = 0;
    const fail = () => {
      tries += 1;
      throw new AppError(code, 'x', { retry: 'later' });
    };
    const bench = benchOf(kindOf({ one: fail })).start();
    expect((await bench.ended(bench.enqueue('g/p').id)).state).toMatchObject({ error: { code } });
    expect(tries).toBe(1);
  });

  it('a server that is always down for maintenance is given up too', async () => {
    let tries = 0;
    const fail = () => {
      tries += 1;
      throw new AppError('server-error', '503', { retry: { afterMs: 30_000 } });
    };
    const bench = benchOf(kindOf({ one: fail })).start();
    const began = bench.clock.monotonic();
    const { state } = await bench.ended(bench.enqueue('g/p').id);
    expect(state).toMatchObject({ status: 'failed', error: { code: 'server-error' } });
    expect(bench.clock.monotonic() - began).toBeGreaterThanOrEqual(maxOutageMs);
    expect(bench.clock.monotonic() - began).toBeLessThan(maxOutageMs + 60_000);
    // Never sooner than the server said.
    expect(tries).toBeLessThanOrEqual(maxOutageMs / 30_000 + 1);
  });

  it('a missing token lets the job wait, and it continues once there is one', async () => {
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
    const bench = benchOf(kindOf({ one: () => done }), {
      clock,
      ports: () => (locked ? Promise.reject(new AppError('keychain-locked', 'x')) : Promise.resolve(ports)),
    }).start();
    const { id } = bench.enqueue('g/p');
    await bench.until(id, waiting);
    await clock.advance(120_000);
    expect(bench.job(id).state).toMatchObject({ status: 'waiting', reason: 'token-missing' });
    locked = false;
    expect((await bench.ended(id, 60_000)).state.status).toBe('succeeded');
  });

  it.each(['token-missing', 'keychain-missing', 'keychain-unreachable'] as const)(
    '%s: the job says that it needs a token, is left alone, and continues as soon as one is given',
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
      let given = false;
      const bench = benchOf(kindOf({ one: () => done }), {
        clock,
        ports: () => (given ? Promise.resolve(ports) : Promise.reject(new AppError(code, 'D-Bus is gone'))),
        hasToken: () => given,
      }).start();
      const { id } = bench.enqueue('g/p');
      await bench.until(id, waiting);
      expect(bench.job(id).state).toMatchObject({
        reason: 'token-missing',
        text: 'No token is available for "source".',
      });
      const said = bench.events(id).length;
      await clock.advance(600_000);
      expect(bench.events(id)).toHaveLength(said);
      given = true;
      expect((await bench.ended(id, 1_000)).state.status).toBe('succeeded');
    },
  );

  it.each(['keychain-locked', 'token-missing'] as const)(
    '%s in a step is no reason to try again at once where there is a token',
    async (code) => {
      let tries = 0;
      const fail = () => {
        tries += 1;
        if (tries > 50) return done;
        throw new AppError(code, 'The keyring is locked.');
      };
      const bench = benchOf(kindOf({ one: fail }), { hasToken: () => true }).start();
      const { id } = bench.enqueue('g/p');
      expect((await bench.until(id, waiting)).state).toMatchObject({ reason: 'keychain' });
      await bench.clock.advance(180_000);
      expect(tries).toBe(4);
    },
  );

  it('a token that comes while the keychain is asked is tried at once', async () => {
    let has = false;
    let tries = 0;
    const fail = () => {
      tries += 1;
      if (has) return done;
      has = true;
      throw new AppError('keychain-timeout', 'The keyring hung.');
    };
    const bench = benchOf(kindOf({ one: fail }), { hasToken: () => has }).start();
    await bench.ended(bench.enqueue('g/p').id, 1_000);
    expect(tries).toBe(2);
  });

  it('a job of a program that is gone from this version fails instead of blocking the rest', async () => {
    const bench = benchOf(kindOf({ one: () => done }));
    const gone = bench.store;
    const job = bench.enqueue('g/p');
    gone.beginStep(job.id, 'gone', 1);
    bench.start();
    expect((await bench.ended(job.id)).state).toMatchObject({ error: { code: 'internal' } });
    expect((await bench.ended(bench.enqueue('g/q').id)).state.status).toBe('succeeded');
  });
});
