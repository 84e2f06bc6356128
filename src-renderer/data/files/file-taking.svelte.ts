/** @file Passes one file from the page to the machine where the app runs. */
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import { createFileReference } from '../../client.ts';

export interface TransferredFile {
  /** The reference that calls about archives accept for the file. */
  reference: string;
  name: string;
}

export class FileTransfer {
  taking = $state.raw<{ name: string; progress: Progress } | null>(null);
  error = $state.raw<ErrorData | null>(null);
  #giveUp: AbortController | null = null;

  /** Returns null if the transfer failed, was cancelled, or another one is in progress. */
  async transferFile(file: File): Promise<TransferredFile | null> {
    if (this.taking !== null) return null;
    this.error = null;
    const show = (done: number, total: number): void => {
      this.taking = { name: file.name, progress: { step: 'take', unit: 'bytes', done, total } };
    };
    show(0, file.size);
    this.#giveUp = new AbortController();
    const result = await createFileReference(file, { onProgress: show, signal: this.#giveUp.signal });
    this.taking = null;
    if (result.ok) return { reference: result.value, name: file.name };
    if (result.error.code !== 'cancelled') this.error = result.error;
    return null;
  }

  cancelTransfer(): void {
    this.#giveUp?.abort();
  }
}
