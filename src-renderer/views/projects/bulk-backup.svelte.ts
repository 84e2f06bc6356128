/**
 * @file A backup of the selected projects: collects them page by page, then sends one request per instance. Create it
 * during component setup; leaving the view cancels what was not started.
 */
import { onDestroy } from 'svelte';
import type { CallReply, ParsedRequest } from '../../../src-contract/calls.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import { call } from '../../client.ts';
import { groupByInstance, distinct, type BackupCandidate } from './chosen/backup-candidates.ts';

export type ProjectFilter = Pick<
  ParsedRequest<'project.page'>,
  'instance' | 'search' | 'backupStatus' | 'archived'
>;

export interface InstanceGroup {
  instance: string;
  projects: BackupCandidate[];
  state: 'ready' | 'starting' | 'started' | 'failed';
  progress: Progress | null;
  backupReply: CallReply<'backup.start'> | null;
  error: ErrorData | null;
}

const pageSize = 500;

export class BulkBackup {
  stage = $state<'idle' | 'collecting' | 'ready' | 'starting' | 'done'>('idle');
  /** Number of rows read so far while collecting; `total` is the number of all rows. */
  collected = $state(0);
  total = $state<number | null>(null);
  error = $state.raw<ErrorData | null>(null);
  groups = $state.raw<InstanceGroup[]>([]);
  leftOut = $state.raw<{ candidate: BackupCandidate; why: string }[]>([]);

  readonly #getRefusal: (candidate: BackupCandidate) => string | null;
  #abortController: AbortController | null = null;

  /**
   * `getRefusal` returns why a project cannot be backed up, as far as known without a request; null if a backup can be
   * tried.
   */
  constructor(getRefusal: (candidate: BackupCandidate) => string | null) {
    this.#getRefusal = getRefusal;
    onDestroy(() => this.#abortController?.abort());
  }

  get count(): number {
    return this.groups.reduce((sum, { projects }) => sum + projects.length, 0);
  }

  prepareProjects(candidates: readonly BackupCandidate[]): void {
    this.close();
    this.#arrange(candidates);
  }

  async collect(filter: ProjectFilter, isSelected: (candidate: BackupCandidate) => boolean): Promise<void> {
    this.close();
    const abortController = new AbortController();
    this.#abortController = abortController;
    this.stage = 'collecting';
    const found: BackupCandidate[] = [];
    for (let offset = 0; this.total === null || offset < this.total; offset += pageSize) {
      const request = { ...filter, sort: 'path' as const, descending: false, offset, limit: pageSize };
      const result = await call('project.page', request, { signal: abortController.signal });
      if (this.#abortController !== abortController) return;
      if (!result.ok) {
        this.error = result.error;
        return;
      }
      this.total = result.value.total;
      this.collected = Math.min(offset + pageSize, result.value.total);
      for (const { instance, id, fullPath, backupStatus, accessLevel } of result.value.projects) {
        found.push({ instance, id, fullPath, backupStatus, accessLevel });
      }
    }
    this.#arrange(distinct(found).filter(isSelected));
  }

  async start(keepExisting: boolean): Promise<void> {
    const abortController = new AbortController();
    this.#abortController = abortController;
    this.stage = 'starting';
    for (const { instance, projects, state } of this.groups) {
      if (state === 'started') continue;
      this.#change(instance, { state: 'starting', progress: null, error: null });
      const result = await call(
        'backup.start',
        // Ids are short enough for a request with fifty thousand projects, and stay the same when a path changes.
        { instance, projects: projects.map(({ id }) => String(id)), keepExisting },
        {
          signal: abortController.signal,
          onProgress: (progress) => {
            if (this.#abortController === abortController) this.#change(instance, { progress });
          },
        },
      );
      if (this.#abortController !== abortController) return;
      this.#change(
        instance,
        result.ok
          ? { state: 'started', backupReply: result.value }
          : { state: 'failed', error: result.error },
      );
    }
    this.#abortController = null;
    this.stage = 'done';
  }

  /** Started backups continue; everything else is discarded. */
  close(): void {
    this.#abortController?.abort();
    this.#abortController = null;
    this.stage = 'idle';
    this.collected = 0;
    this.total = null;
    this.error = null;
    this.groups = [];
    this.leftOut = [];
  }

  #arrange(candidates: readonly BackupCandidate[]): void {
    const results = candidates.map((candidate) => ({ candidate, why: this.#getRefusal(candidate) }));
    this.leftOut = results.flatMap(({ candidate, why }) => (why === null ? [] : [{ candidate, why }]));
    const allowed = results.flatMap(({ candidate, why }) => (why === null ? [candidate] : []));
    this.groups = groupByInstance(allowed).map(([instance, projects]) => ({
      instance,
      projects,
      state: 'ready',
      progress: null,
      backupReply: null,
      error: null,
    }));
    this.stage = 'ready';
  }

  #change(instance: string, change: Partial<InstanceGroup>): void {
    this.groups = this.groups.map((group) => (group.instance === instance ? { ...group, ...change } : group));
  }
}

export function pathOf(group: InstanceGroup, reference: string): string {
  return (
    group.projects.find(({ id, fullPath }) => String(id) === reference || fullPath === reference)?.fullPath ??
    reference
  );
}
