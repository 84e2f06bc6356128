/** @file What becomes of requests while the token they are sent with is replaced. */
import { beforeEach, describe, expect, test } from 'vitest';
import { retryOnTokenRotation } from '../../../../src-main/services/tokens/retry-on-token-rotation.ts';
import { RotationLock } from '../../../../src-main/services/tokens/rotation-lock.ts';
import type { InstanceClient } from '../../../../src-main/gitlab/http/client.ts';
import { AppError, type ErrorCode } from '../../../../src-contract/errors.ts';
import { z } from '../../../../src-contract/schema.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

const anything = z.unknown();
let clock: SteppedClock;
let rotationLock: RotationLock;
let isInProgress: boolean;
/** What the instance does with each request, in turn; the last one stays. */
let answers: (() => Promise<unknown>)[];
let asked: number;
let client: InstanceClient;

const ok = () => Promise.resolve({ data: 'ok' });
const refused = (code: ErrorCode) => () => Promise.reject(new AppError(code, 'no'));

beforeEach(() => {
  clock = new SteppedClock();
  rotationLock = new RotationLock(clock);
  isInProgress = false;
  answers = [ok];
  asked = 0;
  const ask = (): Promise<unknown> => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? ok;
    asked += 1;
    return answer();
  };
  // Only what is called is there.
  const scripted = { getJson: ask, postJson: ask, upload: ask } as unknown as InstanceClient;
  client = retryOnTokenRotation(scripted, 'work', {
    rotationLock,
    isInProgress: () => isInProgress,
    onRefused: () => undefined,
    onAccepted: () => undefined,
  });
});

const get = () => client.getJson('user', anything);
const upload = () => client.upload('POST', 'projects/import', {} as never, anything);

test('a request waits while the token is replaced, and one under way is waited for', async () => {
  const first = Promise.withResolvers<unknown>();
  answers = [() => first.promise, ok];
  const running = get();
  await clock.advance(0);
  const closing = rotationLock.acquireExclusive();
  const later = get();
  await clock.advance(30_000);
  expect(asked).toBe(1);
  first.resolve({ data: 'first' });
  await running;
  const open = await closing;
  await clock.advance(0);
  expect(asked).toBe(1);
  open();
  await later;
  expect(asked).toBe(2);
});

describe.each(['token-invalid', 'token-expired', 'token-revoked'] as const)('%s', (code) => {
  test('is the answer where nothing happens to the token', async () => {
    answers = [refused(code)];
    await expect(get()).rejects.toMatchObject({ code });
    expect(asked).toBe(1);
  });

  test('is not told where the token was replaced under the request: it is sent again with the new one', async () => {
    answers = [
      () => {
        rotationLock.incrementTokenVersion();
        return refused(code)();
      },
      ok,
    ];
    expect(await get()).toEqual({ data: 'ok' });
    expect(asked).toBe(2);
  });

  test('is told as a change that goes on while it is open what became of the token', async () => {
    isInProgress = true;
    answers = [refused(code)];
    await expect(get()).rejects.toMatchObject({ code: 'token-changing', retry: 'later' });
    expect(asked).toBe(1);
  });

  test('of an upload is a change too: what was begun cannot be sent again from here', async () => {
    answers = [
      () => {
        rotationLock.incrementTokenVersion();
        return refused(code)();
      },
    ];
    await expect(upload()).rejects.toMatchObject({ code: 'token-changing', retry: 'later' });
    expect(asked).toBe(1);
  });
});

test('a request is sent again once, however often the token changes under it', async () => {
  answers = [
    () => {
      rotationLock.incrementTokenVersion();
      return refused('token-revoked')();
    },
  ];
  const gone = expect(get()).rejects.toMatchObject({ code: 'token-changing', retry: 'later' });
  await clock.advance(0);
  expect(asked).toBe(2);
  await gone;
});

test('a new token that is refused too is told as refused', async () => {
  answers = [
    () => {
      rotationLock.incrementTokenVersion();
      return refused('token-revoked')();
    },
    refused('token-revoked'),
  ];
  await expect(get()).rejects.toMatchObject({ code: 'token-revoked' });
});

test('any other refusal is told as it is, also during a change', async () => {
  isInProgress = true;
  answers = [refused('forbidden')];
  await expect(get()).rejects.toMatchObject({ code: 'forbidden' });
});
