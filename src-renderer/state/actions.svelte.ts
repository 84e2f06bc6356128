/**
 * @file The one catalogue of what can be done from the keyboard: the command palette and the list of shortcuts show it.
 * Nothing that destroys something belongs here.
 */
import { onDestroy } from 'svelte';
import type { Component } from 'svelte';
import { matches } from '../ui/content/keys.ts';

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

  get list(): Action[] {
    return this.#groups.flatMap((group) => group()).filter((action) => action.available?.() !== false);
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
