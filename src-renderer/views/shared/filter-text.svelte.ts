/** @file The text in a field of a filter that is stored in the address. Create it during component setup. */
import { untrack } from 'svelte';

export class FilterText {
  value = $state('');

  /** `filter` reads the address. The text follows if a link sets another filter. */
  constructor(filter: () => string | null | undefined) {
    $effect.pre(() => {
      const stored = filter() ?? '';
      untrack(() => {
        if (this.value.trim() !== stored) this.value = stored;
      });
    });
  }
}
