/**
 * @file Debounces a value that changes quickly, such as a selection by arrow keys. Create it during component setup.
 */
import { untrack } from 'svelte';

export class Debounced<Value> {
  /** The value after the last pause; at first the current one. */
  value = $state.raw() as Value;

  constructor(current: () => Value, delayMs = 120) {
    this.value = untrack(current);
    $effect(() => {
      const next = current();
      const timer = setTimeout(() => {
        this.value = next;
      }, delayMs);
      return () => {
        clearTimeout(timer);
      };
    });
  }
}
