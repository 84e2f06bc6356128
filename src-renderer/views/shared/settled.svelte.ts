/**
 * @file A value that changes quickly, as when an arrow key is held down, and is looked up only once it rests. Make it while a
 * component is set up.
 */
import { untrack } from 'svelte';

export class Debounced<Value> {
  /** What it was when it last rested; at first what it is. */
  value = $state.raw() as Value;

  /** `current` reads the value that changes. */
  constructor(current: () => Value, restMs = 120) {
    this.value = untrack(current);
    $effect(() => {
      const next = current();
      const timer = setTimeout(() => {
        this.value = next;
      }, restMs);
      return () => {
        clearTimeout(timer);
      };
    });
  }
}
