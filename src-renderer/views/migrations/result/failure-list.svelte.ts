/** @file The failures of a migration that match the filter, a page at a time. Create it during component setup. */
import { groupKey } from '../../shared/records/failure-groups.ts';
import {
  failureStates,
  type FailureState,
  type ImportFailure,
} from '../../../../src-contract/migrations/failure.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { call } from '../../../client.ts';
import { followPages } from '../../../data/calls/followed-pages.svelte.ts';
import { PageCache } from '../../../data/calls/page-cache.svelte.ts';
import { router } from '../../../data/places/router.svelte.ts';
import { migrationEvents } from '../migration-events.ts';

type Groups = CallReply<'failure.list'>['groups'];

export class FailureList {
  readonly state = $derived<FailureState | null>(
    failureStates.find((one) => one === router.parameter('failed')) ?? null,
  );
  readonly search = $derived(router.parameter('search'));
  /** Full path on the target; null for every project. */
  readonly project = $derived(router.parameter('into'));
  /** Key of the group shown; empty for all groups. */
  group = $state('');
  groups = $state.raw<Groups>([]);
  unlistedCount = $state<number | null>(null);
  hasUnlisted = $state(false);
  readonly cache: PageCache<ImportFailure>;
  readonly listKey = $derived(JSON.stringify([this.state, this.search, this.project, this.group]));
  readonly #migration: string;

  constructor(migration: string) {
    this.#migration = migration;
    this.cache = new PageCache<ImportFailure>(async (offset, limit, signal) => {
      const result = await call('failure.list', { ...this.#filter(), offset, limit }, { signal });
      if (!result.ok) return result;
      const { failures, total, groups, unlistedCount, hasUnlisted } = result.value;
      this.groups = groups;
      this.unlistedCount = unlistedCount;
      this.hasUnlisted = hasUnlisted;
      return { ok: true, value: { rows: failures, total } };
    });
    followPages(this.cache, { listKey: () => this.listKey, ...migrationEvents });
  }

  #filter() {
    const chosen = this.groups.find((group) => groupKey(group) === this.group);
    const { state, search, project } = this;
    return {
      ...{ migration: this.#migration, project, state, search },
      relation: chosen?.relation ?? null,
      exceptionClass: chosen?.exceptionClass ?? null,
    };
  }
}
