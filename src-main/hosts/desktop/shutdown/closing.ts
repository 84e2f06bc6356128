/** @file Decides what closing the window does. Needs no Electron. */
import type { Preferences } from '../../../../src-contract/settings.ts';

/** `explain` is for the first time: the user is informed that the program keeps running, and chooses. */
export type CloseAction = 'quit' | 'hide' | 'explain';

/**
 * A window is hidden only if the user can get it back. Without a tray icon (or the Dock of macOS), closing ends the
 * program, whatever the settings say. `host.capabilities` reports this to the window.
 */
export function closingAction(
  { closeBehaviour, closeExplained }: Pick<Preferences, 'closeBehaviour' | 'closeExplained'>,
  canReopen: boolean,
): CloseAction {
  if (closeBehaviour === 'quit' || !canReopen) return 'quit';
  return closeExplained ? 'hide' : 'explain';
}
