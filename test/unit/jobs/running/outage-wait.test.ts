import { describe, expect, it } from 'vitest';
import { retryDuringOutage } from '../../../../src-main/jobs/running/outage-wait.ts';
import { maxOutageMs } from '../../../../src-main/jobs/running/retry.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { presetPaces } from '../../../../src-contract/instances/instance.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

const minute = 60_000;
const away = new AppError('server-error', 'HTTP 503', { retry: 'later', details: { status: 503 } });

function startRequest(send: (clock: SteppedClock) => string) {
  const clock = new SteppedClock();
  const messages: string[] = [];
  const reply = retryDuringOutage(() => Promise.resolve().then(() => send(clock)), {
    ...{ clock, pace: presetPaces.gitlab, random: () => 0.5, signal: new AbortController().signal },
    onWait: (text) => messages.push(text),
  });
  return { clock, messages, reply };
}

describe('a request before a job exists', () => {
  it('is retried until the instance responds, and reports the start of the outage', async () => {
    const begin = new SteppedClock().now();
    const { clock, messages, reply } = startRequest((now) => {
      if (now.now() - begin < 20 * minute) throw away;
      return 'answered';
    });
    await clock.advance(40 * minute);
    expect(await reply).toBe('answered');
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toMatch(/^The instance has not answered since \d\d:\d\d \(HTTP 503\)\.$/);
  });

  it('fails after the same outage time as a job', async () => {
    const { clock, reply } = startRequest(() => {
      throw away;
    });
    const ended = reply.catch((thrown: unknown) => [AppError.from(thrown).code, clock.monotonic()]);
    const begin = clock.monotonic();
    await clock.advance(2 * maxOutageMs);
    const [code, at] = (await ended) as [string, number];
    expect(code).toBe('server-error');
    expect(at - begin).toBeGreaterThanOrEqual(maxOutageMs);
  });

  it.each([
    new AppError('token-revoked', 'The token was revoked.'),
    // A job would retry this error, but it is not an outage.
    new AppError('catalogue-busy', 'Another process keeps the catalogue busy.', { retry: 'later' }),
  ])('fails immediately with an error that is not an outage: $code', async (failure) => {
    const { messages, reply } = startRequest(() => {
      throw failure;
    });
    await expect(reply).rejects.toMatchObject({ code: failure.code });
    expect(messages).toEqual([]);
  });
});
