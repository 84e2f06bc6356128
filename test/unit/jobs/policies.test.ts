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

describe('the retry policy', () => {
  it('never retries what can never succeed', () => {
    expect(decideRetry(new AppError('forbidden', ''), failed(1), pace, 0)).toEqual({ retry: false });
  });

  it('waits at least as long as the server asked, but at most a quarter of an hour plus one poll', () => {
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

  it('gives up after six temporary failures in a row', () => {
    const error = new AppError('archive-corrupt', '', { retry: 'later' });
    const retries = [1, 2, 3, 4, 5, 6].map((count) => decideRetry(error, failed(count), pace, 0).retry);
    expect(retries).toEqual([true, true, true, true, true, false]);
  });

  it.each(['address-unknown', 'connection-refused', 'connection-lost', 'timeout', 'server-error'] as const)(
    'waits at least half an hour for an instance that does not respond (%s), however often it was tried',
    (code) => {
      const error = new AppError(code, '', { retry: 'later' });
      expect(maxOutageMs).toBeGreaterThan(30 * 60_000);
      const decisionAfter = (outageMs: number) => decideRetry(error, failed(1_000, outageMs), pace, 0.9);
      const decision = decisionAfter(35 * 60_000);
      if (!decision.retry) throw new Error('given up');
      expect(decision.waitMs).toBeLessThanOrEqual(pace.firstPollMs + pace.maxPollMs);
      expect(decisionAfter(maxOutageMs)).toEqual({ retry: false });
    },
  );

  it('does not treat a repeatedly interrupted file, or a rejection by a file store, as an outage', () => {
    const lost = new AppError('connection-lost', '', { retry: 'later', details: { begun: true } });
    const refused = new AppError('server-error', '', { retry: 'later', details: { status: 403 } });
    expect([lost, refused].map(isOutage)).toEqual([false, false]);
    expect(decideRetry(lost, failed(6), pace, 0)).toEqual({ retry: false });
  });

  it('describes an outage by its start time and its error', () => {
    const at = new Date(2026, 10, 20, 14, 2).getTime();
    const error = new AppError('server-error', 'x', { retry: 'later', details: { status: 503 } });
    expect(outageText(at, error)).toBe('The instance has not answered since 14:02 (HTTP 503).');
    const refused = new AppError('connection-refused', 'Nothing accepts connections at host.', {
      retry: 'later',
    });
    expect(outageText(at, refused)).toContain('since 14:02 (Nothing accepts connections at host).');
  });

  it('waits for a token that a user has to supply, however often it was missing', () => {
    const decision = decideRetry(new AppError('keychain-locked', ''), failed(50), pace, 0);
    expect(decision).toMatchObject({ retry: true, reason: 'token-missing' });
  });
});

/** Reserves a turn. If it is immediate, sends the request and receives its reply. Returns whether it was sent. */
function sendIfAllowed(limiter: RateLimiter, action: LimitedAction): boolean {
  if (limiter.reserve('i', pace, action, 'g/p') > 0) return false;
  expect(limiter.trySend('i', pace, action, 'g/p')).toBe(0);
  limiter.release('i', pace, action, 'g/p');
  return true;
}

describe('the rate limiter', () => {
  it('never allows more requests than the limit in any minute', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 }), (gaps) => {
        let now = 0;
        const limiter = createRateLimiter(() => now);
        const sentAt: number[] = [];
        for (const gap of gaps) {
          now += gap;
          if (sendIfAllowed(limiter, 'export')) sentAt.push(now);
        }
        for (const at of sentAt) {
          const within = sentAt.filter((other) => other >= at && other - at < 60_000).length;
          expect(within).toBeLessThanOrEqual(pace.exportsPerMinute);
        }
      }),
    );
  });

  it('gives a hundred waiting projects their turns in order, each after one wait', () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    const names = Array.from({ length: 100 }, (_, index) => `g/p${index}`);
    const waits = names.map((name) => limiter.reserve('i', pace, 'export', name));
    const minutes = waits.map((wait) => wait / 60_000);
    expect(minutes).toEqual(names.map((_, index) => Math.floor(index / pace.exportsPerMinute)));
    for (const [index, name] of names.entries()) {
      now = waits[index] ?? 0;
      if (now > 0) expect(limiter.reserve('i', pace, 'export', name)).toBe(0);
    }
  });

  it('keeps the limit even if promised turns are taken late and all at once', () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    const names = Array.from({ length: 18 }, (_, index) => `g/p${index}`);
    for (const name of names) limiter.reserve('i', pace, 'export', name);
    now = 119_000;
    const late = names.slice(6).filter((name) => limiter.reserve('i', pace, 'export', name) === 0);
    expect(late).toHaveLength(pace.exportsPerMinute);
    now = 120_000;
    expect(names.slice(12).every((name) => limiter.reserve('i', pace, 'export', name) > 0)).toBe(true);
  });

  it('returns exactly how long to wait, and gives the turn after that', () => {
    let now = 1_000;
    const limiter = createRateLimiter(() => now);
    expect(sendIfAllowed(limiter, 'download')).toBe(true);
    now += 20_000;
    expect(limiter.reserve('i', pace, 'download', 'g/p')).toBe(40_000);
    now += 40_000;
    expect(limiter.reserve('i', pace, 'download', 'g/p')).toBe(0);
  });

  it('counts downloads by project, or by namespace if the server does', () => {
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
