/**
 * @file Replaces a token by a new one, which is shown only to the user of this process.
 *
 * [Note: a rotation is not repeated] After a lost response the instance is checked, and the job reports the outcome. If
 * the secret of the new token was lost, a later request can replace that token by its id.
 */
import { AppError } from '../../../src-contract/errors.ts';
import { errorDataSchema } from '../../../src-contract/errors-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import type { TokenInput } from '../../../src-contract/tokens/token.ts';
import type { replacedTokenSchema } from '../../../src-contract/tokens/token-schema.ts';
import { nextExpiry } from './next-expiry.ts';
import { done, type Outcome, type StepContext } from '../running/step.ts';
import type { RotatedToken, TokenClient } from './token-ports.ts';
import {
  checkLater,
  wasCreatedByRotation,
  findOwnToken,
  rotationRefusedError,
  oldTokenSchema,
  waitForCheck,
} from './token-rotation.ts';

export const handOverPreparedSchema = oldTokenSchema.extend({
  recipient: z.string(),
  /** True if the token to replace is the token in use, which sends the request. */
  isOwn: z.boolean(),
});
type Prepared = z.infer<typeof handOverPreparedSchema>;

const memoSchema = z.object({
  intentAt: z.number(),
  /** When the instance is next checked for the outcome of the request. */
  lookAt: z.number(),
  problem: errorDataSchema.nullable(),
});
type Memo = z.infer<typeof memoSchema>;

type HandOver = Extract<TokenInput, { action: 'hand-over' }>;

const noRecipientError = (): AppError =>
  rotationRefusedError(
    'The process that runs this job is not the process that requested the new token. End the other Packhorse, then try again.',
  );

export async function prepareHandOver(
  context: StepContext,
  { id, expiresOn, recipient }: HandOver,
): Promise<Outcome> {
  const { tokens, instance } = context.ports;
  if (!tokens.canHandOver(recipient)) throw noRecipientError();
  const main = await tokens.resolveToken('main');
  if (main === null) throw new AppError('token-missing', 'There is no token for this instance.');
  const ownToken = await findOwnToken(main, context.signal);
  if (ownToken?.active !== true)
    throw rotationRefusedError('The instance no longer accepts the token in use.');
  const target = id === null || id === ownToken.id ? ownToken : await main.get(id, context.signal);
  const isOwn = target.id === ownToken.id;
  if (!target.active) throw rotationRefusedError(`The token ${target.id} is not active any more.`);
  const blockedReason = await tokens.handOverBlockedReason(isOwn ? null : target.id, context.signal);
  if (blockedReason !== null) throw rotationRefusedError(blockedReason);
  const scopes = isOwn ? ['api', 'self_rotate'] : ['api'];
  if (!ownToken.scopes.some((scope) => scopes.includes(scope))) {
    throw rotationRefusedError(`The token in use lacks the scope ${scopes.join(' or ')}.`);
  }
  const { clockSkewMs } = await instance.serverInfo(context.signal);
  const skew = clockSkewMs ?? 0;
  const prepared: Prepared = {
    recipient,
    oldId: target.id,
    isOwn,
    name: target.name,
    userId: target.userId,
    expiresOn: expiresOn ?? nextExpiry(target, context.clock.now() + skew),
    clockSkewMs: skew,
  };
  return done(
    prepared,
    `The token "${target.name}" (id ${target.id}) is to be replaced; the new one expires on ${prepared.expiresOn}.`,
  );
}

export async function replaceAndHandOver(context: StepContext, prepared: Prepared): Promise<Outcome> {
  const memo = memoSchema.safeParse(context.memo);
  if (!memo.success) return send(context, prepared);
  const { intentAt, lookAt, problem } = memo.data;
  if (lookAt === 0) return checkLater(context, memo.data);
  if (context.clock.now() < lookAt) return waitForCheck(context, memo.data);
  return throwOutcome(context, prepared, { intentAt, lookAt, problem });
}

async function send(context: StepContext, prepared: Prepared): Promise<Outcome> {
  const { tokens } = context.ports;
  if (!tokens.canHandOver(prepared.recipient)) throw noRecipientError();
  const rotated = await rotateExclusively(context, prepared);
  if (!('client' in rotated)) return checkLater(context, rotated);
  await tokens.handOver(rotated.client, rotated.token, prepared.isOwn);
  const output = { oldId: prepared.oldId, newId: rotated.token.id, expiresOn: rotated.token.expiresOn };
  return done(
    output satisfies z.infer<typeof replacedTokenSchema>,
    `The new token (id ${rotated.token.id}) was handed over.`,
  );
}

/** Sends the request while no other request is sent to the instance. Returns a memo if the outcome is unknown. */
async function rotateExclusively(context: StepContext, prepared: Prepared): Promise<RotatedToken | Memo> {
  const { tokens } = context.ports;
  const release = await tokens.acquireExclusive();
  try {
    const main = await tokens.resolveToken('main');
    const ownToken = main === null ? null : await findOwnToken(main, context.signal);
    if (main === null || ownToken === null || (ownToken.id === prepared.oldId) !== prepared.isOwn) {
      throw rotationRefusedError('Another token was supplied meanwhile.');
    }
    context.signal.throwIfAborted();
    const memo: Memo = { intentAt: context.clock.now(), lookAt: 0, problem: null };
    context.saveMemo(memo);
    const rotated = await rotate(context, prepared, main);
    return rotated instanceof AppError ? { ...memo, problem: rotated.toData() } : rotated;
  } finally {
    release();
  }
}

/** Returns the new token, or an error if the outcome is unknown. Throws if the instance refuses. */
async function rotate(
  context: StepContext,
  { isOwn, oldId, expiresOn, clockSkewMs }: Prepared,
  main: TokenClient,
): Promise<RotatedToken | AppError> {
  try {
    return await main.rotate(isOwn ? null : oldId, expiresOn, context.clock.now() + clockSkewMs);
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (error.code === 'rotation-ambiguous') return error;
    context.saveMemo(null);
    throw error;
  }
}

/** Checks the outcome of a request whose response was lost, and throws an error that reports the outcome. */
async function throwOutcome(context: StepContext, prepared: Prepared, memo: Memo): Promise<never> {
  const { tokens } = context.ports;
  const { oldId, name, expiresOn, isOwn } = prepared;
  const main = await tokens.resolveToken('main');
  const ownToken = main === null ? null : await findOwnToken(main, context.signal);
  const oldToken = isOwn
    ? ownToken
    : main === null || ownToken === null
      ? null
      : await main.get(oldId, context.signal);
  if (oldToken?.id === oldId && oldToken.active) {
    const why = memo.problem === null ? 'Packhorse was interrupted' : memo.problem.message.replace(/\.$/, '');
    throw rotationRefusedError(`The instance did not replace the token: ${why}.`);
  }
  const newer =
    main === null || ownToken === null || isOwn
      ? []
      : (await main.activeTokensNamed(name, context.signal)).filter((token) =>
          wasCreatedByRotation(token, prepared, memo),
        );
  const orphanId = newer.length === 1 ? (newer[0]?.id ?? null) : null;
  const lost = { at: memo.intentAt, oldId, name, orphanId, expiresOn };
  const page = isOwn ? (await tokens.blockInstance(lost)).page : null;
  throw new AppError('rotation-lost', 'The instance replaced the token, and the new one was lost.', {
    details: { ...lost, instance: context.job.instance, page, ...(isOwn ? {} : { byId: true }) },
  });
}
