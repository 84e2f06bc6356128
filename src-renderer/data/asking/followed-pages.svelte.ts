/** @file Keeps a list of pages as it is now, as long as a view stands that shows it. */
import { onDestroy, untrack } from 'svelte';
import type { EventName } from '../../../src-contract/call-names.ts';
import { on } from '../../client.ts';
import { throttle } from '../../kit/coalesce.ts';
import type { PageCache } from './page-cache.svelte.ts';

interface Following {
  /** Tells one list from another, by filter and order; may read reactive values. */
  listKey: () => string;
  /** Events that tell of a change in it. */
  reloadOn: readonly EventName[];
  /** It is asked for again at most once in this time. */
  minMs: number;
}

/** Another list is shown from its top; a change in the same one leaves rows in sight. Call it while a component is set up. */
export function followPages<Row>(pages: PageCache<Row>, { listKey, reloadOn, minMs }: Following): void {
  $effect(() => {
    listKey();
    untrack(() => {
      pages.restart();
    });
  });
  const renew = throttle(() => {
    pages.invalidate();
  }, minMs);
  const ends = reloadOn.map((event) => on(event, renew.ask));
  onDestroy(() => {
    for (const end of ends) end();
    renew.end();
    pages.end();
  });
}
