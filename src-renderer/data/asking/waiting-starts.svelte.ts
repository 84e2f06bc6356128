/**
 * @file Backups that were asked for and wait until their instance answers. They outlive the view in which they were asked for, so
 * each place that could ask for the same one shows that it waits.
 */
import { SvelteMap } from 'svelte/reactivity';

interface WaitingStart {
  /** Since when the instance does not answer. */
  text: string;
  cancel(): void;
}

/** By what waits: the id of a plan, or `all` and an instance. */
export const waitingStarts = new SvelteMap<string, WaitingStart>();

export const allOf = (instance: string): string => `all ${instance}`;
