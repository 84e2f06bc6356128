/**
 * @file Replaces a token by a new one with one POST, which is never repeated. The old token expires when the new one is
 * created, so a lost response loses the new secret. Rotating with the old token again also revokes the new one
 * (gitlab-facts 9).
 */
import { dayMs } from '../../../src-contract/bounds.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { PersonalAccessToken } from '../../../src-contract/tokens/token.ts';
import { z } from '../../../src-contract/schema.ts';
import { Token } from '../../platform/token.ts';
import type { Capability } from './capabilities.ts';
import type { InstanceClient } from '../http/client.ts';
import type { Cancellable, CallOptions } from '../http/exchange.ts';
import { unauthorizedAsForbidden, tokenWire, toToken } from './tokens.ts';

const requestTimeoutMs = 60_000;

/** The new token. Store its secret before anything else. */
interface RotationResult {
  token: PersonalAccessToken;
  secret: Token;
}

interface RotationOptions extends Cancellable {
  /** First day, `YYYY-MM-DD`, on which the new token no longer works. Default: a week from now. */
  expiresOn?: string;
  /** The server's time, epoch milliseconds, if known. Our own clock may be wrong by days. */
  serverNow?: number;
}

const rotatedWire = tokenWire.extend({ token: z.string().regex(/^[\x21-\x7e]+$/) });

/**
 * Rotates a token with another token of the same user. `POST /personal_access_tokens/:id/rotate`, its owner or an
 * administrator, 200; 400 `request-refused`, 401 `forbidden`, 403, 404 `not-found` (gitlab-facts 16; since 16.0).
 * Throws `rotation-ambiguous` whenever the token may have been replaced. Never rotate that token again.
 */
export const rotateToken = (
  client: InstanceClient,
  id: number,
  options?: RotationOptions,
): Promise<RotationResult> =>
  rotate(client, String(id), ['token-rotate'], options).catch(unauthorizedAsForbidden(`the token ${id}`));

/**
 * Rotates the token that this request is sent with. `POST /personal_access_tokens/self/rotate`, scope `api` (or
 * `self_rotate`), 200; 400 `request-refused`, 401, 403 `token-scope`, 405 for a token that is not a personal one
 * (gitlab-facts 16; since 16.10). Throws `rotation-ambiguous` like `rotateToken`.
 */
export const rotateOwnToken = (client: InstanceClient, options?: RotationOptions): Promise<RotationResult> =>
  rotate(client, 'self', ['token-rotate-self'], options);

async function rotate(
  client: InstanceClient,
  idOrSelf: string,
  capabilities: readonly Capability[],
  { expiresOn, serverNow = client.clock.now(), signal }: RotationOptions = {},
): Promise<RotationResult> {
  if (expiresOn !== undefined) checkExpiry(expiresOn, serverNow);
  const body = expiresOn === undefined ? {} : { expires_at: expiresOn };
  const needs: readonly Capability[] =
    expiresOn === undefined ? capabilities : [...capabilities, 'token-rotate-expiry'];
  const call: CallOptions = { signal, needs, details: { token: idOrSelf }, timeoutMs: requestTimeoutMs };
  try {
    const { data } = await client.postJson(
      `personal_access_tokens/${idOrSelf}/rotate`,
      body,
      rotatedWire,
      call,
    );
    return { token: toToken(data), secret: new Token(data.token) };
  } catch (thrown) {
    throw toRotationError(AppError.from(thrown));
  }
}

function toRotationError(error: AppError): AppError {
  const { status, left } = error.details;
  const refused = typeof status === 'number' && status >= 400 && status < 500 && status !== 408;
  if (refused || left === false) return error;
  return new AppError(
    'rotation-ambiguous',
    `It is not known whether the instance replaced the token: ${error.message}`,
    { details: { ...error.details, reason: error.code } },
  );
}

/** Throws `invalid-input` for a day that has begun, or that is more than a year ahead in every time zone. */
function checkExpiry(expiresOn: string, now: number): void {
  const invalidExpiry = (why: string) =>
    new AppError('invalid-input', `The token cannot expire on ${expiresOn}: ${why}.`, {
      details: { parameter: 'expires_at' },
    });
  const at = /^\d{4}-\d\d-\d\d$/.test(expiresOn) ? Date.parse(`${expiresOn}T00:00:00Z`) : NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== expiresOn) {
    throw invalidExpiry('it is not a date such as 2027-01-31');
  }
  if (at <= now) throw invalidExpiry('that day has already begun');
  const lastDay = new Date(now + dayMs);
  lastDay.setUTCFullYear(lastDay.getUTCFullYear() + 1);
  if (at > lastDay.getTime()) throw invalidExpiry('that is more than a year ahead');
}
