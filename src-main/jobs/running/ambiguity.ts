/**
 * @file The intent of a request that starts something on a server, and what follows when its outcome is not known: the
 * server is asked, at least twice, before it is sent again, and it is not sent for ever. [Note: POST is not idempotent]
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { errorDataSchema } from '../../../src-contract/errors-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import type { StepContext, Waiting } from './step.ts';

/** Stored before the request leaves. Found by a later try, it says that the request may have arrived. */
export const intentSchema = z.object({
  /** Epoch milliseconds. */
  intentAt: z.number(),
  /** The outcome is known to be unknown; false while the request is on its way. */
  ambiguous: z.boolean(),
  /** How often the server was asked, or is about to be, and when the next time is. */
  looks: z.number(),
  lookAt: z.number(),
  sends: z.number(),
  /** What the last sending met; null when the process ended in the middle of it. */
  problem: errorDataSchema.nullable(),
});
export type Intent = z.infer<typeof intentSchema>;

/** Sendings of one request in a job's life, each after the server knew nothing of the one before. */
const maxSends = 3;

const openCodes: ErrorCode[] = [
  'connection-lost',
  'timeout',
  'server-error',
  'not-gitlab',
  'unexpected-response',
  'response-too-large',
  'redirect-refused',
  'unknown-state',
  'interrupted',
  'internal',
];

/**
 * Whether a failure leaves open that the server did the work. A clear refusal (4xx with a reason, nothing listening, an
 * untrusted certificate) does not, nor does an upload of which the server cannot have the end.
 */
export function isAmbiguous(error: AppError): boolean {
  return openCodes.includes(error.code) && error.details['sentAll'] !== false;
}

/** What an earlier try of this step left; null when nothing was sent. */
export function intentOf(context: StepContext): Intent | null {
  const parsed = intentSchema.safeParse(context.memo);
  return parsed.success ? parsed.data : null;
}

/** Stores that the request is about to leave; whatever happens to this process, it will be found. */
export function recordIntent(context: StepContext, intentAt: number, earlier: Intent | null): Intent {
  const sends = (earlier?.sends ?? 0) + 1;
  const intent: Intent = { intentAt, ambiguous: false, looks: 0, lookAt: 0, sends, problem: null };
  context.remember(intent);
  return intent;
}

/** Waits before the server is asked what became of the request. */
export function lookAgain(context: StepContext, intent: Intent, request: string): Waiting {
  const lookAt = context.clock.now() + context.ports.instance.pace.lookAgainMs;
  return untilLook(context, { ...intent, ambiguous: true, looks: intent.looks + 1, lookAt }, request);
}

/** Goes on waiting where the process ended before the wait was stored; null when it is time to ask. */
export function notYet(context: StepContext, intent: Intent, request: string): Waiting | null {
  return context.clock.now() < intent.lookAt ? untilLook(context, intent, request) : null;
}

function untilLook(context: StepContext, intent: Intent, request: string): Waiting {
  return {
    kind: 'wait',
    ms: intent.lookAt - context.clock.now(),
    reason: 'answer-lost',
    text: `The answer to the ${request} was lost; asking the server before anything is sent again.`,
    memo: intent,
  };
}

/** Refuses one sending too many, with what the last one met. */
export function refuseManySends({ sends, problem }: Intent): void {
  if (sends < maxSends) return;
  if (problem === null) throw new AppError('interrupted', `The request was interrupted ${sends} times.`);
  const { code, message, details } = problem;
  throw new AppError(code, `${message} It was sent ${sends} times, and the server knows nothing of it.`, {
    details,
  });
}
