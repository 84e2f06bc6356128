/**
 * @file Requested backups that wait until their instance responds. They outlive the view that requested them, so every
 * view that could request the same backup shows that it waits.
 */
import { SvelteMap } from 'svelte/reactivity';

interface WaitingStart {
  /** Since when the instance has not responded, as text. */
  text: string;
  cancel(): void;
}

/** By what waits: the id of a plan, or `all` and an instance. */
export const waitingStarts = new SvelteMap<string, WaitingStart>();

export const allProjectsKey = (instance: string): string => `all ${instance}`;
