/** @file A call that a user starts, watches and may cancel: its progress, its reply or its error. */
import { onDestroy } from 'svelte';
import type { CallName } from '../../../src-contract/call-names.ts';
import type { CallReply, CallRequest, Result } from '../../../src-contract/calls.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import { call } from '../../client.ts';
import { waitingBackups } from './waiting-starts.svelte.ts';

/** Create it during component setup. Leaving the view cancels the call, unless `continuesAfterLeaving` is true. */
export class LongCall<Name extends CallName> {
  busy = $state(false);
  progress = $state.raw<Progress | null>(null);
  value = $state.raw<CallReply<Name> | null>(null);
  error = $state.raw<ErrorData | null>(null);

  readonly #name: Name;
  #abortController: AbortController | null = null;

  constructor(name: Name, options: { continuesAfterLeaving?: boolean } = {}) {
    this.#name = name;
    onDestroy(() => {
      if (options.continuesAfterLeaving !== true) this.#abortController?.abort();
    });
  }

  /**
   * Starts the call; cancels the previous one. Returns null if cancelled. `waitingKey` is the key in `waitingBackups`
   * while the call waits for an instance.
   */
  async run(request: CallRequest<Name>, waitingKey?: string): Promise<Result<CallReply<Name>> | null> {
    this.#abortController?.abort();
    const abortController = new AbortController();
    this.#abortController = abortController;
    this.busy = true;
    this.progress = null;
    this.error = null;
    const onProgress = (progress: Progress): void => {
      if (this.#abortController !== abortController) return;
      this.progress = progress;
      const { waiting } = progress;
      if (waitingKey === undefined || waiting === undefined) return;
      waitingBackups.set(waitingKey, {
        text: waiting,
        cancel: () => {
          abortController.abort();
        },
      });
    };
    const result = await call(this.#name, request, { onProgress, signal: abortController.signal });
    if (waitingKey !== undefined) waitingBackups.delete(waitingKey);
    if (this.#abortController !== abortController) return null;
    this.#abortController = null;
    this.busy = false;
    this.progress = null;
    if (result.ok) this.value = result.value;
    else if (result.error.code !== 'cancelled') this.error = result.error;
    return !result.ok && result.error.code === 'cancelled' ? null : result;
  }

  /** Cancels the pending call, whose `run` then returns null. The previous reply stays. */
  cancel(): void {
    this.#abortController?.abort();
  }

  clear(): void {
    this.#abortController?.abort();
    this.#abortController = null;
    this.busy = false;
    this.progress = null;
    this.value = null;
    this.error = null;
  }
}
