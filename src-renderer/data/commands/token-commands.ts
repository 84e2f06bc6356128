/** @file The command lines that are equivalent to actions in the tokens view. `commands.ts` has the others. */
import type { TokenFilter } from '../../../src-contract/tokens/token.ts';
import { commandOf } from '../../kit/content/command-of.ts';

export const tokenCommands = {
  tokenList: (instance: string, { revoked, ...filter }: TokenFilter) =>
    commandOf(['token', 'list'], {
      instance,
      state: filter.state,
      revoked: revoked === null ? null : revoked ? 'yes' : 'no',
      search: filter.search,
      'created-after': filter.createdAfter,
      'created-before': filter.createdBefore,
      'last-used-after': filter.lastUsedAfter,
      'last-used-before': filter.lastUsedBefore,
      user: filter.user,
    }),
  tokenShow: (instance: string, id: number) => commandOf(['token', 'show', String(id)], { instance }),
  /** If `expiresOn` is null, the new token is valid as long as the old one was. */
  tokenRotate: (instance: string, slot: 'main' | 'spare', expiresOn: string | null) =>
    commandOf(['token', 'rotate'], { instance, spare: slot === 'spare', 'expires-on': expiresOn }),
  tokenHandOver: (instance: string, id: number | null) =>
    commandOf(['token', 'rotate', ...(id === null ? [] : [String(id)])], {
      instance,
      'to-file': 'new-token',
    }),
  tokenRevoke: (instance: string, id: number) => commandOf(['token', 'revoke', String(id)], { instance }),
  spareSet: (instance: string) => commandOf(['token', 'spare', 'set'], { instance, 'token-stdin': true }),
  /** `days` is the number of days before the token expires; null turns automatic rotation off. */
  setRotation: (instance: string, days: number | null) =>
    commandOf(['instance', 'change', instance], {
      'rotate-days-before': days,
      'no-rotate-days-before': days === null,
    }),
  spareForget: (instance: string) => commandOf(['token', 'spare', 'forget'], { instance }),
} as const;
