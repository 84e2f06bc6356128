/** @file One file on its way from the page to where the app reads it. */
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { Progress } from '../../../src-contract/job.ts';
import { fileReference } from '../../client.ts';

export interface TakenFile {
  /** What calls about archives take for it. */
  reference: string;
  /** What to show for it. */
  name: string;
}

export class FileTaking {
  /** Null: none is under way. */
  taking = $state.raw<{ name: string; progress: Progress } | null>(null);
  /** Why the last one could not be taken. */
  error = $state.raw<ErrorData | null>(null);
  #giveUp: AbortController | null = null;

  /** Null: it failed, was given up, or another one is under way. */
  async take(file: File): Promise<TakenFile | null> {
    if (this.taking !== null) return null;
    this.error = null;
    const show = (done: number, total: number): void => {
      this.taking = { name: file.name, progress: { step: 'take', unit: 'bytes', done, total } };
    };
    show(0, file.size);
    this.#giveUp = new AbortController();
    const result = await fileReference(file, { onProgress: show, signal: this.#giveUp.signal });
    this.taking = null;
    if (result.ok) return { reference: result.value, name: file.name };
    if (result.error.code !== 'cancelled') this.error = result.error;
    return null;
  }

  giveUp(): void {
    this.#giveUp?.abort();
  }
}
