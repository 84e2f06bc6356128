/**
 * @file Sends a request so that it takes effect once. Stores the intent first, and checks the server before sending
 * again. [Note: POST is not idempotent]
 */
import { AppError } from '../../../src-contract/errors.ts';
import {
  intentOf,
  isAmbiguous,
  checkLater,
  continueWait,
  recordIntent,
  assertMaySendAgain,
  type Intent,
} from './ambiguity.ts';
import type { LimitedAction } from './rate-limiter.ts';
import { reserveOrWait, type StepContext, type WaitOutcome } from './step.ts';

/** Returned by `find` if the server shows no effect of the request and another check could not show more. */
export const sendAgain = Symbol('send again');

export interface SendOnceOptions<Sent> {
  /** The name of the request in messages, for example `import request`. */
  requestName: string;
  /** The limit that applies to the request, if any. */
  action: LimitedAction | null;
  /** Set if an earlier step reserved the rate limit for the first sending. Later sendings reserve it again. */
  isReserved?: true;
  send: () => Promise<Sent>;
  /** Returns the effect of an earlier sending; null if the server shows none. May throw an error that ends the job. */
  find: (intent: Intent) => Promise<Sent | null | typeof sendAgain>;
  /** The intent of another job that may have sent the same request. Its effect is checked first. */
  inheritedIntent?: Intent | null;
  /**
   * Set if the absence of an effect proves nothing. After five checks, its error is thrown, and the request is not sent
   * again.
   */
  getUnknownOutcomeError?: (() => AppError) | undefined;
}

/**
 * Number of checks before the request is sent again. `checksBeforeGivingUp` is the number before a user must decide.
 */
const checksBeforeSending = 2;
const checksBeforeGivingUp = 5;

/** An outcome of the step. */
export type SendOutcome<Sent> = WaitOutcome | { kind: 'done'; output: Sent; message: string };

const reopenIntent = (intent: Intent | null): Intent | null =>
  intent === null ? null : { ...intent, ambiguous: true, looks: 0, lookAt: 0 };

/** Uses the memo of the step for the intent; the step must not store anything else there. */
export async function sendOnce<Sent>(
  context: StepContext,
  {
    requestName,
    action,
    isReserved,
    send,
    find,
    inheritedIntent,
    getUnknownOutcomeError,
  }: SendOnceOptions<Sent>,
): Promise<SendOutcome<Sent>> {
  const earlier = intentOf(context) ?? reopenIntent(inheritedIntent ?? null);
  const arrivedOutcome = (output: Sent): SendOutcome<Sent> => ({
    kind: 'done',
    output,
    message: `The ${requestName} had arrived; only its response was lost.`,
  });
  if (earlier !== null) {
    if (!earlier.ambiguous) return checkLater(context, earlier, requestName);
    const pendingWait = continueWait(context, earlier, requestName);
    if (pendingWait !== null) return pendingWait;
    const found = await find(earlier);
    if (found !== null && found !== sendAgain) return arrivedOutcome(found);
    const checksNeeded = getUnknownOutcomeError === undefined ? checksBeforeSending : checksBeforeGivingUp;
    if (found === null && earlier.looks < checksNeeded) return checkLater(context, earlier, requestName);
    if (getUnknownOutcomeError !== undefined) throw getUnknownOutcomeError();
    assertMaySendAgain(earlier);
  }
  const needsReservation = earlier !== null || isReserved !== true;
  const wait = action !== null && needsReservation ? reserveOrWait(context, action, earlier) : null;
  if (wait !== null) return wait;
  if (earlier !== null) context.log(`The server shows no effect of the ${requestName}; sending it again.`);
  if (action !== null) await context.waitToSend(action);
  // The time of the first intent counts, because the effect of any sending since then is ours.
  const intent = recordIntent(context, earlier?.intentAt ?? context.clock.now(), earlier);
  try {
    return { kind: 'done', output: await send(), message: `The server accepted the ${requestName}.` };
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (isAmbiguous(error)) return checkLater(context, { ...intent, problem: error.toData() }, requestName);
    // The first request may have arrived late, and may be the reason why the server refused the second.
    if (earlier !== null && error.retry === 'never' && !context.signal.aborted) {
      const found = await find(earlier);
      if (found !== null && found !== sendAgain) return arrivedOutcome(found);
    }
    if (error.code === 'cancelled' && error.details['sentAll'] !== false) {
      // The intent stays stored, because a later job for the same work checks for its effect.
      context.log(`Cancelled while the ${requestName} was being sent; it may have been carried out.`);
    } else context.saveMemo(earlier);
    throw error;
  }
}
