/** @file A call that a person starts, watches and may give up: its progress, its answer or its error. */
import { onDestroy } from 'svelte';
import type { CallName } from '../../../src-contract/call-names.ts';
import type { CallReply, CallRequest, Result } from '../../../src-contract/calls.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { Progress } from '../../../src-contract/job.ts';
import { call } from '../../client.ts';
import { waitingStarts } from './waiting-starts.svelte.ts';

/** Make it while a component is set up: leaving the view gives the call up, unless `keep` says that it goes on. */
export class LongCall<Name extends CallName> {
  busy = $state(false);
  progress = $state.raw<Progress | null>(null);
  value = $state.raw<CallReply<Name> | null>(null);
  /** A call that was given up is no error. */
  error = $state.raw<ErrorData | null>(null);

  readonly #name: Name;
  #underWay: AbortController | null = null;

  constructor(name: Name, options: { keep?: boolean } = {}) {
    this.#name = name;
    onDestroy(() => {
      if (options.keep !== true) this.#underWay?.abort();
    });
  }

  /**
   * Calls, and gives up the call before if that has no answer yet. Returns the answer, or null if this call was given up meanwhile.
   * @param start the key in `waitingStarts` under which it is shown that the call waits until an instance answers.
   */
  async run(request: CallRequest<Name>, start?: string): Promise<Result<CallReply<Name>> | null> {
    this.#underWay?.abort();
    const underWay = new AbortController();
    this.#underWay = underWay;
    this.busy = true;
    this.progress = null;
    this.error = null;
    const onProgress = (progress: Progress): void => {
      if (this.#underWay !== underWay) return;
      this.progress = progress;
      const { waiting } = progress;
      if (start === undefined || waiting === undefined) return;
      waitingStarts.set(start, {
        text: waiting,
        cancel: () => {
          underWay.abort();
        },
      });
    };
    const result = await call(this.#name, request, { onProgress, signal: underWay.signal });
    if (start !== undefined) waitingStarts.delete(start);
    if (this.#underWay !== underWay) return null;
    this.#underWay = null;
    this.busy = false;
    this.progress = null;
    if (result.ok) this.value = result.value;
    else if (result.error.code !== 'cancelled') this.error = result.error;
    return !result.ok && result.error.code === 'cancelled' ? null : result;
  }

  /** The call answers `cancelled`; what was shown before stays. */
  cancel(): void {
    this.#underWay?.abort();
  }

  /** Forgets answer and error. */
  clear(): void {
    this.#underWay?.abort();
    this.#underWay = null;
    this.busy = false;
    this.progress = null;
    this.value = null;
    this.error = null;
  }
}
