/** @file Moves the focus when the element that had it is removed. */
import { tick } from 'svelte';

/** Waits for rendering. If the focused element was removed, focuses the heading of the view, as when the view opens. */
export async function rescueFocus(): Promise<void> {
  await tick();
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('[data-view-heading]')?.focus();
}
