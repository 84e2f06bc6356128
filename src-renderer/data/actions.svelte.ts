/**
 * @file The one catalogue of what can be done from the keyboard: the command palette and the list of shortcuts show it.
 * Nothing that destroys something belongs here.
 */
import { onDestroy } from 'svelte';
import type { Component } from 'svelte';
import { matches } from '../kit/content/keys.ts';

export interface Action {
  id: string;
  title: string;
  /** Other words by which it is found. */
  keywords?: string;
  icon?: Component;
  /** As `keys.ts` writes it: `mod+k`, `g p`-like sequences do not exist. */
  shortcut?: string;
  /** False: neither shown nor run. */
  available?: () => boolean;
  run: () => void;
}

class Actions {
  #groups = $state.raw<(() => readonly Action[])[]>([]);

  /** Of two with the same id the later holds: what a view does in its own way takes the place of the general one. */
  get list(): Action[] {
    const all = this.#groups.flatMap((group) => group()).filter((action) => action.available?.() !== false);
    return [...new Map(all.map((action) => [action.id, action])).values()];
  }

  /** Adds actions until the returned function is called; `group` may read reactive values. */
  add(group: () => readonly Action[]): () => void {
    this.#groups = [...this.#groups, group];
    return () => {
      this.#groups = this.#groups.filter((one) => one !== group);
    };
  }

  /** Runs the action whose shortcut it is; whether there was one. */
  handle(event: KeyboardEvent): boolean {
    const action = this.list.find(({ shortcut }) => shortcut !== undefined && matches(shortcut, event));
    action?.run();
    return action !== undefined;
  }
}

export const actions = new Actions();

/** What a view offers while it is shown; call it while the view is set up. */
export function offerActions(group: () => readonly Action[]): void {
  onDestroy(actions.add(group));
}
