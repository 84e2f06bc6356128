/**
 * @file The job that replaces or revokes one token. Token jobs of one instance run in order. [Note: a rotation is not
 * repeated]
 */
import { toSentence } from '../../../src-contract/sentence-parts.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import {
  tokenSlots,
  type PersonalAccessToken,
  type TokenInput,
  type TokenResult,
  type TokenSlot,
} from '../../../src-contract/tokens/token.ts';
import {
  replacedTokenSchema,
  tokenInputSchema,
  tokenResultSchema,
} from '../../../src-contract/tokens/token-schema.ts';
import { nextExpiry } from './next-expiry.ts';
import { sendOnce } from '../running/send-once.ts';
import {
  done,
  type JobDefinition,
  type Outcome,
  type StepContext,
  type WaitOutcome,
} from '../running/step.ts';
import { handOverPreparedSchema, prepareHandOver, replaceAndHandOver } from './hand-over.ts';
import type { TokenClient } from './token-ports.ts';
import {
  preparedRotationSchema,
  findOwnToken,
  rotationRefusedError,
  replaceToken,
  type PreparedRotation,
} from './token-rotation.ts';

const revocationSchema = z.object({ id: z.number().int(), slot: z.enum(tokenSlots).nullable() });
const busyPollMs = 2_000;

const inputOf = (context: StepContext): TokenInput => tokenInputSchema.parse(context.job.input);

function waitIfBusy(context: StepContext): WaitOutcome | null {
  if (!context.ports.tokens.isBusy(context.job.id)) return null;
  const text = 'Waiting for an earlier change of a token of this instance.';
  const ms = Math.min(busyPollMs, context.ports.instance.pace.lookAgainMs);
  return { kind: 'wait', ms, reason: 'pace', text, memo: context.memo };
}

async function prepare(context: StepContext): Promise<Outcome> {
  const wait = waitIfBusy(context);
  if (wait !== null) return wait;
  const input = inputOf(context);
  return withKeychainErrors(() =>
    input.action === 'rotate'
      ? prepareRotation(context, input.slot, input.expiresOn)
      : input.action === 'hand-over'
        ? prepareHandOver(context, input)
        : prepareRevocation(context, input.id),
  );
}

/**
 * Refuses the rotation if the keychain fails. The keychain must store the new token, so no request is sent, and the job
 * does not wait.
 */
async function withKeychainErrors(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (!error.code.startsWith('keychain-')) throw thrown;
    throw rotationRefusedError(`The keychain is not reliable: ${toSentence(error.message)}`);
  }
}

async function prepareRotation(
  context: StepContext,
  slot: TokenSlot,
  expiresOn: string | null,
): Promise<Outcome> {
  const { tokens, instance } = context.ports;
  const blockedReason = await tokens.blockedReason(slot);
  if (blockedReason !== null) throw rotationRefusedError(blockedReason);
  await tokens.checkKeychainWritable();
  const main = await probeSlot(context, 'main');
  const spare = tokens.hasSpare || slot === 'spare' ? await probeSlot(context, 'spare') : null;
  const target = slot === 'main' ? main : spare;
  const caller = slot === 'main' ? (spare ?? main) : main;
  if (target === null || main === null || caller === null)
    throw rotationRefusedError(`There is no ${slot} token.`);
  if (spare !== null && spare.userId !== main.userId)
    throw rotationRefusedError('The spare token belongs to another user.');
  if (spare !== null && spare.id === main.id)
    throw rotationRefusedError('The spare token is the one in use.');
  const scopes = caller === target ? ['api', 'self_rotate'] : ['api'];
  if (!caller.scopes.some((scope) => scopes.includes(scope))) {
    throw rotationRefusedError(`The token that sends the request lacks the scope ${scopes.join(' or ')}.`);
  }
  await reportLeftover(context, main.id);
  const { clockSkewMs } = await instance.serverInfo(context.signal);
  const skew = clockSkewMs ?? 0;
  const prepared: PreparedRotation = {
    slot,
    by: caller === main ? 'main' : 'spare',
    oldId: target.id,
    name: target.name,
    userId: target.userId,
    expiresOn: expiresOn ?? nextExpiry(target, context.clock.now() + skew),
    clockSkewMs: skew,
  };
  const callerText =
    caller === target
      ? 'by its own request, because there is no spare'
      : `by a request of the ${prepared.by} token`;
  return done(
    prepared,
    `The ${slot} token (id ${target.id}) is to be replaced ${callerText}; the new one expires on ${prepared.expiresOn}.`,
  );
}

/** Returns the instance's description of the token in a slot; null if the slot is empty. */
async function probeSlot(context: StepContext, slot: TokenSlot): Promise<PersonalAccessToken | null> {
  const token = await context.ports.tokens.resolveToken(slot);
  if (token === null) {
    if (slot === 'spare')
      throw rotationRefusedError(
        'The spare token is not in the keychain any more: set it again, or forget it.',
      );
    return null;
  }
  const metadata = await findOwnToken(token, context.signal);
  if (metadata?.active === true) return metadata;
  throw rotationRefusedError(`The instance no longer accepts the ${slot} token.`);
}

async function reportLeftover(context: StepContext, mainId: number): Promise<void> {
  const leftover = await context.ports.tokens.storedToken('pending');
  const metadata = leftover === null ? null : await findOwnToken(leftover, context.signal);
  if (metadata?.active !== true || metadata.id === mainId) return;
  context.log(
    `A token of an earlier rotation (id ${metadata.id}) was never used; revoke it if it is not needed.`,
  );
}

async function prepareRevocation(context: StepContext, id: number): Promise<Outcome> {
  const { tokens } = context.ports;
  let slot: TokenSlot | null = null;
  for (const candidate of tokenSlots) {
    // Without a spare token the keychain is not read, because there may be no keychain.
    if (candidate === 'spare' && !tokens.hasSpare) continue;
    const client = await tokens.resolveToken(candidate);
    const metadata = client === null ? null : await findOwnToken(client, context.signal);
    if (metadata?.id === id) slot = candidate;
  }
  const main = await requireMainToken(context);
  const token = await main.get(id, context.signal);
  if (token.revoked)
    throw new AppError('not-found', `The token ${id} is revoked already.`, { details: { token: id } });
  return done(
    { id, slot } satisfies z.infer<typeof revocationSchema>,
    `The token "${token.name}" (id ${id}) is to be revoked.`,
  );
}

async function requireMainToken({ ports: { tokens } }: StepContext): Promise<TokenClient> {
  const main = await tokens.resolveToken('main');
  if (main === null) throw new AppError('token-missing', 'There is no token for this instance.');
  return main;
}

async function revoke(context: StepContext): Promise<Outcome> {
  const { tokens } = context.ports;
  const { id, slot } = revocationSchema.parse(context.outputs['prepare']);
  const main = await requireMainToken(context);
  const outcome = await sendOnce<true>(context, {
    requestName: 'revocation',
    action: null,
    send: async () => {
      await main.revoke(slot === 'main' ? null : id, context.signal);
      return true;
    },
    // The instance rejects a token that revoked itself.
    find: async () => {
      if (slot === 'main') return (await findOwnToken(main, context.signal)) === null ? true : null;
      return (await main.get(id, context.signal)).revoked ? true : null;
    },
  });
  if (outcome.kind === 'wait') return outcome;
  if (slot !== null) await tokens.forget(slot);
  return done({ id, slot }, outcome.message);
}

async function send(context: StepContext): Promise<Outcome> {
  if (inputOf(context).action === 'revoke') return revoke(context);
  if (context.memo === null) {
    const wait = waitIfBusy(context);
    if (wait !== null) return wait;
  }
  const prepared = context.outputs['prepare'];
  if (inputOf(context).action === 'hand-over') {
    return replaceAndHandOver(context, handOverPreparedSchema.parse(prepared));
  }
  return withKeychainErrors(() => replaceToken(context, preparedRotationSchema.parse(prepared)));
}

export const tokenJob: JobDefinition = {
  kind: 'token',
  steps: [
    { name: 'prepare', run: prepare },
    { name: 'send', run: send },
  ],
  toResult(outputs) {
    const rotation = preparedRotationSchema.safeParse(outputs['prepare']);
    const handOver = handOverPreparedSchema.safeParse(outputs['prepare']);
    if (handOver.success) {
      const result: TokenResult = { action: 'hand-over', ...replacedTokenSchema.parse(outputs['send']) };
      return { result, warnings: [] };
    }
    const result: TokenResult = tokenResultSchema.parse(
      rotation.success
        ? { action: 'rotate', slot: rotation.data.slot, ...replacedTokenSchema.parse(outputs['send']) }
        : { action: 'revoke', ...revocationSchema.parse(outputs['send']) },
    );
    return { result, warnings: [] };
  },
};
