/** @file Requests wait, are retried or fail while the token that they use is replaced. */
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
/** The replies of the instance to the requests, in turn. The last one is repeated. */
let replies: (() => Promise<unknown>)[];
let requestCount: number;
let client: InstanceClient;

const ok = () => Promise.resolve({ data: 'ok' });
const refused = (code: ErrorCode) => () => Promise.reject(new AppError(code, 'no'));

beforeEach(() => {
  clock = new SteppedClock();
  rotationLock = new RotationLock(clock);
  isInProgress = false;
  replies = [ok];
  requestCount = 0;
  const respond = (): Promise<unknown> => {
    const reply = replies[Math.min(requestCount, replies.length - 1)] ?? ok;
    requestCount += 1;
    return reply();
  };
  // The client has only the methods that the tests call.
  const scripted = { getJson: respond, postJson: respond, upload: respond } as unknown as InstanceClient;
  client = retryOnTokenRotation(scripted, 'work', {
    rotationLock,
    isReplacementPending: () => isInProgress,
    onRefused: () => undefined,
    onAccepted: () => undefined,
  });
});

const get = () => client.getJson('user', anything);
const upload = () => client.upload('POST', 'projects/import', {} as never, anything);

test('a request waits while the token is replaced, and the replacement waits for a request in progress', async () => {
  const first = Promise.withResolvers<unknown>();
  replies = [() => first.promise, ok];
  const running = get();
  await clock.advance(0);
  const closing = rotationLock.acquireExclusive();
  const later = get();
  await clock.advance(30_000);
  expect(requestCount).toBe(1);
  first.resolve({ data: 'first' });
  await running;
  const open = await closing;
  await clock.advance(0);
  expect(requestCount).toBe(1);
  open();
  await later;
  expect(requestCount).toBe(2);
});

describe.each(['token-invalid', 'token-expired', 'token-revoked'] as const)('%s', (code) => {
  test('is thrown if the token does not change', async () => {
    replies = [refused(code)];
    await expect(get()).rejects.toMatchObject({ code });
    expect(requestCount).toBe(1);
  });

  test('is not thrown if the token was replaced during the request, which is sent again with the new token', async () => {
    replies = [
      () => {
        rotationLock.incrementTokenVersion();
        return refused(code)();
      },
      ok,
    ];
    expect(await get()).toEqual({ data: 'ok' });
    expect(requestCount).toBe(2);
  });

  test('is thrown as token-changing while a change of the token is in progress', async () => {
    isInProgress = true;
    replies = [refused(code)];
    await expect(get()).rejects.toMatchObject({ code: 'token-changing', retry: 'later' });
    expect(requestCount).toBe(1);
  });

  test('of an upload is thrown as token-changing, too, because an upload that was begun cannot be sent again here', async () => {
    replies = [
      () => {
        rotationLock.incrementTokenVersion();
        return refused(code)();
      },
    ];
    await expect(upload()).rejects.toMatchObject({ code: 'token-changing', retry: 'later' });
    expect(requestCount).toBe(1);
  });
});

test('a request is sent again only once, however often the token changes during it', async () => {
  replies = [
    () => {
      rotationLock.incrementTokenVersion();
      return refused('token-revoked')();
    },
  ];
  const refusal = expect(get()).rejects.toMatchObject({ code: 'token-changing', retry: 'later' });
  await clock.advance(0);
  expect(requestCount).toBe(2);
  await refusal;
});

test('a refusal of the new token, too, is thrown with its own error code', async () => {
  replies = [
    () => {
      rotationLock.incrementTokenVersion();
      return refused('token-revoked')();
    },
    refused('token-revoked'),
  ];
  await expect(get()).rejects.toMatchObject({ code: 'token-revoked' });
});

test('any other refusal is thrown unchanged, also while a change of the token is in progress', async () => {
  isInProgress = true;
  replies = [refused('forbidden')];
  await expect(get()).rejects.toMatchObject({ code: 'forbidden' });
});
