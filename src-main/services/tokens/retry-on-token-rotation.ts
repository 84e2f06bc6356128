/**
 * @file A client whose requests wait while the token of the instance is replaced. A request that got a 401 because of a
 * replaced token changed nothing on the server, so it is sent again with the new token.
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { isInvalidTokenCode } from '../../../src-contract/instances/instance.ts';
import type { InstanceClient } from '../../gitlab/http/client.ts';
import type { RotationLock } from './rotation-lock.ts';

export interface TokenUseObserver {
  rotationLock: RotationLock;
  /** Returns whether a job that replaces the token is still in progress. */
  isReplacementPending(): boolean;
  onRefused(code: ErrorCode): void;
  onAccepted(): void;
}

export function retryOnTokenRotation(
  client: InstanceClient,
  name: string,
  observer: TokenUseObserver,
): InstanceClient {
  const { rotationLock } = observer;

  async function retryOnce<T>(
    signal: AbortSignal | undefined,
    mayRepeat: boolean,
    send: () => Promise<T>,
  ): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      const release = await rotationLock.acquireShared(signal);
      const before = rotationLock.tokenVersion;
      try {
        const answer = await send();
        observer.onAccepted();
        return answer;
      } catch (thrown) {
        const { code } = AppError.from(thrown);
        if (code === 'account-blocked') observer.onRefused(code);
        if (!isInvalidTokenCode(code)) throw thrown;
        release();
        await rotationLock.waitUntilOpen(signal);
        const isNew = rotationLock.tokenVersion !== before;
        if (isNew && isFirst && mayRepeat) continue;
        if (!isNew && !observer.isReplacementPending()) {
          observer.onRefused(code);
          throw thrown;
        }
        throw new AppError('token-changing', `The token of "${name}" is being replaced.`, {
          retry: 'later',
          details: { instance: name },
        });
      } finally {
        release();
      }
    }
  }

  return {
    ...client,
    getJson: (path, schema, call = {}) =>
      retryOnce(call.signal, true, () => client.getJson(path, schema, call)),
    postJson: (path, body, schema, call = {}) =>
      retryOnce(call.signal, true, () => client.postJson(path, body, schema, call)),
    putJson: (path, body, schema, call = {}) =>
      retryOnce(call.signal, true, () => client.putJson(path, body, schema, call)),
    delete: (path, schema, call = {}) =>
      retryOnce(call.signal, true, () => client.delete(path, schema, call)),
    // The Git server may refuse a token that the API accepts, so its refusal says nothing about the token.
    async askGit(path, body, schema, call = {}) {
      const release = await rotationLock.acquireShared(call.signal);
      try {
        return await client.askGit(path, body, schema, call);
      } finally {
        release();
      }
    },
    download: (path, call) => retryOnce(call.signal, true, () => client.download(path, call)),
    // A body that was started cannot be sent again from here.
    upload: (method, path, body, schema, call = {}) =>
      retryOnce(call.signal, false, () => client.upload(method, path, body, schema, call)),
  };
}
