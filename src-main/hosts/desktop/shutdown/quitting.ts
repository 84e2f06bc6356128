/**
 * @file The only way to end the program: asks the user if necessary, stops claiming jobs, and stores them. Needs no
 * Electron.
 */
import type { App } from '../../../compose/app.ts';
import type { Clock } from '../../../platform/clock.ts';

/** Time limit for stopping jobs, and again for storing them. Windows ends a program that takes about this long. */
const drainMs = 10_000;
/** An instance replies to a request for a new token within a minute, and the keychain then stores it or fails. */
const tokenRequestTimeoutMs = 90_000;

export interface QuitHandlerOptions {
  /** Returns true if a job is running that the user may not want to interrupt. */
  isBusy: () => boolean;
  /** Asks the user for confirmation. Resolves to false if the program should continue. */
  confirmQuit: () => Promise<boolean>;
  /** New tokens that only this process has, see `services/tokens/new-tokens.ts`. */
  newTokens: Pick<App['newTokens'], 'isRequestPending' | 'unstored' | 'storePending'>;
  /**
   * Explains why the program cannot end yet, and offers the token. Returns true if no token can be lost any more and
   * the user still wants to quit.
   */
  resolveUnstoredToken: () => Promise<boolean>;
  /** Hides the window at once; the rest needs no window. */
  hide: () => void;
  /** Stops jobs and plans, so that no new token is created. */
  suspendWork: () => Promise<void>;
  /** Starts jobs and plans again and shows the window. */
  resume: () => void;
  closeApp: () => Promise<void>;
  /** Ends the process without a dialog. */
  exit: () => void;
  clock: Clock;
}

/** `system` is a shutdown, the end of the session or a signal. These show no dialog. */
export type RequestQuit = (by: 'person' | 'system') => Promise<void>;

/** Repeated requests join the first. A request of the system does not wait for the user. */
export function createQuitHandler(options: QuitHandlerOptions): RequestQuit {
  const { isBusy, confirmQuit, newTokens, resolveUnstoredToken, clock } = options;
  let isAsking = false;
  let endPromise: Promise<void> | null = null;

  const withTimeLimit = async (work: () => Promise<void>): Promise<void> => {
    const sleepAbort = new AbortController();
    const maxMs = newTokens.isRequestPending ? tokenRequestTimeoutMs : drainMs;
    await Promise.race([
      work().catch(() => undefined), // The program ends after any failure: the user wants to quit.
      clock.sleep(maxMs, sleepAbort.signal).catch(() => undefined),
    ]);
    sleepAbort.abort();
  };
  const end = async (): Promise<void> => {
    await withTimeLimit(options.closeApp);
    options.exit();
  };

  const hasUnstoredToken = (): boolean => newTokens.unstored.length > 0;
  /** Jobs may continue while a dialog is open, so the state is checked again after each dialog. */
  const ensureCanEnd = async (isConfirmed: boolean): Promise<boolean> => {
    for (; ; isConfirmed = true) {
      if (hasUnstoredToken()) await newTokens.storePending();
      while (newTokens.isRequestPending) await newTokens.storePending();
      const question = hasUnstoredToken()
        ? resolveUnstoredToken
        : !isConfirmed && isBusy()
          ? confirmQuit
          : null;
      if (question === null) return true;
      if (!(await question())) return false;
    }
  };

  const isEnding = (): boolean => endPromise !== null;
  /**
   * Returns true if the program can end without losing a token and without an unexpected interruption of a job. Jobs and plans are then
   * stopped.
   */
  const prepareToQuit = async (): Promise<boolean> => {
    if (!(await ensureCanEnd(false))) return false;
    if (isEnding()) return true;
    options.hide();
    await withTimeLimit(options.suspendWork);
    if (isEnding() || (await ensureCanEnd(true))) return true;
    if (!isEnding()) options.resume();
    return false;
  };

  return async (by) => {
    if (by === 'person' && !isEnding()) {
      if (isAsking) return;
      isAsking = true;
      const canEnd = await prepareToQuit().finally(() => {
        isAsking = false;
      });
      if (!canEnd) return;
    }
    if (by === 'system' && !isEnding()) options.hide();
    endPromise ??= end();
    await endPromise;
  };
}
