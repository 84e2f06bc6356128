/** @file What closing the window does. Needs no Electron. */
import type { Preferences } from '../../../../src-contract/settings.ts';

/** `explain`: the first time, say that the program goes on, and let the person choose. */
export type Closing = 'quit' | 'hide' | 'explain';

/**
 * Hiding is only for who can get the window back: without a tray icon (or the Dock of macOS) closing ends the program,
 * whatever the settings say; `host.capabilities` tells the window so.
 */
export function whatClosingDoes(
  { closeBehaviour, closeExplained }: Pick<Preferences, 'closeBehaviour' | 'closeExplained'>,
  canComeBack: boolean,
): Closing {
  if (closeBehaviour === 'quit' || !canComeBack) return 'quit';
  return closeExplained ? 'hide' : 'explain';
}
