/**
 * @file The project named in the window's URL. Its row comes from the view, else the stored list, else the instance.
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

interface ProjectAddress {
  path: string | null;
  instance: string | null;
}

export class ChosenProject {
  readonly path = $derived(router.parameter('project'));
  readonly instance = $derived(router.parameter('of') ?? router.parameter('instance'));
  readonly error = $derived.by(() => this.#stored.error ?? this.#fetchError);
  readonly #findLoadedRow: (address: ProjectAddress) => ProjectRow | null;
  readonly #stored: CallQuery<'project.page'>;
  readonly #debouncedAddress: Debounced<ProjectAddress>;
  /** The row that was last clicked or shown: it stays visible while the new one is loaded. */
  #last = $state.raw<ProjectRow | null>(null);
  #fetchedRow = $state.raw<ProjectRow | null>(null);
  #fetchError = $state.raw<ErrorData | null>(null);
  #missingAddress = $state.raw<ProjectAddress | null>(null);
  #fetchController: AbortController | null = null;
  #fetchedKey: string | null = null;

  readonly #listedRow = $derived.by(() => {
    const address = { path: this.path, instance: this.instance };
    const stored = this.#stored.value?.projects.find((row) => matches(row, address));
    return this.#findLoadedRow(address) ?? stored ?? null;
  });
  readonly row = $derived.by(() => {
    const address = { path: this.path, instance: this.instance };
    return (
      this.#listedRow ??
      [this.#fetchedRow, this.#last].find((row) => row !== null && matches(row, address)) ??
      null
    );
  });
  /** True if the list does not contain the project, and its instance lacks it or is unknown. */
  readonly missing = $derived.by(
    () =>
      this.#missingAddress !== null &&
      this.#missingAddress.path === this.path &&
      this.#missingAddress.instance === this.instance,
  );

  /** `findLoadedRow` returns the row if the view has it, and may read reactive values. */
  constructor(findLoadedRow: (address: ProjectAddress) => ProjectRow | null = () => null) {
    this.#findLoadedRow = findLoadedRow;
    this.#debouncedAddress = new Debounced(() => ({ path: this.path, instance: this.instance }));
    this.#stored = new CallQuery('project.page', () => {
      const { path, instance } = this.#debouncedAddress.value;
      const order = { sort: 'path', descending: false } as const;
      return path === null ? null : { instance, search: path, ...order, offset: 0, limit: 100 };
    });
    $effect(() => {
      const { value, isStale } = this.#stored;
      const { path, instance } = this.#debouncedAddress.value;
      const isStoredCurrent = value !== null && !isStale && path === this.path && instance === this.instance;
      const row = this.row;
      const listed = this.#listedRow !== null;
      untrack(() => {
        if (row !== null) this.#last = row;
        if (listed) this.#resetFetched();
        else if (isStoredCurrent && path !== null && this.#fetchedKey !== `${instance ?? ''} ${path}`) {
          void this.#fetchProject(path, instance);
        }
      });
    });
    onDestroy(onEvents(['archive.changed', 'job.changed'], () => void this.#refreshBackups(), 500));
    onDestroy(onEvents(['project.changed', 'instance.changed'], () => void this.refresh(), 500));
    onDestroy(() => this.#fetchController?.abort());
  }

  get busy(): boolean {
    return this.#stored.busy || this.#fetchController !== null;
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
    if (path !== null && this.#stored.value !== null && this.#listedRow === null)
      await this.#fetchProject(path, instance);
  }

  /** Requests the project by the id last shown under this path, so that a moved project is found under its new path. */
  async #fetchProject(path: string, instance: string | null): Promise<void> {
    this.#fetchController?.abort();
    this.#fetchController = null;
    const address = { path, instance };
    this.#fetchedKey = `${instance ?? ''} ${path}`;
    if (instance === null) {
      this.#missingAddress = address;
      return;
    }
    const controller = new AbortController();
    this.#fetchController = controller;
    const last = this.row;
    const project = last === null ? path : String(last.id);
    const result = await fetchRow(instance, project, controller.signal);
    if (this.#fetchController !== controller) return;
    this.#fetchController = null;
    const isGone = !result.ok && ['project-missing', 'not-found'].includes(result.error.code);
    this.#missingAddress = isGone ? address : null;
    this.#fetchError = result.ok || isGone ? null : result.error;
    const row = result.ok ? result.value[0] : undefined;
    if (row === undefined) return;
    this.#fetchedRow = row;
    if (row.fullPath !== path) router.replace({ project: row.fullPath });
  }

  #resetFetched(): void {
    this.#fetchController?.abort();
    this.#fetchController = null;
    this.#fetchedKey = null;
    this.#fetchedRow = null;
    this.#fetchError = null;
    this.#missingAddress = null;
  }

  async #refreshBackups(): Promise<void> {
    const fetched = this.#fetchedRow;
    if (this.#listedRow !== null || fetched === null) {
      await this.#stored.refresh();
      return;
    }
    const result = await withBackups(fetched.instance, [fetched]);
    if (result.ok && this.#fetchedRow === fetched) this.#fetchedRow = result.value[0] ?? fetched;
  }
}

const matches = (row: ProjectRow, { path, instance }: ProjectAddress): boolean =>
  row.fullPath === path && (instance === null || row.instance === instance);

async function fetchRow(
  instance: string,
  project: string,
  signal: AbortSignal,
): Promise<Result<ProjectRow[]>> {
  const result = await call('project.show', { instance, project }, { signal });
  return result.ok ? withBackups(instance, [result.value], signal) : result;
}
