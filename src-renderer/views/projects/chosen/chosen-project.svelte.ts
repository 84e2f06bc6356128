/**
 * @file The project that the address names: from the view's rows, else from the stored list, else from its instance.
 */
import { onDestroy, untrack } from 'svelte';
import type { Result } from '../../../../src-contract/calls.ts';
import type { ErrorData } from '../../../../src-contract/errors.ts';
import type { ProjectRow } from '../../../../src-contract/projects/project.ts';
import { call } from '../../../client.ts';
import { onEvents } from '../../../data/calls/on-events.ts';
import { CallQuery } from '../../../data/calls/call-query.svelte.ts';
import { router } from '../../../data/places/router.svelte.ts';
import { withBackups } from '../../shared/held-rows.ts';
import { Debounced } from '../../shared/debounced.svelte.ts';

interface Named {
  path: string | null;
  instance: string | null;
}

export class ChosenProject {
  readonly path = $derived(router.parameter('project'));
  readonly instance = $derived(router.parameter('of') ?? router.parameter('instance'));
  readonly error = $derived.by(() => this.#stored.error ?? this.#liveError);
  readonly #atHand: (named: Named) => ProjectRow | null;
  readonly #stored: CallQuery<'project.page'>;
  readonly #rested: Debounced<Named>;
  /** The row that was last clicked or shown: it stays visible while the new one is loaded. */
  #last = $state.raw<ProjectRow | null>(null);
  #live = $state.raw<ProjectRow | null>(null);
  #liveError = $state.raw<ErrorData | null>(null);
  #gone = $state.raw<Named | null>(null);
  #asking: AbortController | null = null;
  #asked: string | null = null;

  readonly #listed = $derived.by(() => {
    const named = { path: this.path, instance: this.instance };
    const stored = this.#stored.value?.projects.find((row) => is(row, named));
    return this.#atHand(named) ?? stored ?? null;
  });
  readonly row = $derived.by(() => {
    const named = { path: this.path, instance: this.instance };
    return this.#listed ?? [this.#live, this.#last].find((row) => row !== null && is(row, named)) ?? null;
  });
  /** True if the list does not contain the project, and its instance lacks it or is unknown. */
  readonly missing = $derived.by(
    () => this.#gone !== null && this.#gone.path === this.path && this.#gone.instance === this.instance,
  );

  /** `atHand` returns the row if the view has it, and may read reactive values. */
  constructor(atHand: (named: Named) => ProjectRow | null = () => null) {
    this.#atHand = atHand;
    this.#rested = new Debounced(() => ({ path: this.path, instance: this.instance }));
    this.#stored = new CallQuery('project.page', () => {
      const { path, instance } = this.#rested.value;
      const order = { sort: 'path', descending: false } as const;
      return path === null ? null : { instance, search: path, ...order, offset: 0, limit: 100 };
    });
    $effect(() => {
      const { value, isStale } = this.#stored;
      const { path, instance } = this.#rested.value;
      const settled = value !== null && !isStale && path === this.path && instance === this.instance;
      const row = this.row;
      const listed = this.#listed !== null;
      untrack(() => {
        if (row !== null) this.#last = row;
        if (listed) this.#forget();
        else if (settled && path !== null && this.#asked !== `${instance ?? ''} ${path}`) {
          void this.#ask(path, instance);
        }
      });
    });
    onDestroy(onEvents(['archive.changed', 'job.changed'], () => void this.#renewHeld(), 500));
    onDestroy(onEvents(['project.changed', 'instance.changed'], () => void this.refresh(), 500));
    onDestroy(() => this.#asking?.abort());
  }

  get busy(): boolean {
    return this.#stored.busy || this.#asking !== null;
  }

  show(row: ProjectRow): void {
    this.#last = row;
    const implied = row.instance === router.parameter('instance');
    router.replace({ project: row.fullPath, of: implied ? null : row.instance });
  }

  close(): void {
    router.replace({ project: null, of: null });
  }

  async refresh(): Promise<void> {
    await this.#stored.refresh();
    const { path, instance } = this;
    if (path !== null && this.#stored.value !== null && this.#listed === null)
      await this.#ask(path, instance);
  }

  /**
   * Requests the project by the id last shown under this path, so that a moved project is found under its new path.
   */
  async #ask(path: string, instance: string | null): Promise<void> {
    this.#asking?.abort();
    this.#asking = null;
    const named = { path, instance };
    this.#asked = `${instance ?? ''} ${path}`;
    if (instance === null) {
      this.#gone = named;
      return;
    }
    const asking = new AbortController();
    this.#asking = asking;
    const last = this.row;
    const project = last === null ? path : String(last.id);
    const result = await fetchRow(instance, project, asking.signal);
    if (this.#asking !== asking) return;
    this.#asking = null;
    const isGone = !result.ok && ['project-missing', 'not-found'].includes(result.error.code);
    this.#gone = isGone ? named : null;
    this.#liveError = result.ok || isGone ? null : result.error;
    const row = result.ok ? result.value[0] : undefined;
    if (row === undefined) return;
    this.#live = row;
    if (row.fullPath !== path) router.replace({ project: row.fullPath });
  }

  #forget(): void {
    this.#asking?.abort();
    this.#asking = null;
    this.#asked = null;
    this.#live = null;
    this.#liveError = null;
    this.#gone = null;
  }

  async #renewHeld(): Promise<void> {
    const live = this.#live;
    if (this.#listed !== null || live === null) {
      await this.#stored.refresh();
      return;
    }
    const result = await withBackups(live.instance, [live]);
    if (result.ok && this.#live === live) this.#live = result.value[0] ?? live;
  }
}

const is = (row: ProjectRow, { path, instance }: Named): boolean =>
  row.fullPath === path && (instance === null || row.instance === instance);

async function fetchRow(
  instance: string,
  project: string,
  signal: AbortSignal,
): Promise<Result<ProjectRow[]>> {
  const result = await call('project.show', { instance, project }, { signal });
  return result.ok ? withBackups(instance, [result.value], signal) : result;
}
