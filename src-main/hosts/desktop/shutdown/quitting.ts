/**
 * @file The one way out: ask where a person would be surprised, stop claiming jobs, have them stored as interrupted, end.
 * Stored state is whole at every moment, so the time limit costs a repeated step and nothing else. Needs no Electron.
 */
import type { App } from '../../../compose/app.ts';
import type { Clock } from '../../../platform/clock.ts';

/** How long jobs have to stop, and then to be stored. Windows ends a program that takes longer than about this. */
const drainMs = 10_000;
/** An instance that is asked for a new token answers within a minute, and the keychain then takes it or not. */
const answerMs = 90_000;

export interface QuittingParts {
  /** Whether a job is under way that a person would want to know of. */
  isBusy: () => boolean;
  /** False: the person wants to go on. */
  ask: () => Promise<boolean>;
  /** New tokens that only this process knows, see `app/instances/new-tokens.ts`. */
  newTokens: Pick<App['newTokens'], 'isAsked' | 'unkept' | 'settle'>;
  /** Says why it cannot end yet, and offers the token. True: nothing would be lost any more, and the person still wants out. */
  explainHold: () => Promise<boolean>;
  /** Out of sight at once; what follows needs no window. */
  hide: () => void;
  /** Stops jobs and plans, so that no new token comes any more. */
  rest: () => Promise<void>;
  /** They go on, in sight. */
  goOn: () => void;
  /** Stores and closes everything. */
  drain: () => Promise<void>;
  /** Ends the process without further questions. */
  exit: () => void;
  clock: Clock;
}

/** `system`: a shutdown, the end of the session or a signal; nobody is asked then. */
export type QuitRequest = (by: 'person' | 'system') => Promise<void>;

/** Repeated requests join the first; one of the system does not wait for a person's answer. */
export function createQuitting(parts: QuittingParts): QuitRequest {
  const { isBusy, ask, newTokens, explainHold, clock } = parts;
  let asking = false;
  let ending: Promise<void> | null = null;

  const inTime = async (work: () => Promise<void>): Promise<void> => {
    const late = new AbortController();
    const maxMs = newTokens.isAsked ? answerMs : drainMs;
    await Promise.race([
      work().catch(() => undefined), // whatever is wrong, the person wants out
      clock.sleep(maxMs, late.signal).catch(() => undefined),
    ]);
    late.abort();
  };
  const end = async (): Promise<void> => {
    await inTime(parts.drain);
    parts.exit();
  };

  const holdsToken = (): boolean => newTokens.unkept.length > 0;
  /** Jobs may go on while a question stands open, so it is looked again after every answer. */
  const mayEnd = async (agreed: boolean): Promise<boolean> => {
    for (; ; agreed = true) {
      if (holdsToken()) await newTokens.settle();
      while (newTokens.isAsked) await newTokens.settle();
      const question = holdsToken() ? explainHold : !agreed && isBusy() ? ask : null;
      if (question === null) return true;
      if (!(await question())) return false;
    }
  };

  const isOver = (): boolean => ending !== null;
  /** Whether nothing would be lost and nobody be surprised. Then nothing runs any more. */
  const settled = async (): Promise<boolean> => {
    if (!(await mayEnd(false))) return false;
    if (isOver()) return true;
    parts.hide();
    await inTime(parts.rest);
    if (isOver() || (await mayEnd(true))) return true;
    if (!isOver()) parts.goOn();
    return false;
  };

  return async (by) => {
    if (by === 'person' && !isOver()) {
      if (asking) return;
      asking = true;
      const agreed = await settled().finally(() => {
        asking = false;
      });
      if (!agreed) return;
    }
    if (by === 'system' && !isOver()) parts.hide();
    ending ??= end();
    await ending;
  };
}
