/** @file The text of a filter field. The filter itself is stored in the address. Create it during component setup. */
import { untrack } from 'svelte';

export class FilterText {
  value = $state('');

  /** `filter` reads the address. The text changes when a link sets another filter. */
  constructor(filter: () => string | null | undefined) {
    $effect.pre(() => {
      const stored = filter() ?? '';
      untrack(() => {
        if (this.value.trim() !== stored) this.value = stored;
      });
    });
  }
}
