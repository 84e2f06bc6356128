/**
 * @file Replaces a token by a new one without losing it. GitLab ends the old token and tells the new one in a single answer: one
 * that is lost loses the new token, and the old one sent to a rotation again ends the new one too (gitlab-facts 9).
 *
 * [Note: a rotation is not repeated] The intent is stored before the one request. The first thing done with the answer is to
 * keep it. After any doubt the server is asked, after a while, by requests that are harmless with a token that has ended; with
 * a second token of the same user the lost one is found and replaced by means of that. No token is ever sent to a rotation that
 * was not found active just before.
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { errorDataSchema } from '../../../src-contract/errors-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import { tokenSlots, type PersonalToken } from '../../../src-contract/token.ts';
import { parseTime } from '../../platform/clock.ts';
import type { Outcome, StepContext, Waiting } from '../running/step.ts';
import type { HeldToken } from './token-ports.ts';

export const preparedSchema = z.object({
  slot: z.enum(tokenSlots),
  /** The slot of the token that the request is sent with. */
  by: z.enum(tokenSlots),
  /** The token to be replaced, as it was. */
  oldId: z.number().int(),
  name: z.string(),
  userId: z.number().int(),
  /** Day on which the new one expires. */
  expiresOn: z.string(),
  clockSkewMs: z.number(),
});
export type Prepared = z.infer<typeof preparedSchema>;

export const rotatedSchema = z.object({
  oldId: z.number().int(),
  newId: z.number().int(),
  expiresOn: z.string().nullable(),
});

const memoSchema = z.object({
  /** Epoch milliseconds: nothing that GitLab made before is ours. */
  intentAt: z.number(),
  /** Of the token that the last request was to replace. */
  target: z.number().int(),
  sends: z.number().int(),
  /** How often the old token was found active since, and when the server is asked next; 0: not fixed yet. */
  looks: z.number().int(),
  lookAt: z.number(),
  problem: errorDataSchema.nullable(),
});
type Memo = z.infer<typeof memoSchema>;

/** Tokens lost one after the other and found again, before somebody is asked. */
const maxSends = 5;
/** How often the old token must be found active before it counts that nothing happened. */
const maxLooks = 2;
/** How soon the keychain is tried again with a token that it did not take. */
const keychainAgainMs = 15_000;

const ended: ErrorCode[] = ['token-invalid', 'token-expired', 'token-revoked'];

/** What the instance tells of a token; null where it does not take it any more. Throws where that is not known. */
export async function probe(token: HeldToken, signal: AbortSignal): Promise<PersonalToken | null> {
  try {
    return await token.own(signal);
  } catch (thrown) {
    if (ended.includes(AppError.from(thrown).code)) return null;
    throw thrown;
  }
}

export const refused = (why: string): AppError => new AppError('rotation-refused', why);

/** The last step: whatever happens in it, and even when it is cancelled, it goes on until the new token is kept. */
export async function replaceToken(context: StepContext, prepared: Prepared): Promise<Outcome> {
  const memo = memoSchema.safeParse(context.memo);
  if (!memo.success) return begin(context, prepared);
  // Before the instance is asked, which may not answer.
  const unkept = await context.ports.tokens.keepAgain().then(
    () => null,
    (thrown: unknown) => AppError.from(thrown),
  );
  let end: Outcome | AppError;
  try {
    end = await recover(context, prepared, memo.data, unkept);
  } catch (thrown) {
    return undecided(context, memo.data, unkept ?? AppError.from(thrown));
  }
  if (end instanceof AppError) throw end;
  return end;
}

async function begin(context: StepContext, prepared: Prepared): Promise<Outcome> {
  const { tokens } = context.ports;
  const goOn = await tokens.acquireExclusive();
  try {
    const caller = await tokens.held(prepared.by);
    if (caller === null) throw refused(`The ${prepared.by} token is not at hand any more.`);
    const own = await caller.own(context.signal);
    const target = prepared.by === prepared.slot ? own : await caller.one(prepared.oldId, context.signal);
    if (target.id !== prepared.oldId || !target.active) throw refused('Another token was given meanwhile.');
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
    goOn();
  }
}

/** Sends the request, once; from the stored intent on nothing is thrown but a refusal. */
async function send(
  context: StepContext,
  prepared: Prepared,
  caller: HeldToken,
  memo: Memo,
): Promise<Outcome> {
  context.remember(memo);
  let made: { token: PersonalToken; held: HeldToken };
  try {
    const bySelf = prepared.by === prepared.slot;
    const now = context.clock.now() + prepared.clockSkewMs;
    made = await caller.rotate(bySelf ? null : memo.target, prepared.expiresOn, now);
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (error.code === 'rotation-ambiguous') return lookLater(context, { ...memo, problem: error.toData() });
    if (memo.sends > 1)
      return lookLater(context, { ...memo, sends: memo.sends - 1, problem: error.toData() });
    context.remember(null);
    throw error;
  }
  try {
    return await settle(context, prepared, made.held);
  } catch (thrown) {
    return undecided(context, memo, AppError.from(thrown));
  }
}

/** Keeps the new token and puts it into its place. Repeatable. */
async function settle(context: StepContext, prepared: Prepared, token: HeldToken): Promise<Outcome> {
  const { tokens } = context.ports;
  const { slot } = prepared;
  await tokens.keep(slot, token);
  // Cancelling comes too late: whoever does it must not lose the token.
  const own = await token.own(new AbortController().signal);
  await tokens.activate(slot);
  return inUse(context, prepared, own);
}

async function inUse(context: StepContext, { slot, oldId }: Prepared, own: PersonalToken): Promise<Outcome> {
  await context.ports.tokens.note(slot, own);
  return {
    kind: 'done',
    output: { oldId, newId: own.id, expiresOn: own.expiresOn } satisfies z.infer<typeof rotatedSchema>,
    says: `The new token (id ${own.id}) is in the keychain and in use.`,
  };
}

/**
 * Finds out what became of the request. What it throws leaves that open; an error that it returns ends the job. `unkept` is why
 * the keychain does not take the new token.
 */
async function recover(
  context: StepContext,
  prepared: Prepared,
  memo: Memo,
  unkept: AppError | null,
): Promise<Outcome | AppError> {
  const { tokens, instance } = context.ports;
  const { signal } = new AbortController();
  const pending = await tokens.kept('pending');
  const kept = pending === null ? null : await probe(pending, signal);
  // The environment has its own, which is neither the old one nor in its place.
  const old = await tokens.kept(prepared.slot);
  const found = old === null ? null : await probe(old, signal);
  if (pending !== null && kept !== null && isNewer(kept, prepared, memo)) {
    const isTheirs = found !== null && found.id !== prepared.oldId && found.id !== kept.id;
    if (isTheirs) return leave(context, kept);
    if (unkept !== null) throw unkept;
    return settle(context, prepared, pending);
  }
  /** A new one that has ended is nothing to keep, or to offer to anybody. */
  const dropEnded = (): void => {
    if (pending !== null && kept === null) tokens.leave();
  };
  if (found !== null && found.id !== prepared.oldId) {
    dropEnded();
    // It was in its place already, or somebody gave another one.
    return isNewer(found, prepared, memo)
      ? inUse(context, prepared, found)
      : refused('Another token was given before it was known what became of the request.');
  }
  // A slow server may still carry it out.
  if (memo.lookAt === 0) return lookLater(context, memo);
  if (context.clock.now() < memo.lookAt) return waitForLook(context, memo);
  dropEnded();
  if (found?.active === true) {
    const looks = memo.looks + 1;
    return looks < maxLooks ? lookLater(context, { ...memo, looks }) : nothingHappened(memo);
  }
  const isTooLate = context.clock.now() - memo.intentAt > instance.pace.deadlineMs;
  if (prepared.by === prepared.slot || isTooLate) return lose(context, prepared, memo, null);
  return replaceLost(context, prepared, memo);
}

/** Whether it can only be what the request made: the server keeps name and user, and numbers tokens upwards. */
export function isNewer(
  token: PersonalToken,
  prepared: Pick<Prepared, 'name' | 'userId' | 'oldId' | 'clockSkewMs'>,
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

/** Somebody gave another token before the new one was in its place: theirs stays. */
function leave(context: StepContext, { id }: PersonalToken): AppError {
  context.ports.tokens.leave();
  return refused(
    `Another token was given before the new one (id ${id}) was in its place; revoke that one if nobody needs it.`,
  );
}

function nothingHappened({ problem }: Memo): AppError {
  const why =
    problem === null ? 'Packhorse was interrupted as it asked for it' : problem.message.replace(/\.$/, '');
  return refused(`The instance did not replace the token: ${why}.`);
}

/** The old token has ended and the new one is not known: it is found by means of the other one, and replaced in turn. */
async function replaceLost(
  context: StepContext,
  prepared: Prepared,
  memo: Memo,
): Promise<Outcome | AppError> {
  const { tokens } = context.ports;
  const { signal } = new AbortController();
  const goOn = await tokens.acquireExclusive();
  try {
    const caller = await tokens.held(prepared.by);
    const own = caller === null ? null : await probe(caller, signal);
    if (caller === null || own === null) return await lose(context, prepared, memo, null);
    const newer = (await caller.activeNamed(prepared.name, signal)).filter(
      (token) => token.id !== own.id && isNewer(token, prepared, memo),
    );
    const [lost, another] = newer;
    if (lost === undefined || another !== undefined || memo.sends >= maxSends) {
      return await lose(context, prepared, memo, another === undefined ? (lost?.id ?? null) : null);
    }
    context.log(
      `The answer with the new token (id ${lost.id}) was lost; replacing that one by means of the ${prepared.by} token.`,
    );
    const again = { target: lost.id, sends: memo.sends + 1, looks: 0, lookAt: 0, problem: null };
    return await send(context, prepared, caller, { ...memo, ...again });
  } finally {
    goOn();
  }
}

/** Nothing more can be found out. Without a main token nothing can be asked of the instance until somebody gives one. */
async function lose(
  context: StepContext,
  prepared: Prepared,
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

/** What became of it is not known yet, or the new token is not kept yet: the job never ends here. */
function undecided(context: StepContext, memo: Memo, error: AppError): Waiting {
  if (!error.code.startsWith('keychain-')) return lookLater(context, memo, error.message);
  const { tokens, instance } = context.ports;
  const why = error.message.replace(/\.$/, '');
  return {
    kind: 'wait',
    ms: Math.min(keychainAgainMs, instance.pace.lookAgainMs),
    reason: 'keychain',
    text: tokens.isUnkept
      ? `The keychain does not take the new token (${why}), which this running Packhorse alone knows: put that right before it ends.`
      : `The replacement goes on once the keychain can be asked again (${why}).`,
    memo,
  };
}

function lookLater(context: StepContext, memo: Memo, why?: string): Waiting {
  const lookAt = context.clock.now() + context.ports.instance.pace.lookAgainMs;
  return waitForLook(context, { ...memo, lookAt }, why);
}

function waitForLook(context: StepContext, memo: Memo, why?: string): Waiting {
  return {
    kind: 'wait',
    ms: Math.max(0, memo.lookAt - context.clock.now()),
    reason: 'answer-lost',
    text: why ?? 'It is not known whether the token was replaced; asking the server soon.',
    memo,
  };
}
