/** @file Finds the token that a rotation lost, once the instance responds again. */
import type { RotationLost } from '../../../src-contract/instances/instance.ts';
import type { PersonalAccessToken } from '../../../src-contract/tokens/token.ts';
import type { RemoteInstance } from '../instances/remote/remote-instance.ts';

/** Returns a working token that nobody has, so that it can be revoked. Null if there is none, or if several match. */
export async function findLostToken(
  { tokens }: Pick<RemoteInstance, 'tokens'>,
  lost: RotationLost,
  signal: AbortSignal,
): Promise<PersonalAccessToken | null> {
  try {
    const ownToken = await tokens.getOwn(signal);
    const filter = { state: 'active', search: lost.name } as const;
    const { records } = await tokens.page(filter, { cursor: null, limit: 100 }, signal);
    const [found, another] = records.filter(
      (token) =>
        token.active &&
        token.name === lost.name &&
        token.userId === ownToken.userId &&
        token.id > lost.oldId &&
        token.id !== ownToken.id &&
        token.expiresOn === lost.expiresOn,
    );
    return another === undefined ? (found ?? null) : null;
  } catch {
    // The loss was already reported, and the new token is in use anyway.
    return null;
  }
}
