/** @file The state of an instance's token, as known without a request. Pure. */
import { tokenRefusalText } from '../../../src-contract/tokens/token-words.ts';
import { expiresSoon } from '../../../src-contract/instances/instance.ts';
import { instancesText } from './instances.text.ts';
import type { tokenRefusals } from '../../../src-contract/instances/instance.ts';
import type { Tone } from '../../kit/feedback/tones.ts';

type TokenRefusal = (typeof tokenRefusals)[number];

/** `expiresOn`: first day on which the token no longer works; `now` in epoch milliseconds. */
export function tokenState(
  expiresOn: string | null,
  { missing, refused: refusal }: { missing: boolean; refused: TokenRefusal | null },
  now: number,
): { tone: Tone; text: string } {
  if (missing) return { tone: 'bad', text: instancesText.noToken };
  if (refusal !== null) return { tone: 'bad', text: tokenRefusalText[refusal] };
  if (expiresOn === null) return { tone: 'plain', text: instancesText.noExpiry };
  if (Date.parse(expiresOn) <= now) return { tone: 'bad', text: instancesText.expired(expiresOn) };
  return { tone: expiresSoon(expiresOn, now) ? 'warn' : 'good', text: instancesText.expiresOn(expiresOn) };
}
