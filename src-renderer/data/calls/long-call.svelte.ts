/** @file A call that a user starts, watches and may cancel: its progress, its reply or its error. */
import { onDestroy } from 'svelte';
import type { CallName } from '../../../src-contract/call-names.ts';
import type { CallReply, CallRequest, Result } from '../../../src-contract/calls.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import { call } from '../../client.ts';
import { waitingBackups } from './waiting-starts.svelte.ts';

/** Create it during component setup. Leaving the view cancels the call, unless `keep` lets it continue. */
export class LongCall<Name extends CallName> {
  busy = $state(false);
  progress = $state.raw<Progress | null>(null);
  value = $state.raw<CallReply<Name> | null>(null);
  error = $state.raw<ErrorData | null>(null);

  readonly #name: Name;
  #inProgress: AbortController | null = null;

  constructor(name: Name, options: { continuesAfterLeaving?: boolean } = {}) {
    this.#name = name;
    onDestroy(() => {
      if (options.continuesAfterLeaving !== true) this.#inProgress?.abort();
    });
  }

  /**
   * Cancels the previous call. Returns null if this call was cancelled. `start` is the key in `waitingStarts` while
   * the call waits for an instance.
   */
  async run(request: CallRequest<Name>, start?: string): Promise<Result<CallReply<Name>> | null> {
    this.#inProgress?.abort();
    const inProgress = new AbortController();
    this.#inProgress = inProgress;
    this.busy = true;
    this.progress = null;
    this.error = null;
    const onProgress = (progress: Progress): void => {
      if (this.#inProgress !== inProgress) return;
      this.progress = progress;
      const { waiting } = progress;
      if (start === undefined || waiting === undefined) return;
      waitingBackups.set(start, {
        text: waiting,
        cancel: () => {
          inProgress.abort();
        },
      });
    };
    const result = await call(this.#name, request, { onProgress, signal: inProgress.signal });
    if (start !== undefined) waitingBackups.delete(start);
    if (this.#inProgress !== inProgress) return null;
    this.#inProgress = null;
    this.busy = false;
    this.progress = null;
    if (result.ok) this.value = result.value;
    else if (result.error.code !== 'cancelled') this.error = result.error;
    return !result.ok && result.error.code === 'cancelled' ? null : result;
  }

  /** Cancels the pending call, whose `run` then returns null. The previous reply stays. */
  cancel(): void {
    this.#inProgress?.abort();
  }

  clear(): void {
    this.#inProgress?.abort();
    this.#inProgress = null;
    this.busy = false;
    this.progress = null;
    this.value = null;
    this.error = null;
  }
}
