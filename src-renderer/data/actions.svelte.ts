/** @file All keyboard actions, for the palette and the list of shortcuts. None of them destroys something. */
import { onDestroy, type Component } from 'svelte';
import { matches } from '../kit/content/keys.ts';

export interface Action {
  id: string;
  title: string;
  keywords?: string;
  icon?: Component;
  /** Written as in `keys.ts`: `mod+k`. Sequences such as `g p` do not exist. */
  shortcut?: string;
  available?: () => boolean;
  run: () => void;
}

class Actions {
  #groups = $state.raw<(() => readonly Action[])[]>([]);

  /** The later one of two actions with the same id wins: a view can replace a general action with its own. */
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

  handle(event: KeyboardEvent): boolean {
    const action = this.list.find(({ shortcut }) => shortcut !== undefined && matches(shortcut, event));
    action?.run();
    return action !== undefined;
  }
}

export const actions = new Actions();

/** Adds the actions of a view while it is mounted. Call it during component setup. */
export function offerActions(group: () => readonly Action[]): void {
  onDestroy(actions.add(group));
}
