/** @file Moves the focus to the heading of the view. */
import { tick } from 'svelte';

/** Waits for rendering, and focuses the heading, as when the view opens. */
export async function focusHeading(): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>('[data-view-heading]')?.focus();
}

/** Waits for rendering. Focuses the heading if the focused element was removed. */
export async function rescueFocus(): Promise<void> {
  await tick();
  if (document.activeElement === null || document.activeElement === document.body) await focusHeading();
}
