import { describe, expect, it } from 'vitest';
import { retryDuringOutage } from '../../../../src-main/jobs/running/outage-wait.ts';
import { maxOutageMs } from '../../../../src-main/jobs/running/retry.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { presetPaces } from '../../../../src-contract/instances/instance.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

const minute = 60_000;
const away = new AppError('server-error', 'HTTP 503', { retry: 'later', details: { status: 503 } });

function asking(ask: (clock: SteppedClock) => string) {
  const clock = new SteppedClock();
  const said: string[] = [];
  const answer = retryDuringOutage(() => Promise.resolve().then(() => ask(clock)), {
    ...{ clock, pace: presetPaces.gitlab, random: () => 0.5, signal: new AbortController().signal },
    onWait: (text) => said.push(text),
  });
  return { clock, said, answer };
}

describe('what is asked before there is a job', () => {
  it('is asked again until the instance answers, and says since when it does not', async () => {
    const begin = new SteppedClock().now();
    const { clock, said, answer } = asking((now) => {
      if (now.now() - begin < 20 * minute) throw away;
      return 'answered';
    });
    await clock.advance(40 * minute);
    expect(await answer).toBe('answered');
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toMatch(/^The instance has not answered since \d\d:\d\d \(HTTP 503\)\.$/);
  });

  it('is given up once jobs are', async () => {
    const { clock, answer } = asking(() => {
      throw away;
    });
    const ended = answer.catch((thrown: unknown) => [AppError.from(thrown).code, clock.monotonic()]);
    const begin = clock.monotonic();
    await clock.advance(2 * maxOutageMs);
    const [code, at] = (await ended) as [string, number];
    expect(code).toBe('server-error');
    expect(at - begin).toBeGreaterThanOrEqual(maxOutageMs);
  });

  it.each([
    new AppError('token-revoked', 'The token was revoked.'),
    // A job would retry this error, but it is no outage.
    new AppError('catalogue-busy', 'Another process keeps the catalogue busy.', { retry: 'later' }),
  ])('fails at once with anything that is no outage: $code', async (failure) => {
    const { said, answer } = asking(() => {
      throw failure;
    });
    await expect(answer).rejects.toMatchObject({ code: failure.code });
    expect(said).toEqual([]);
  });
});
