/** @file The failures of a migration as they are filtered: a page at a time. Make it while a component is set up. */
import { onDestroy, untrack } from 'svelte';
import {
  failureStates,
  type FailureState,
  type LedgerFailure,
} from '../../../../src-preload/contract/migrations/failure.ts';
import type { CallReply } from '../../../../src-preload/contract/calls.ts';
import { call, on } from '../../../client.ts';
import { spaced } from '../../../state/asking/coalesce.ts';
import { PageCache } from '../../../state/asking/page-cache.svelte.ts';
import { router } from '../../../state/places/router.svelte.ts';

type Groups = CallReply<'failure.list'>['groups'];

export class LedgerList {
  readonly state = $derived<FailureState | null>(
    failureStates.find((one) => one === router.parameter('failed')) ?? null,
  );
  readonly search = $derived(router.parameter('search'));
  /** Full path on the target; null: of every project. */
  readonly project = $derived(router.parameter('into'));
  /** Key of the group that is shown; empty: all. */
  group = $state('');
  groups = $state.raw<Groups>([]);
  unseen = $state<number | null>(null);
  truncated = $state(false);
  readonly cache: PageCache<LedgerFailure>;
  readonly listKey = $derived(JSON.stringify([this.state, this.search, this.project, this.group]));
  readonly #migration: string;

  constructor(migration: string) {
    this.#migration = migration;
    this.cache = new PageCache<LedgerFailure>(async (offset, limit, signal) => {
      const result = await call('failure.list', { ...this.#filter(), offset, limit }, { signal });
      if (!result.ok) return result;
      const { failures, total, groups, unseen, truncated } = result.value;
      this.groups = groups;
      this.unseen = unseen;
      this.truncated = truncated;
      return { ok: true, value: { rows: failures, total } };
    });
    $effect(() => {
      this.#fromTop(this.listKey);
    });
    const renew = spaced(() => {
      this.cache.invalidate();
    }, 1000);
    const ends = (['migration.changed', 'job.changed'] as const).map((event) => on(event, renew.ask));
    onDestroy(() => {
      for (const end of ends) end();
      renew.end();
      this.cache.end();
    });
  }

  #filter() {
    const chosen = this.groups.find((group) => groupKey(group) === this.group);
    const { state, search, project } = this;
    return {
      ...{ migration: this.#migration, instance: null, project, state, search },
      relation: chosen?.relation ?? null,
      exceptionClass: chosen?.exceptionClass ?? null,
    };
  }

  #fromTop(_list: string): void {
    untrack(() => {
      this.cache.restart();
    });
  }
}

export const groupKey = ({ relation, exceptionClass }: Groups[number]): string =>
  JSON.stringify([relation, exceptionClass]);
