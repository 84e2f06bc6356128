/**
 * @file Reports for each instance whether there is a token, without waiting. A keychain may take seconds, so it is read
 * in the background. A keychain without a token, or without a response, is read repeatedly.
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import type { SharedDeps } from '../shared-deps.ts';

/** A keychain that was locked, slow, or not started yet after the login is read again after this time. */
const retryMs = 60_000;
/** Callers wait at most this time for a keychain. */
const maxWaitMs = 1_500;
/** Errors that mean that no source has a token. After any other error, the presence is unknown. */
const absences: ErrorCode[] = ['token-missing', 'keychain-missing', 'keychain-unreachable'];

export type TokenPresence = ReturnType<typeof createTokenPresence>;

export function createTokenPresence(
  deps: Pick<SharedDeps, 'clock' | 'credentials'> & {
    /** Called when a token becomes missing, and when a missing token becomes available. */
    onChange(instance: string): void;
  },
) {
  const { credentials, clock } = deps;
  const found = new Map<string, { isThere: boolean | null; at: number }>();

  const refreshes = new Map<string, Promise<void>>();

  const refresh = async (instance: string): Promise<void> => {
    const previous = found.get(instance)?.isThere ?? null;
    // The known result stays valid until the new result.
    const entry = { isThere: previous, at: clock.monotonic() };
    found.set(instance, entry);
    try {
      await credentials.resolve(instance);
      entry.isThere = true;
    } catch (thrown) {
      entry.isThere = absences.includes(AppError.from(thrown).code) ? false : null;
    }
    const hasChanged = entry.isThere === false ? previous !== false : previous === false;
    if (hasChanged && found.get(instance) === entry) deps.onChange(instance);
  };

  return {
    hasToken(instance: string) {
      if (credentials.has(instance)) return true;
      const known = found.get(instance);
      const isOld = known !== undefined && known.isThere !== true && clock.monotonic() - known.at > retryMs;
      if (known === undefined || isOld) refreshes.set(instance, refresh(instance));
      return known?.isThere ?? null;
    },
    /** Resolves when the presence is known, at the latest after `maxWaitMs`: a keychain may wait for a person. */
    async waitUntilKnown(instance: string) {
      if (this.hasToken(instance) !== null) return;
      let cancel = (): void => undefined;
      const timeout = new Promise<void>((resolve) => {
        cancel = clock.timer(maxWaitMs, resolve);
      });
      await Promise.race([refreshes.get(instance), timeout]);
      cancel();
    },
    forget(instance: string) {
      found.delete(instance);
    },
  };
}
