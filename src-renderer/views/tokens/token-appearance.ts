/** @file The word and the tone for the status of a listed token. Pure. */
import { expiresSoon } from '../../../src-contract/instances/instance.ts';
import type { PersonalAccessToken } from '../../../src-contract/tokens/token.ts';
import { tokensText as text } from './tokens.text.ts';
import type { Tone } from '../../kit/feedback/tones.ts';

/** `now` in epoch milliseconds. */
export function tokenAppearance(
  { active, revoked, expiresOn }: Pick<PersonalAccessToken, 'active' | 'revoked' | 'expiresOn'>,
  now: number,
): { tone: Tone; text: string } {
  if (revoked) return { tone: 'bad', text: text.revoked };
  if (expiresOn !== null && Date.parse(expiresOn) <= now) return { tone: 'bad', text: text.expired };
  if (!active) return { tone: 'bad', text: text.notWorking };
  if (expiresOn !== null && expiresSoon(expiresOn, now)) return { tone: 'warn', text: text.expiresSoon };
  return { tone: 'good', text: text.working };
}
