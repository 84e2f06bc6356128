/** @file Chooses which token of an instance to replace now, if its owner wants automatic rotation. Pure. */
import { dayMs } from '../../../src-contract/bounds.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { TokenSlot } from '../../../src-contract/tokens/token.ts';

/**
 * Returns the slot whose token expires within the chosen days; null if there is none. A failed replacement is tried
 * again after a day. `lastTry` and `now` are epoch milliseconds.
 */
export function slotToRotate(
  instance: Instance,
  now: number,
  lastTry: (slot: TokenSlot) => number | null,
): TokenSlot | null {
  const { rotateDaysBefore, tokenExpiresOn, spareExpiresOn } = instance;
  if (
    rotateDaysBefore === null ||
    instance.anonymous ||
    instance.readOnly ||
    instance.rotationLost !== null
  ) {
    return null;
  }
  const expiries: [TokenSlot, string | null][] = [
    ['main', tokenExpiresOn],
    ['spare', instance.hasSpare ? spareExpiresOn : null],
  ];
  for (const [slot, expiresOn] of expiries) {
    if (expiresOn === null) continue;
    const leftMs = Date.parse(`${expiresOn}T00:00:00Z`) - now;
    const tried = lastTry(slot);
    const isDue = leftMs > 0 && leftMs <= rotateDaysBefore * dayMs;
    if (isDue && (tried === null || now - tried >= dayMs)) return slot;
  }
  return null;
}
