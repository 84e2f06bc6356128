/**
 * @file Replaces a token by a new one without losing it. GitLab revokes the old token in the same request. Rotating
 * with the old token again also revokes the new token (gitlab-facts 9).
 *
 * [Note: a rotation is not repeated] The intent is stored before the only request, and the new token before anything
 * else. If the outcome is unknown, the server is checked by requests that are harmless with a revoked token. A second
 * token of the same user is used to find and replace a lost token.
 */
import { AppError } from '../../../src-contract/errors.ts';
import { isInvalidTokenCode } from '../../../src-contract/instances/instance.ts';
import { errorDataSchema } from '../../../src-contract/errors-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import { tokenSlots, type PersonalAccessToken } from '../../../src-contract/tokens/token.ts';
import type { replacedTokenSchema } from '../../../src-contract/tokens/token-schema.ts';
import { parseTime } from '../../platform/clock.ts';
import { done, type Outcome, type StepContext, type WaitOutcome } from '../running/step.ts';
import type { RotatedToken, TokenClient } from './token-ports.ts';

/** The token to be replaced, before the request. */
export const oldTokenSchema = z.object({
  oldId: z.number().int(),
  name: z.string(),
  userId: z.number().int(),
  expiresOn: z.string(),
  clockSkewMs: z.number(),
});

export const preparedRotationSchema = oldTokenSchema.extend({
  slot: z.enum(tokenSlots),
  /** The slot of the token that sends the request. */
  by: z.enum(tokenSlots),
});
export type PreparedRotation = z.infer<typeof preparedRotationSchema>;

const memoSchema = z.object({
  /** Epoch milliseconds. A token that GitLab created before this time is not ours. */
  intentAt: z.number(),
  target: z.number().int(),
  sends: z.number().int(),
  /**
   * How often the old token was found active since the request. `lookAt` is when the next check is due; 0 if it is not
   * set yet.
   */
  looks: z.number().int(),
  lookAt: z.number(),
  problem: errorDataSchema.nullable(),
});
type Memo = z.infer<typeof memoSchema>;

/** Maximum number of requests, each to replace the lost token of the previous one, before a user must act. */
const maxSends = 5;
/** Number of checks that must find the old token active before the request counts as having no effect. */
const maxChecks = 2;
/** How soon the keychain is tried again after it refused a token. */
const keychainRetryMs = 15_000;

/** Returns the instance's data about the token; null if it no longer accepts the token. Throws if that is unknown. */
export async function findOwnToken(
  token: TokenClient,
  signal: AbortSignal,
): Promise<PersonalAccessToken | null> {
  try {
    return await token.getOwn(signal);
  } catch (thrown) {
    if (isInvalidTokenCode(AppError.from(thrown).code)) return null;
    throw thrown;
  }
}

export const rotationRefusedError = (why: string): AppError => new AppError('rotation-refused', why);

/** Replaces the token. Continues until the new token is stored, even after an error or a cancellation. */
export async function replaceToken(context: StepContext, prepared: PreparedRotation): Promise<Outcome> {
  const memo = memoSchema.safeParse(context.memo);
  if (!memo.success) return begin(context, prepared);
  // The keychain is tried before the instance, which may not respond.
  const keychainError = await context.ports.tokens.retrySave().then(
    () => null,
    (thrown: unknown) => AppError.from(thrown),
  );
  let end: Outcome | AppError;
  try {
    end = await recover(context, prepared, memo.data, keychainError);
  } catch (thrown) {
    return retryLater(context, memo.data, keychainError ?? AppError.from(thrown));
  }
  if (end instanceof AppError) throw end;
  return end;
}

async function begin(context: StepContext, prepared: PreparedRotation): Promise<Outcome> {
  const { tokens } = context.ports;
  const releaseLock = await tokens.acquireExclusive();
  try {
    const caller = await tokens.resolveToken(prepared.by);
    if (caller === null) throw rotationRefusedError(`The ${prepared.by} token is no longer available.`);
    const own = await caller.getOwn(context.signal);
    const target = prepared.by === prepared.slot ? own : await caller.get(prepared.oldId, context.signal);
    if (target.id !== prepared.oldId || !target.active)
      throw rotationRefusedError('Another token was supplied meanwhile.');
    context.signal.throwIfAborted();
    return await send(context, prepared, caller, {
      intentAt: context.clock.now(),
      target: prepared.oldId,
      sends: 1,
      looks: 0,
      lookAt: 0,
      problem: null,
    });
  } finally {
    releaseLock();
  }
}

/** Sends the request, once. Throws only a refusal. */
async function send(
  context: StepContext,
  prepared: PreparedRotation,
  caller: TokenClient,
  memo: Memo,
): Promise<Outcome> {
  context.saveMemo(memo);
  let newToken: RotatedToken;
  try {
    const bySelf = prepared.by === prepared.slot;
    const now = context.clock.now() + prepared.clockSkewMs;
    newToken = await caller.rotate(bySelf ? null : memo.target, prepared.expiresOn, now);
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (error.code === 'rotation-ambiguous') return checkLater(context, { ...memo, problem: error.toData() });
    if (memo.sends > 1)
      return checkLater(context, { ...memo, sends: memo.sends - 1, problem: error.toData() });
    context.saveMemo(null);
    throw error;
  }
  try {
    return await storeAndActivate(context, prepared, newToken.client);
  } catch (thrown) {
    return retryLater(context, memo, AppError.from(thrown));
  }
}

async function storeAndActivate(
  context: StepContext,
  prepared: PreparedRotation,
  token: TokenClient,
): Promise<Outcome> {
  const { tokens } = context.ports;
  const { slot } = prepared;
  await tokens.saveToken(slot, token);
  // The request cannot be cancelled here, because the token must not be lost.
  const own = await token.getOwn(new AbortController().signal);
  await tokens.activate(slot);
  return finishRotation(context, prepared, own);
}

async function finishRotation(
  context: StepContext,
  { slot, oldId }: PreparedRotation,
  own: PersonalAccessToken,
): Promise<Outcome> {
  await context.ports.tokens.recordExpiry(slot, own);
  return done(
    { oldId, newId: own.id, expiresOn: own.expiresOn } satisfies z.infer<typeof replacedTokenSchema>,
    `The new token (id ${own.id}) is in the keychain and in use.`,
  );
}

/**
 * Checks the outcome. A thrown error leaves the outcome open, a returned error ends the job. `keychainError` is the
 * error of `retrySave`; null if it succeeded.
 */
async function recover(
  context: StepContext,
  prepared: PreparedRotation,
  memo: Memo,
  keychainError: AppError | null,
): Promise<Outcome | AppError> {
  const { tokens, instance } = context.ports;
  const { signal } = new AbortController();
  const pending = await tokens.storedToken('pending');
  const pendingInfo = pending === null ? null : await findOwnToken(pending, signal);
  // The environment is not read, because its token is neither the old token nor the new one.
  const old = await tokens.storedToken(prepared.slot);
  const slotInfo = old === null ? null : await findOwnToken(old, signal);
  if (pending !== null && pendingInfo !== null && wasCreatedByRotation(pendingInfo, prepared, memo)) {
    const isUserSupplied =
      slotInfo !== null && slotInfo.id !== prepared.oldId && slotInfo.id !== pendingInfo.id;
    if (isUserSupplied) return keepSuppliedToken(context, pendingInfo);
    if (keychainError !== null) throw keychainError;
    return storeAndActivate(context, prepared, pending);
  }
  /** Removes a new token that is no longer active, so that it is neither stored nor offered to a user. */
  const dropEndedToken = (): void => {
    if (pending !== null && pendingInfo === null) tokens.discardPending();
  };
  if (slotInfo !== null && slotInfo.id !== prepared.oldId) {
    dropEndedToken();
    // The new token was already in its slot, or a user supplied another token.
    return wasCreatedByRotation(slotInfo, prepared, memo)
      ? finishRotation(context, prepared, slotInfo)
      : rotationRefusedError('Another token was supplied before the outcome of the request was known.');
  }
  // A slow server may still carry out the request.
  if (memo.lookAt === 0) return checkLater(context, memo);
  if (context.clock.now() < memo.lookAt) return waitForCheck(context, memo);
  dropEndedToken();
  if (slotInfo?.active === true) {
    const looks = memo.looks + 1;
    return looks < maxChecks ? checkLater(context, { ...memo, looks }) : noEffectError(memo);
  }
  const isTooLate = context.clock.now() - memo.intentAt > instance.pace.deadlineMs;
  if (prepared.by === prepared.slot || isTooLate) return giveUpToken(context, prepared, memo, null);
  return replaceLost(context, prepared, memo);
}

/**
 * Returns whether only our request can have created the token. The new token has the same name and user, and token ids
 * increase.
 */
export function wasCreatedByRotation(
  token: PersonalAccessToken,
  prepared: z.infer<typeof oldTokenSchema>,
  { intentAt }: Pick<Memo, 'intentAt'>,
): boolean {
  const createdAt = parseTime(token.createdAt);
  return (
    token.active &&
    token.name === prepared.name &&
    token.userId === prepared.userId &&
    token.id > prepared.oldId &&
    createdAt !== null &&
    createdAt >= intentAt + prepared.clockSkewMs - 5_000
  );
}

/** A user supplied another token before the new one was in its slot. The supplied token stays. */
function keepSuppliedToken(context: StepContext, { id }: PersonalAccessToken): AppError {
  context.ports.tokens.discardPending();
  return rotationRefusedError(
    `Another token was supplied before the new one (id ${id}) was activated; revoke the new one if it is not needed.`,
  );
}

function noEffectError({ problem }: Memo): AppError {
  const why =
    problem === null ? 'Packhorse was interrupted during the request' : problem.message.replace(/\.$/, '');
  return rotationRefusedError(`The instance did not replace the token: ${why}.`);
}

/**
 * Uses the other token to find the new token whose secret was lost, and replaces it. The old token is already revoked.
 */
async function replaceLost(
  context: StepContext,
  prepared: PreparedRotation,
  memo: Memo,
): Promise<Outcome | AppError> {
  const { tokens } = context.ports;
  const { signal } = new AbortController();
  const releaseLock = await tokens.acquireExclusive();
  try {
    const caller = await tokens.resolveToken(prepared.by);
    const own = caller === null ? null : await findOwnToken(caller, signal);
    if (caller === null || own === null) return await giveUpToken(context, prepared, memo, null);
    const newer = (await caller.activeTokensNamed(prepared.name, signal)).filter(
      (token) => token.id !== own.id && wasCreatedByRotation(token, prepared, memo),
    );
    const [lost, another] = newer;
    if (lost === undefined || another !== undefined || memo.sends >= maxSends) {
      return await giveUpToken(context, prepared, memo, another === undefined ? (lost?.id ?? null) : null);
    }
    context.log(
      `The response with the new token (id ${lost.id}) was lost; replacing that token by means of the ${prepared.by} token.`,
    );
    const nextMemo = { target: lost.id, sends: memo.sends + 1, looks: 0, lookAt: 0, problem: null };
    return await send(context, prepared, caller, { ...memo, ...nextMemo });
  } finally {
    releaseLock();
  }
}

/**
 * Reports the new token as lost, because no further check is possible. If it was the main token, the instance is
 * blocked until a user supplies one.
 */
async function giveUpToken(
  context: StepContext,
  prepared: PreparedRotation,
  memo: Memo,
  orphanId: number | null,
): Promise<AppError> {
  const { tokens } = context.ports;
  const { name, expiresOn, oldId, slot } = prepared;
  const lost = { at: memo.intentAt, oldId, name, orphanId, expiresOn };
  const page = slot === 'main' ? (await tokens.blockInstance(lost)).page : null;
  if (slot === 'spare') await tokens.forget('spare');
  return new AppError('rotation-lost', 'The instance replaced the token, and the new one was lost.', {
    details: { ...lost, slot, instance: context.job.instance, page },
  });
}

/**
 * Waits and tries again, because the outcome is not known or the new token is not stored yet. The job never ends here.
 */
function retryLater(context: StepContext, memo: Memo, error: AppError): WaitOutcome {
  if (!error.code.startsWith('keychain-')) return checkLater(context, memo, error.message);
  const { tokens, instance } = context.ports;
  const why = error.message.replace(/\.$/, '');
  return {
    kind: 'wait',
    ms: Math.min(keychainRetryMs, instance.pace.lookAgainMs),
    reason: 'keychain',
    text: tokens.hasUnsavedToken
      ? `The keychain does not accept the new token (${why}), and only this running Packhorse has it. Repair the keychain before Packhorse ends.`
      : `The replacement continues once the keychain is available again (${why}).`,
    memo,
  };
}

/** A memo. `lookAt` is when the outcome of the request is checked, in epoch milliseconds. */
type CheckMemo = Record<string, unknown> & { lookAt: number };

/** Waits before the outcome of the request is checked. */
export function checkLater(context: StepContext, memo: CheckMemo, why?: string): WaitOutcome {
  const lookAt = context.clock.now() + context.ports.instance.pace.lookAgainMs;
  return waitForCheck(context, { ...memo, lookAt }, why);
}

export function waitForCheck(context: StepContext, memo: CheckMemo, why?: string): WaitOutcome {
  return {
    kind: 'wait',
    ms: Math.max(0, memo.lookAt - context.clock.now()),
    reason: 'answer-lost',
    text: why ?? 'It is not known whether the token was replaced; checking the server soon.',
    memo,
  };
}
