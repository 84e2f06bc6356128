/**
 * @file One import that is looked at: once, and again until it has ended. The archive is read at the first look and at the end;
 * in between only the server is asked. Make it while a component is set up.
 */
import { onDestroy } from 'svelte';
import type { CallReply } from '../../../src-contract/calls.ts';
import type { ExplainedFailure, ImportStatus } from '../../../src-contract/import.ts';
import { LongCall } from '../../data/asking/long-call.svelte.ts';

export interface Subject {
  /** Address of the project's page. */
  url: string;
  /** What calls about archives take; null: without. */
  archive: string | null;
}

/** Between two looks at an import that runs, in milliseconds. */
const restMs = 5_000;

const isRunning = ({ state }: ImportStatus): boolean => state === 'scheduled' || state === 'started';

export class ImportInspection {
  readonly look = new LongCall('import.status');
  subject = $state.raw<Subject | null>(null);
  /** The newest answer about the subject; null: none yet. */
  value = $state.raw<CallReply<'import.status'> | null>(null);
  /** Epoch milliseconds. */
  lookedAt = $state<number | null>(null);

  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    onDestroy(() => {
      this.#rest();
    });
  }

  get running(): boolean {
    return this.value !== null && isRunning(this.value.status);
  }

  /** The first look at another import, or at the same with another archive. */
  begin(subject: Subject): void {
    if (subject.url !== this.subject?.url) this.value = null;
    this.subject = subject;
    void this.#ask(true);
  }

  again(): void {
    void this.#ask(true);
  }

  forget(): void {
    this.#rest();
    this.look.clear();
    this.subject = null;
    this.value = null;
    this.lookedAt = null;
  }

  #rest(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #ask(withArchive: boolean): Promise<void> {
    const { subject } = this;
    if (subject === null) return;
    this.#rest();
    const archive = withArchive ? subject.archive : null;
    const result = await this.look.run({ instance: null, project: subject.url, archive });
    if (result === null || subject !== this.subject) return;
    if (result.ok) {
      const before = this.value;
      this.lookedAt = Date.now();
      this.value =
        archive === subject.archive
          ? result.value
          : { ...result.value, failures: withRecords(result.value.failures, before?.failures ?? []) };
      if (!isRunning(result.value.status)) {
        if (archive !== subject.archive) await this.#ask(true);
        return;
      }
    }
    // A hiccup of the network does not end a look that goes on.
    if (this.running) this.#timer = setTimeout(() => void this.#ask(false), restMs);
  }
}

/** Failures as they are now, with the records that were read before. */
function withRecords(
  failures: readonly ExplainedFailure[],
  before: readonly ExplainedFailure[],
): ExplainedFailure[] {
  return failures.map((explained) => ({
    ...explained,
    record: before.find(({ failure }) => failure.id === explained.failure.id)?.record ?? explained.record,
  }));
}
