/**
 * @file Sends a request that changes something on a server so that it has its effect once: the intent is stored first, and
 * after any doubt the server is asked before anything is sent again. [Note: POST is not idempotent]
 */
import { AppError } from '../../../src-contract/errors.ts';
import {
  intentOf,
  isAmbiguous,
  lookAgain,
  notYet,
  recordIntent,
  refuseManySends,
  type Intent,
} from './ambiguity.ts';
import type { LimitedAction } from './rate-limiter.ts';
import type { StepContext, Waiting } from './step.ts';

/** Returned by `find` where the server shows nothing of the request and another look could not show more. */
export const sendAgain = Symbol('send again');

export interface Sending<Sent> {
  /** What it is called in a sentence, for example `import request`. */
  request: string;
  /** The limit that is kept to, where there is one. */
  action: LimitedAction | null;
  /** An earlier step took the turn of the first sending; later sendings take their own. */
  isTurnTaken?: true;
  send: () => Promise<Sent>;
  /** What the server has of an earlier sending; null where it knows nothing of it. May throw what ends the job. */
  find: (intent: Intent) => Promise<Sent | null | typeof sendAgain>;
  /** The intent of another job whose request may have been this one; it is looked for before anything is sent. */
  inherited?: Intent | null;
  /** Set where finding nothing proves nothing: after five looks this is thrown, and it is never sent again. */
  unknowable?: (() => AppError) | undefined;
}

/** How often the server is asked before it is sent again, or before somebody is asked. */
const looksBeforeSending = 2;
const looksBeforeGivingUp = 5;

/** `wait` is to be returned by the step as it is. */
export type Sendings<Sent> = Waiting | { kind: 'sent'; sent: Sent; says: string };

const openIntent = (intent: Intent | null): Intent | null =>
  intent === null ? null : { ...intent, ambiguous: true, looks: 0, lookAt: 0 };

/** The memo of the step is the intent, and nothing else. */
export async function sendOnce<Sent>(
  context: StepContext,
  { request, action, isTurnTaken, send, find, inherited, unknowable }: Sending<Sent>,
): Promise<Sendings<Sent>> {
  const earlier = intentOf(context) ?? openIntent(inherited ?? null);
  const arrivedAs = (sent: Sent): Sendings<Sent> => ({
    kind: 'sent',
    sent,
    says: `The ${request} had arrived; its answer was lost.`,
  });
  if (earlier !== null) {
    if (!earlier.ambiguous) return lookAgain(context, earlier, request);
    const early = notYet(context, earlier, request);
    if (early !== null) return early;
    const found = await find(earlier);
    if (found !== null && found !== sendAgain) return arrivedAs(found);
    const looksNeeded = unknowable === undefined ? looksBeforeSending : looksBeforeGivingUp;
    if (found === null && earlier.looks < looksNeeded) return lookAgain(context, earlier, request);
    if (unknowable !== undefined) throw unknowable();
    refuseManySends(earlier);
  }
  const needsTurn = earlier !== null || isTurnTaken !== true;
  const wait = action !== null && needsTurn ? context.turn(action) : 0;
  if (wait > 0) {
    return { kind: 'wait', ms: wait, reason: 'pace', text: `Keeping to the ${action} limit.`, memo: earlier };
  }
  if (earlier !== null) context.log(`The server knows nothing of the ${request}; sending it again.`);
  if (action !== null) await context.sending(action);
  // The first intent counts: what any sending since then made is ours.
  const intent = recordIntent(context, earlier?.intentAt ?? context.clock.now(), earlier);
  try {
    return { kind: 'sent', sent: await send(), says: `The server accepted the ${request}.` };
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (isAmbiguous(error)) return lookAgain(context, { ...intent, problem: error.toData() }, request);
    // After a second sending the first may have arrived late, and the second is refused because of it.
    if (earlier !== null && error.retry === 'never' && !context.signal.aborted) {
      const found = await find(earlier);
      if (found !== null && found !== sendAgain) return arrivedAs(found);
    }
    if (error.code === 'cancelled' && error.details['sentAll'] !== false) {
      // Its intent stays: whoever does the same work after this looks for what it did.
      context.log(`Cancelled while the ${request} was being sent; it may have been carried out.`);
    } else context.remember(earlier);
    throw error;
  }
}
