/** @file The projects that an instance returned so far, with their local backups. Create it during component setup. */
import { onDestroy } from 'svelte';
import type { ProjectRow } from '../../../../src-contract/projects/project.ts';
import { call } from '../../../client.ts';
import { CursorList } from '../../../data/calls/cursor-list.svelte.ts';
import { onEvents } from '../../../data/calls/on-events.ts';
import { distinct, keyOf } from '../chosen/backup-candidates.ts';
import { withBackups } from '../../shared/held-rows.ts';
import type { FindQuery } from './find-query.ts';

export class FoundProjects {
  readonly list: CursorList<ProjectRow>;
  total = $state<number | null>(null);
  /** The request was cancelled before any row arrived. */
  isCancelled = $state(false);

  /**
   * `getRequest` may read reactive values; if it returns null, nothing is requested. Only the `chosen` row is requested
   * again after a change.
   */
  constructor(
    getRequest: () => { instance: string; findQuery: FindQuery } | null,
    chosen: () => ProjectRow | null,
  ) {
    const key = $derived(JSON.stringify(getRequest()));
    this.list = new CursorList<ProjectRow>(() => {
      const request = JSON.parse(key) as ReturnType<typeof getRequest>;
      if (request === null) return null;
      const {
        instance,
        findQuery: { list, subject, query },
      } = request;
      return async (cursor, limit, signal) => {
        this.isCancelled = false;
        const params = { instance, list, of: subject, query, cursor, limit };
        const result = await call('project.find', params, { signal });
        if (!result.ok) return result;
        const { projects, next, total } = result.value;
        const rows = await withBackups(instance, projects, signal);
        if (!rows.ok) return rows;
        if (cursor === null) this.total = total;
        // If projects were created or deleted meanwhile, rows may move to the next page.
        const previousRows = cursor === null ? [] : (this.list.rows ?? []);
        return {
          ok: true,
          value: { rows: distinct([...previousRows, ...rows.value]).slice(previousRows.length), next },
        };
      };
    });
    onDestroy(onEvents(['archive.changed', 'job.changed'], () => void this.#refreshBackups(), 500));
    onDestroy(onEvents(['project.changed'], () => void this.#refreshRow(chosen()), 500));
  }

  cancelSearch(): void {
    this.list.cancelLoading();
    this.isCancelled = this.list.rows === null;
  }

  /** A deleted project is removed from the list. */
  async #refreshRow(row: ProjectRow | null): Promise<void> {
    const isThis = (one: ProjectRow): boolean => row !== null && keyOf(one) === keyOf(row);
    if (row === null || this.#rowsWith(isThis) === null) return;
    const reply = await call('project.show', { instance: row.instance, project: String(row.id) });
    const isGone = !reply.ok && reply.error.code === 'project-missing';
    const rowResult = reply.ok ? await withBackups(row.instance, [reply.value]) : null;
    if (!isGone && rowResult?.ok !== true) return;
    const newRows = rowResult?.ok === true ? rowResult.value : [];
    // Another list may have been requested meanwhile.
    const rows = this.#rowsWith(isThis);
    if (rows === null) return;
    this.list.rows = rows.flatMap((one) => (isThis(one) ? newRows : [one]));
    if (isGone && this.total !== null) this.total -= 1;
  }

  #rowsWith(isThis: (row: ProjectRow) => boolean): readonly ProjectRow[] | null {
    const { rows } = this.list;
    return rows?.some(isThis) === true ? rows : null;
  }

  async #refreshBackups(): Promise<void> {
    const { rows } = this.list;
    const [first] = rows ?? [];
    if (rows === null || first === undefined) return;
    const result = await withBackups(first.instance, rows);
    if (!result.ok) return;
    // More rows may have arrived meanwhile.
    const rowsByKey = Object.fromEntries(result.value.map((row) => [keyOf(row), row]));
    this.list.rows = (this.list.rows ?? []).map((row) => rowsByKey[keyOf(row)] ?? row);
  }
}
