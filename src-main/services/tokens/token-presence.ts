/**
 * @file Reports for each instance whether there is a token, without waiting. A keychain may take seconds, so it is read
 * in the background. A keychain without a token, or without a response, is read repeatedly.
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import type { SharedParts } from '../shared-parts.ts';

/** A keychain that was locked, slow, or not started yet after the login is read again after this time. */
const againMs = 60_000;
/** Callers wait at most this time for a keychain. */
const momentMs = 1_500;
/** Errors that mean that no source has a token. After any other error, the presence is unknown. */
const absences: ErrorCode[] = ['token-missing', 'keychain-missing', 'keychain-unreachable'];

export type TokenPresence = ReturnType<typeof createTokenPresence>;

export function createTokenPresence(
  parts: Pick<SharedParts, 'clock' | 'credentials'> & {
    /** Called when a token is found to be missing, and when a missing token is found. */
    changed(instance: string): void;
  },
) {
  const { credentials, clock } = parts;
  const found = new Map<string, { isThere: boolean | null; at: number }>();

  const looks = new Map<string, Promise<void>>();

  const look = async (instance: string): Promise<void> => {
    const before = found.get(instance)?.isThere ?? null;
    // The known result stays valid until the new result.
    const entry = { isThere: before, at: clock.monotonic() };
    found.set(instance, entry);
    try {
      await credentials.resolve(instance);
      entry.isThere = true;
    } catch (thrown) {
      entry.isThere = absences.includes(AppError.from(thrown).code) ? false : null;
    }
    const news = entry.isThere === false ? before !== false : before === false;
    if (news && found.get(instance) === entry) parts.changed(instance);
  };

  return {
    hasToken(instance: string) {
      if (credentials.has(instance)) return true;
      const known = found.get(instance);
      const isOld = known !== undefined && known.isThere !== true && clock.monotonic() - known.at > againMs;
      if (known === undefined || isOld) looks.set(instance, look(instance));
      return known?.isThere ?? null;
    },
    /** Resolves when the presence is known, at the latest after `momentMs`: a keychain may wait for a person. */
    async waitUntilKnown(instance: string) {
      if (this.hasToken(instance) !== null) return;
      let cancel = (): void => undefined;
      const moment = new Promise<void>((resolve) => {
        cancel = clock.timer(momentMs, resolve);
      });
      await Promise.race([looks.get(instance), moment]);
      cancel();
    },
    forget(instance: string) {
      found.delete(instance);
    },
  };
}
