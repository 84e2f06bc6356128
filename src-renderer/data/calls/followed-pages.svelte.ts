/** @file Keeps a paged list up to date while the view that shows it is mounted. */
import { onDestroy, untrack } from 'svelte';
import type { EventName } from '../../../src-contract/call-names.ts';
import { onEvents } from './on-events.ts';
import type { PageCache } from './page-cache.svelte.ts';

interface FollowOptions {
  /** Identifies the list by filter and order; may read reactive values. */
  listKey: () => string;
  reloadOn: readonly EventName[];
  minIntervalMs: number;
}

/**
 * A new list is shown from its top. When the same list changes, its rows stay visible. Call this function during
 * component setup.
 */
export function followPages<Row>(
  pages: PageCache<Row>,
  { listKey, reloadOn, minIntervalMs }: FollowOptions,
): void {
  $effect(() => {
    listKey();
    untrack(() => {
      pages.restart();
    });
  });
  const stopEvents = onEvents(reloadOn, pages.refresh.bind(pages), minIntervalMs);
  onDestroy(() => {
    stopEvents();
    pages.cancelLoading();
  });
}
