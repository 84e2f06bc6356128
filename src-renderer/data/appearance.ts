/** @file Light or dark. The choice is noted in the page, too, so that a window that opens does not show the other one first. */
import type { Preferences } from '../../src-contract/settings.ts';

type Appearance = Preferences['appearance'];
const key = 'appearance';

/** Shows the window so; `system` follows the system. */
export function applyAppearance(appearance: Appearance): void {
  const root = document.documentElement;
  if (appearance === 'system') delete root.dataset['appearance'];
  else root.dataset['appearance'] = appearance;
  window.localStorage.setItem(key, appearance);
}

/** What was applied last, before the settings could be asked. */
export function restoreAppearance(): void {
  const last = window.localStorage.getItem(key);
  if (last === 'light' || last === 'dark') document.documentElement.dataset['appearance'] = last;
}
