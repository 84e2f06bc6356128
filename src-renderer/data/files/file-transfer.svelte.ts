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
  activeTransfer = $state.raw<{ name: string; progress: Progress } | null>(null);
  error = $state.raw<ErrorData | null>(null);
  #abortController: AbortController | null = null;

  /** Returns null if the transfer failed, was cancelled, or another one is in progress. */
  async transferFile(file: File): Promise<TransferredFile | null> {
    if (this.activeTransfer !== null) return null;
    this.error = null;
    const onProgress = (done: number, total: number): void => {
      this.activeTransfer = { name: file.name, progress: { step: 'take', unit: 'bytes', done, total } };
    };
    onProgress(0, file.size);
    this.#abortController = new AbortController();
    const result = await createFileReference(file, { onProgress, signal: this.#abortController.signal });
    this.activeTransfer = null;
    if (result.ok) return { reference: result.value, name: file.name };
    if (result.error.code !== 'cancelled') this.error = result.error;
    return null;
  }

  cancelTransfer(): void {
    this.#abortController?.abort();
  }
}
