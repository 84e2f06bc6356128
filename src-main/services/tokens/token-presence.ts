/**
 * @file Whether there is a token for each instance, returned without waiting: a keychain may take seconds, so it is asked in
 * the background, once where it has a token, and repeatedly where it has none or gave no answer.
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import type { SharedParts } from '../shared-parts.ts';

/** A keychain that was locked, slow, or not up yet, as right after the login, is asked again after this time. */
const againMs = 60_000;
/** Callers wait no longer than this for a keychain's answer. */
const momentMs = 1_500;
/** No source has a token. Any other error means that it cannot be known now. */
const absences: ErrorCode[] = ['token-missing', 'keychain-missing', 'keychain-unreachable'];

export type TokenPresence = ReturnType<typeof createTokenPresence>;

export function createTokenPresence(
  parts: Pick<SharedParts, 'clock' | 'credentials'> & {
    /** Called when a token turns out to be missing, and when a missing one is there after all. */
    changed(instance: string): void;
  },
) {
  const { credentials, clock } = parts;
  const found = new Map<string, { isThere: boolean | null; at: number }>();

  const looks = new Map<string, Promise<void>>();

  const look = async (instance: string): Promise<void> => {
    const before = found.get(instance)?.isThere ?? null;
    // The known answer holds until the new one.
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
    of(instance: string) {
      if (credentials.has(instance)) return true;
      const known = found.get(instance);
      const isOld = known !== undefined && known.isThere !== true && clock.monotonic() - known.at > againMs;
      if (known === undefined || isOld) looks.set(instance, look(instance));
      return known?.isThere ?? null;
    },
    /** Resolves when the answer is known, and after a moment in any case: a keychain may wait for a person. */
    async looked(instance: string) {
      if (this.of(instance) !== null) return;
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
