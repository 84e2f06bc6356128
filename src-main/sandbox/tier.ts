/** @file What a sandbox's subscription includes. */

export type Tier = 'free' | 'premium' | 'ultimate';

const rank: Record<Tier, number> = { free: 0, premium: 1, ultimate: 2 };

/** Whether an instance of `tier` has what `needed` has. */
export function includes(tier: Tier, needed: Tier): boolean {
  return rank[tier] >= rank[needed];
}
