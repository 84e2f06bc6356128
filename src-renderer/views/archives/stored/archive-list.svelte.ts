/**
 * @file The stored archives of one project, newest first, as far back as was asked for. Make it while a component is set up;
 * it ends with the component.
 */
import { onDestroy, untrack } from 'svelte';
import type { ArchiveSummary } from '../../../../src-preload/contract/archive.ts';
import type { CallReply, Result } from '../../../../src-preload/contract/calls.ts';
import type { ErrorData } from '../../../../src-preload/contract/errors.ts';
import { call, on } from '../../../client.ts';
import { spaced } from '../../../state/asking/coalesce.ts';

const pageSize = 100;

export interface ProjectReference {
  instance: string;
  project: string;
}

/** `instance/full/path`, as the address has it; names of instances contain no slash. */
export function projectKey({ instance, project }: ProjectReference): string {
  return `${instance}/${project}`;
}

export function projectOf(key: string | null): ProjectReference | null {
  const slash = key?.indexOf('/') ?? -1;
  if (key === null || slash < 1 || slash === key.length - 1) return null;
  return { instance: key.slice(0, slash), project: key.slice(slash + 1) };
}

export class ArchiveList {
  /** Null until the first page has come. */
  archives = $state.raw<ArchiveSummary[] | null>(null);
  error = $state.raw<ErrorData | null>(null);
  busy = $state(false);
  /** There are older ones. */
  more = $state(false);

  readonly #project: () => ProjectReference | null;
  #wanted = pageSize;
  #underWay: AbortController | null = null;

  /** `project` may read reactive values: when they change, the list of the other project is asked for. */
  constructor(project: () => ProjectReference | null) {
    this.#project = project;
    const key = $derived.by(() => {
      const of = project();
      return of === null ? null : projectKey(of);
    });
    $effect.pre(() => {
      // By name, so that the same project asked for anew stays as it is.
      if (key === null) this.busy = false;
      this.archives = null;
      this.error = null;
      this.#wanted = pageSize;
      untrack(() => void this.refresh());
    });
    // A backup of many projects must not keep the list from ever being read to its end.
    const changes = spaced(() => void this.refresh(), 1_000);
    const end = on('archive.changed', changes.ask);
    onDestroy(() => {
      end();
      changes.end();
      this.#underWay?.abort();
    });
  }

  async showMore(): Promise<void> {
    this.#wanted += pageSize;
    await this.refresh();
  }

  /** Asks again for as many as are shown; a request under way is given up for it. */
  async refresh(): Promise<void> {
    this.#underWay?.abort();
    const of = this.#project();
    if (of === null) return;
    const underWay = new AbortController();
    this.#underWay = underWay;
    this.busy = true;
    const rows: ArchiveSummary[] = [];
    let before: string | null = null;
    do {
      const result: Result<CallReply<'archive.list'>> = await call(
        'archive.list',
        { ...of, before, limit: pageSize },
        { signal: underWay.signal },
      );
      if (this.#underWay !== underWay) return;
      if (!result.ok) {
        this.error = result.error;
        this.busy = false;
        return;
      }
      rows.push(...result.value.archives);
      before = result.value.next;
    } while (before !== null && rows.length < this.#wanted);
    this.archives = rows;
    this.more = before !== null;
    this.error = null;
    this.busy = false;
  }
}
