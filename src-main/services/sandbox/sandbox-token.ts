/**
 * @file The tokens of the sandbox servers. They are derived from a number, valid nowhere else, and the same in every
 * process.
 */
import type { SandboxServer } from '../../platform/settings.ts';
import { sandboxToken } from '../../sandbox/accounts/tokens.ts';

export const sandboxSeeds: Record<SandboxServer['role'], number> = { source: 1, target: 2 };

export function sandboxServerToken(role: SandboxServer['role']): string {
  return sandboxToken('maintainer', sandboxSeeds[role]);
}
