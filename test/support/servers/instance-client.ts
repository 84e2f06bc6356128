/** @file A client for tests of `src-main/gitlab`, with a token that is easy to search for. */
import { onTestFinished } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import {
  createInstanceClient,
  type InstanceClient,
  type InstanceClientOptions,
} from '../../../src-main/gitlab/http/client.ts';
import type { Page, PageRequest } from '../../../src-main/gitlab/http/pages.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { Token } from '../../../src-main/platform/token.ts';

/** A secret that is not shaped like a GitLab token, so that a search for it does not depend on scrubbing by shape. */
export const secret = 'canary-7f3a91c04be2';

export function testClient(baseUrl: string, options: Partial<InstanceClientOptions> = {}): InstanceClient {
  const client = createInstanceClient({
    baseUrl,
    token: () => Promise.resolve(new Token(secret)),
    clock: systemClock,
    userAgent: 'packhorse-test',
    ...options,
  });
  onTestFinished(() => {
    client.close();
  });
  return client;
}

/** Resolves with the `AppError` of `work`; anything else fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const outcome = await work.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  if (outcome instanceof AppError) return outcome;
  throw new Error('expected an AppError', { cause: outcome });
}

/** Resolves with all items of an asynchronous list. */
export async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of list) all.push(item);
  return all;
}

/** Resolves with the records of all pages of a list. */
export async function allRecords<T>(page: (request: PageRequest) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const { records, next }: Page<T> = await page({ cursor });
    all.push(...records);
    cursor = next;
  } while (cursor !== null);
  return all;
}
