/** @file Finds the token that a rotation lost, once the instance can be asked again. */
import type { RotationLost } from '../../../src-contract/instances/instance.ts';
import type { PersonalAccessToken, TokenFilter } from '../../../src-contract/tokens/token.ts';
import { tokenFilterSchema } from '../../../src-contract/tokens/token-schema.ts';
import type { RemoteInstance } from '../instances/remote/remote-instance.ts';

const anyToken = Object.fromEntries(
  Object.keys(tokenFilterSchema.shape).map((name) => [name, null]),
) as unknown as TokenFilter;

/** Returns a working token that nobody has, to be revoked. Null where there is none, or none for certain. */
export async function lostToken(
  { tokens }: Pick<RemoteInstance, 'tokens'>,
  lost: RotationLost,
  signal: AbortSignal,
): Promise<PersonalAccessToken | null> {
  try {
    const own = await tokens.own(signal);
    const filter = { ...anyToken, state: 'active' as const, search: lost.name };
    const { records } = await tokens.page(filter, { cursor: null, limit: 100 }, signal);
    const [found, another] = records.filter(
      (token) =>
        token.active &&
        token.name === lost.name &&
        token.userId === own.userId &&
        token.id > lost.oldId &&
        token.id !== own.id &&
        token.expiresOn === lost.expiresOn,
    );
    return another === undefined ? (found ?? null) : null;
  } catch {
    // The loss was reported before; the new token is in use all the same.
    return null;
  }
}
