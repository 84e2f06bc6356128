/** @file What can be said about the token of an instance without asking the instance. Pure. */
import { instancesText } from '../../text/instances.ts';
import type { Tone } from '../../ui/feedback/tones.ts';

const soonMs = 14 * 86_400_000;

/** `expiresOn`: first day on which it no longer works; `now` in epoch milliseconds. */
export function tokenState(
  expiresOn: string | null,
  missing: boolean,
  now: number,
): { tone: Tone; text: string } {
  if (missing) return { tone: 'warn', text: instancesText.noToken };
  if (expiresOn === null) return { tone: 'plain', text: instancesText.noExpiry };
  const left = Date.parse(expiresOn) - now;
  if (left <= 0) return { tone: 'bad', text: instancesText.expired(expiresOn) };
  return { tone: left < soonMs ? 'warn' : 'good', text: instancesText.expiresOn(expiresOn) };
}
