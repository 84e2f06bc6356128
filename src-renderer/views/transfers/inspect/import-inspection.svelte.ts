/**
 * @file Polls the status of one import until it has ended. The archive is read for the first and the last status; in
 * between, only the status is requested. Create it during component setup.
 */
import { onDestroy } from 'svelte';
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { FailureWithRecord, ImportStatus } from '../../../../src-contract/transfers/import.ts';
import { LongCall } from '../../../data/calls/long-call.svelte.ts';

export interface InspectionRequest {
  url: string;
  /** The reference that calls about archives accept; null inspects without an archive. */
  archive: string | null;
}

/** Delay between two polls of a running import, in milliseconds. */
const pollIntervalMs = 5_000;

const isRunning = ({ state }: ImportStatus): boolean => state === 'scheduled' || state === 'started';

export class ImportInspection {
  readonly statusCall = new LongCall('import.status');
  request = $state.raw<InspectionRequest | null>(null);
  /** The newest status of the requested import; null before the first one. */
  value = $state.raw<CallReply<'import.status'> | null>(null);
  fetchedAt = $state<number | null>(null);

  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    onDestroy(() => {
      this.#stopTimer();
    });
  }

  get running(): boolean {
    return this.value !== null && isRunning(this.value.status);
  }

  /** Inspects another import, or the same import with another archive. */
  start(request: InspectionRequest): void {
    if (request.url !== this.request?.url) this.value = null;
    this.request = request;
    void this.#poll(true);
  }

  refresh(): void {
    void this.#poll(true);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #poll(withArchive: boolean): Promise<void> {
    const { request: subject } = this;
    if (subject === null) return;
    this.#stopTimer();
    const archive = withArchive ? subject.archive : null;
    const result = await this.statusCall.run({ instance: null, project: subject.url, archive });
    if (result === null || subject !== this.request) return;
    if (result.ok) {
      const previous = this.value;
      this.fetchedAt = Date.now();
      this.value =
        archive === subject.archive
          ? result.value
          : { ...result.value, failures: withRecords(result.value.failures, previous?.failures ?? []) };
      if (!isRunning(result.value.status)) {
        if (archive !== subject.archive) await this.#poll(true);
        return;
      }
    }
    // A short network failure does not end the polling.
    if (this.running) this.#timer = setTimeout(() => void this.#poll(false), pollIntervalMs);
  }
}

function withRecords(
  failures: readonly FailureWithRecord[],
  previous: readonly FailureWithRecord[],
): FailureWithRecord[] {
  return failures.map((entry) => ({
    ...entry,
    record: previous.find(({ failure }) => failure.id === entry.failure.id)?.record ?? entry.record,
  }));
}
