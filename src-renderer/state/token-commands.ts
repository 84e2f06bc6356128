/** @file The command lines that do what the view of tokens does, beside those of `commands.ts`. */
import { commandOf } from '../ui/content/command-of.ts';

export const tokenCommands = {
  tokenShow: (instance: string, id: number) => commandOf(['token', 'show', String(id)], { instance }),
  /** `expiresOn` null: the new one lasts as long as the one before. */
  tokenRotate: (instance: string, slot: 'main' | 'spare', expiresOn: string | null) =>
    commandOf(['token', 'rotate'], { instance, spare: slot === 'spare', 'expires-on': expiresOn }),
  tokenRevoke: (instance: string, id: number) => commandOf(['token', 'revoke', String(id)], { instance }),
  spareSet: (instance: string) => commandOf(['token', 'spare', 'set'], { instance, 'token-stdin': true }),
  spareForget: (instance: string) => commandOf(['token', 'spare', 'forget'], { instance }),
} as const;
