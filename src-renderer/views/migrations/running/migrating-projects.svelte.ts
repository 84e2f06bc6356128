/**
 * @file The projects of one migration that match the filters in the address, a page at a time, and the one whose
 * details are shown. Create it during component setup.
 */
import { migratingStates, type MigratingProject } from '../../../../src-contract/migrations/migration.ts';
import { call } from '../../../client.ts';
import { followPages } from '../../../data/calls/followed-pages.svelte.ts';
import { PageCache } from '../../../data/calls/page-cache.svelte.ts';
import { CallQuery } from '../../../data/calls/call-query.svelte.ts';
import { router } from '../../../data/places/router.svelte.ts';
import { migrationEvents } from '../migration-events.ts';

export class MigratingProjects {
  readonly state = $derived(migratingStates.find((one) => one === router.parameter('state')) ?? null);
  readonly wave = $derived.by(() => {
    const wave = Number(router.parameter('wave') ?? '');
    return Number.isInteger(wave) && wave > 0 ? wave : null;
  });
  readonly search = $derived(router.parameter('search'));
  readonly inConflict = $derived(router.parameter('conflicts') === 'yes');
  readonly isFiltered = $derived(
    this.state !== null || this.wave !== null || this.search !== null || this.inConflict,
  );
  readonly listKey = $derived(JSON.stringify([this.state, this.wave, this.search, this.inConflict]));
  readonly cache: PageCache<MigratingProject>;
  readonly waves: CallQuery<'migration.waves'>;
  /** The project in the address, by its path on the source. */
  readonly chosenPath = $derived(router.parameter('project'));
  readonly #chosenQuery: CallQuery<'migration.projects'>;
  readonly #migration: string;

  /** The current row whose details are shown; null while it is loading or if there is none. */
  readonly chosenRow = $derived.by((): MigratingProject | null => {
    const rows = this.#chosenQuery.value?.projects ?? [];
    return rows.find(({ sourcePath }) => sourcePath === this.chosenPath) ?? null;
  });

  constructor(migration: string) {
    this.#migration = migration;
    this.cache = new PageCache<MigratingProject>(async (offset, limit, signal) => {
      const result = await call('migration.projects', { ...this.#filter(), offset, limit }, { signal });
      return result.ok
        ? { ok: true, value: { rows: result.value.projects, total: result.value.total } }
        : result;
    });
    this.waves = new CallQuery('migration.waves', () => ({ migration }), migrationEvents);
    this.#chosenQuery = new CallQuery(
      'migration.projects',
      () => (this.chosenPath === null ? null : { migration, search: this.chosenPath, offset: 0, limit: 20 }),
      { reloadOn: ['migration.changed', 'job.changed'] },
    );
    followPages(this.cache, {
      listKey: () => this.listKey,
      reloadOn: ['migration.changed', 'job.changed'],
      minIntervalMs: 500,
    });
  }

  refresh(): void {
    this.cache.refresh();
    void this.waves.refresh();
    void this.#chosenQuery.refresh();
  }

  #filter() {
    const { state, wave, search, inConflict } = this;
    return { migration: this.#migration, state, wave, search, inConflict };
  }
}
