/**
 * @file The intent of a request that starts something, and the protocol after an unknown outcome: at least two checks
 * before the request is sent again, and a maximum number of attempts. [Note: POST is not idempotent]
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { errorDataSchema } from '../../../src-contract/errors-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import type { StepContext, WaitOutcome } from './step.ts';

/** Stored before the request is sent. A later try that finds the intent knows that the request may have arrived. */
export const intentSchema = z.object({
  intentAt: z.number(),
  /** True once the outcome is unknown; false while the request is being sent. */
  ambiguous: z.boolean(),
  /** How often the server was checked, including a pending check. `lookAt` is when the next check is due. */
  looks: z.number(),
  lookAt: z.number(),
  sends: z.number(),
  /** The error of the last attempt; null if the process ended during it. */
  problem: errorDataSchema.nullable(),
});
export type Intent = z.infer<typeof intentSchema>;

/**
 * Maximum number of times that a job sends one request. The job sends the request again only after the server showed no
 * effect.
 */
const maxSends = 3;

const ambiguousCodes: ErrorCode[] = [
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
 * Returns whether the server may have processed the request. A 4xx with a reason or a partial upload rules that out.
 */
export function isAmbiguous(error: AppError): boolean {
  return ambiguousCodes.includes(error.code) && error.details['sentAll'] !== false;
}

/** Returns the intent that an earlier try of this step left; null if nothing was sent. */
export function intentOf(context: StepContext): Intent | null {
  const parsed = intentSchema.safeParse(context.memo);
  return parsed.success ? parsed.data : null;
}

/** Stores the intent just before the request is sent. A later process finds the intent even if this one dies. */
export function recordIntent(context: StepContext, intentAt: number, earlierIntent: Intent | null): Intent {
  const sends = (earlierIntent?.sends ?? 0) + 1;
  const intent: Intent = { intentAt, ambiguous: false, looks: 0, lookAt: 0, sends, problem: null };
  context.saveMemo(intent);
  return intent;
}

export function checkLater(context: StepContext, intent: Intent, requestName: string): WaitOutcome {
  const lookAt = context.clock.now() + context.ports.instance.pace.lookAgainMs;
  return waitForCheck(context, { ...intent, ambiguous: true, looks: intent.looks + 1, lookAt }, requestName);
}

/** Continues the wait if the process ended before the wait was stored. Returns null when the check is due. */
export function continueWait(context: StepContext, intent: Intent, requestName: string): WaitOutcome | null {
  return context.clock.now() < intent.lookAt ? waitForCheck(context, intent, requestName) : null;
}

function waitForCheck(context: StepContext, intent: Intent, requestName: string): WaitOutcome {
  return {
    kind: 'wait',
    ms: intent.lookAt - context.clock.now(),
    reason: 'answer-lost',
    text: `The response to the ${requestName} was lost; checking the server before sending it again.`,
    memo: intent,
  };
}

export function assertMaySendAgain({ sends, problem }: Intent): void {
  if (sends < maxSends) return;
  if (problem === null) throw new AppError('interrupted', `The request was interrupted ${sends} times.`);
  const { code, message, details } = problem;
  throw new AppError(code, `${message} It was sent ${sends} times, and the server shows no effect.`, {
    details,
  });
}
