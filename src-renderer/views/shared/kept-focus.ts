/** @file Where the focus goes when what had it is no longer shown. */
import { tick } from 'svelte';

/** Once what changed is drawn: a focus that was lost with it goes to the view's heading, as when the view opens. */
export async function rescueFocus(): Promise<void> {
  await tick();
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('[data-view-heading]')?.focus();
}
