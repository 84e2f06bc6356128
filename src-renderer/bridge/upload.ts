/** @file Uploads a file of the page to the machine where the app runs, and returns the path of the copy. */
import { AppError, type ErrorData } from '../../src-contract/errors.ts';

/** @returns the path of the copy. Rejects with an `AppError`: `cancelled`, `disk-full`, `page-disconnected` … */
export async function uploadFile(
  file: File,
  onProgress: (done: number, total: number) => void,
  signal?: AbortSignal,
): Promise<string> {
  await checkReadable(file);
  // fetch reports no upload progress.
  return new Promise((resolve, reject: (reason: AppError) => void) => {
    const request = new XMLHttpRequest();
    const abort = (): void => {
      request.abort();
    };
    request.open('POST', `/upload?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded }) => {
      onProgress(loaded, file.size);
    };
    request.onload = () => {
      const reply = parseReply(request.responseText);
      if (request.status === 200 && reply?.path !== undefined) resolve(reply.path);
      else if (reply?.error !== undefined) reject(AppError.fromData(reply.error));
      else reject(new AppError('page-disconnected', `The host refused the file (HTTP ${request.status}).`));
    };
    request.onerror = () => {
      reject(new AppError('page-disconnected', 'The connection was lost while the file was sent.'));
    };
    request.onabort = () => {
      reject(new AppError('cancelled', 'The upload was cancelled.'));
    };
    request.onloadend = () => {
      signal?.removeEventListener('abort', abort);
    };
    signal?.addEventListener('abort', abort, { once: true });
    request.send(file);
    if (signal?.aborted === true) abort();
  });
}

/** A dropped folder and a deleted or locked file look like readable files until they are read. */
async function checkReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new AppError('archive-missing', `${file.name} cannot be read.`, { cause });
  }
}

function parseReply(text: string): { path?: string; error?: ErrorData } | null {
  try {
    return JSON.parse(text) as { path?: string; error?: ErrorData };
  } catch {
    return null;
  }
}
