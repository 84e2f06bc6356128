/** @file Requested backups that wait until their instance responds. They outlive the view that requested them. */
import { SvelteMap } from 'svelte/reactivity';

interface WaitingStart {
  text: string;
  cancel(): void;
}

/** The key is the id of a plan, or `all` and an instance. */
export const waitingBackups = new SvelteMap<string, WaitingStart>();

export const allProjectsKey = (instance: string): string => `all ${instance}`;
