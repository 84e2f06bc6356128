import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { presetPaces } from '../../../src-contract/instances/instance.ts';
import {
  createRateLimiter,
  type LimitedAction,
  type RateLimiter,
} from '../../../src-main/jobs/running/rate-limiter.ts';
import { decideRetry, isOutage, maxOutageMs, outageText } from '../../../src-main/jobs/running/retry.ts';

const pace = presetPaces.gitlab;
const failed = (count: number, outageMs = 0) => ({ count, outageMs, maxOutageMs });

describe('trying again', () => {
  it('never repeats what can never succeed', () => {
    expect(decideRetry(new AppError('forbidden', ''), failed(1), pace, 0)).toEqual({ retry: false });
  });

  it('waits at least as long as the server asked, and at most a quarter of an hour plus one poll', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e8 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (afterMs, random) => {
          const decision = decideRetry(
            new AppError('rate-limited', '', { retry: { afterMs } }),
            failed(99),
            pace,
            random,
          );
          if (!decision.retry) throw new Error('given up');
          expect(decision.waitMs).toBeGreaterThanOrEqual(Math.min(afterMs, 900_000));
          expect(decision.waitMs).toBeLessThanOrEqual(900_000 + pace.firstPollMs);
        },
      ),
    );
  });

  it('gives a temporary failure up after six in a row', () => {
    const error = new AppError('archive-corrupt', '', { retry: 'later' });
    const tries = [1, 2, 3, 4, 5, 6].map((count) => decideRetry(error, failed(count), pace, 0).retry);
    expect(tries).toEqual([true, true, true, true, true, false]);
  });

  it.each(['address-unknown', 'connection-refused', 'connection-lost', 'timeout', 'server-error'] as const)(
    'waits at least half an hour for an instance that does not answer (%s), however often it was tried',
    (code) => {
      const error = new AppError(code, '', { retry: 'later' });
      expect(maxOutageMs).toBeGreaterThan(30 * 60_000);
      const tried = (outageMs: number) => decideRetry(error, failed(1_000, outageMs), pace, 0.9);
      const decision = tried(35 * 60_000);
      if (!decision.retry) throw new Error('given up');
      expect(decision.waitMs).toBeLessThanOrEqual(pace.firstPollMs + pace.maxPollMs);
      expect(tried(maxOutageMs)).toEqual({ retry: false });
    },
  );

  it('a file that breaks off again and again, or a refusal of a file store, is no outage', () => {
    const lost = new AppError('connection-lost', '', { retry: 'later', details: { begun: true } });
    const refused = new AppError('server-error', '', { retry: 'later', details: { status: 403 } });
    expect([lost, refused].map(isOutage)).toEqual([false, false]);
    expect(decideRetry(lost, failed(6), pace, 0)).toEqual({ retry: false });
  });

  it('an outage says since when, and what is met', () => {
    const at = new Date(2026, 10, 20, 14, 2).getTime();
    const error = new AppError('server-error', 'x', { retry: 'later', details: { status: 503 } });
    expect(outageText(at, error)).toBe('The instance has not answered since 14:02 (HTTP 503).');
    const refused = new AppError('connection-refused', 'Nothing accepts connections at host.', {
      retry: 'later',
    });
    expect(outageText(at, refused)).toContain('since 14:02 (Nothing accepts connections at host).');
  });

  it('waits for a token that somebody has to supply, however often', () => {
    const decision = decideRetry(new AppError('keychain-locked', ''), failed(50), pace, 0);
    expect(decision).toMatchObject({ retry: true, reason: 'token-missing' });
  });
});

/** Reserves a turn; if one is given, sends the request, which is answered at once. */
function used(keeper: RateLimiter, action: LimitedAction): boolean {
  if (keeper.reserve('i', pace, action, 'g/p') > 0) return false;
  expect(keeper.waitToSend('i', pace, action, 'g/p')).toBe(0);
  keeper.release('i', pace, action, 'g/p');
  return true;
}

describe('keeping the pace', () => {
  it('never lets more than the limit through in any minute', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 }), (gaps) => {
        let now = 0;
        const keeper = createRateLimiter(() => now);
        const taken: number[] = [];
        for (const gap of gaps) {
          now += gap;
          if (used(keeper, 'export')) taken.push(now);
        }
        for (const at of taken) {
          const within = taken.filter((other) => other >= at && other - at < 60_000).length;
          expect(within).toBeLessThanOrEqual(pace.exportsPerMinute);
        }
      }),
    );
  });

  it('lets a hundred waiting projects through in order, each waiting once', () => {
    let now = 0;
    const keeper = createRateLimiter(() => now);
    const names = Array.from({ length: 100 }, (_, index) => `g/p${index}`);
    const waits = names.map((name) => keeper.reserve('i', pace, 'export', name));
    const minutes = waits.map((wait) => wait / 60_000);
    expect(minutes).toEqual(names.map((_, index) => Math.floor(index / pace.exportsPerMinute)));
    for (const [index, name] of names.entries()) {
      now = waits[index] ?? 0;
      if (now > 0) expect(keeper.reserve('i', pace, 'export', name)).toBe(0);
    }
  });

  it('keeps to the limit also when promised turns are taken late and all at once', () => {
    let now = 0;
    const keeper = createRateLimiter(() => now);
    const names = Array.from({ length: 18 }, (_, index) => `g/p${index}`);
    for (const name of names) keeper.reserve('i', pace, 'export', name);
    now = 119_000;
    const late = names.slice(6).filter((name) => keeper.reserve('i', pace, 'export', name) === 0);
    expect(late).toHaveLength(pace.exportsPerMinute);
    now = 120_000;
    expect(names.slice(12).every((name) => keeper.reserve('i', pace, 'export', name) > 0)).toBe(true);
  });

  it('says exactly how long to wait, and lets through after that', () => {
    let now = 1_000;
    const keeper = createRateLimiter(() => now);
    expect(used(keeper, 'download')).toBe(true);
    now += 20_000;
    expect(keeper.reserve('i', pace, 'download', 'g/p')).toBe(40_000);
    now += 40_000;
    expect(keeper.reserve('i', pace, 'download', 'g/p')).toBe(0);
  });

  it('counts downloads by project, or by namespace where the server does', () => {
    const byProject = createRateLimiter(() => 0);
    expect(byProject.reserve('i', pace, 'download', 'g/a')).toBe(0);
    expect(byProject.reserve('i', pace, 'download', 'g/b')).toBe(0);
    const byNamespace = createRateLimiter(() => 0);
    const older = { ...pace, downloadScope: 'namespace' as const };
    expect(byNamespace.reserve('i', older, 'download', 'g/a')).toBe(0);
    expect(byNamespace.reserve('i', older, 'download', 'g/b')).toBe(60_000);
    expect(byNamespace.reserve('i', older, 'download', 'h/b')).toBe(0);
  });
});
