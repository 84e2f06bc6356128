/**
 * @file Applies light or dark mode, and stores it in the page too, so that a new window does not flash the other mode.
 */
import type { Preferences } from '../../src-contract/settings.ts';

type Appearance = Preferences['appearance'];
const key = 'appearance';

export function applyAppearance(appearance: Appearance): void {
  const root = document.documentElement;
  if (appearance === 'system') delete root.dataset['appearance'];
  else root.dataset['appearance'] = appearance;
  window.localStorage.setItem(key, appearance);
}

/** Applies the last mode again, before the settings are loaded. */
export function restoreAppearance(): void {
  const last = window.localStorage.getItem(key);
  if (last === 'light' || last === 'dark') document.documentElement.dataset['appearance'] = last;
}
