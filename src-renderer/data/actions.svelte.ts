/** @file All keyboard actions, for the palette and the list of shortcuts. No action destroys anything. */
import { onDestroy, type Component } from 'svelte';
import { matchesKeys } from '../kit/content/keys.ts';

export interface Action {
  id: string;
  title: string;
  keywords?: string;
  icon?: Component;
  /** A key combination as in `keys.ts`: `mod+k`. Sequences such as `g p` are not supported. */
  shortcut?: string;
  available?: () => boolean;
  run: () => void;
}

class Actions {
  #groups = $state.raw<(() => readonly Action[])[]>([]);

  /** If two actions have the same id, the later one wins, so that a view can replace a general action with its own. */
  get list(): Action[] {
    const all = this.#groups.flatMap((group) => group()).filter((action) => action.available?.() !== false);
    return [...new Map(all.map((action) => [action.id, action])).values()];
  }

  /** Adds actions, and returns a function that removes them. `group` may read reactive values. */
  add(group: () => readonly Action[]): () => void {
    this.#groups = [...this.#groups, group];
    return () => {
      this.#groups = this.#groups.filter((one) => one !== group);
    };
  }

  handle(event: KeyboardEvent): boolean {
    const action = this.list.find(({ shortcut }) => shortcut !== undefined && matchesKeys(shortcut, event));
    action?.run();
    return action !== undefined;
  }
}

export const actions = new Actions();

/** Adds the actions of a view while it is mounted. Call it during component setup. */
export function offerActions(group: () => readonly Action[]): void {
  onDestroy(actions.add(group));
}
