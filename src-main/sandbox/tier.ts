/** @file The subscription tiers of a sandbox. */

export type Tier = 'free' | 'premium' | 'ultimate';

const rank: Record<Tier, number> = { free: 0, premium: 1, ultimate: 2 };

export function tierIncludes(tier: Tier, needed: Tier): boolean {
  return rank[tier] >= rank[needed];
}
