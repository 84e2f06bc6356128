/** @file Opens an archive file from anywhere in the window, and shows it in the view of archives. */
import { FileTransfer } from './file-transfer.svelte.ts';
import { host } from '../host.svelte.ts';
import { router } from '../places/router.svelte.ts';

/** File types that the page's own file dialog offers first. */
export const archiveFileTypes = '.gz,.tgz,application/gzip';

class ArchiveOpener {
  /** The view of archives shows the progress and the error. */
  readonly transfer = new FileTransfer();

  /**
   * Uses the system's file dialog if the host has one, else the page's own. Browsers open a file dialog only on a
   * user action.
   */
  async open(): Promise<void> {
    if (this.transfer.activeTransfer !== null) return;
    this.transfer.error = null;
    const choose = host.choosePath;
    if (choose !== undefined) {
      const path = await choose('archive');
      if (path !== null) this.show(path);
      return;
    }
    const file = await chooseFile();
    if (file === null) return;
    if (router.view !== 'archives') router.go('archives');
    const transferred = await this.transfer.transferFile(file);
    if (transferred !== null) this.show(transferred.reference);
  }

  show(reference: string): void {
    this.transfer.error = null;
    router.go('archives', { file: reference });
  }
}

function chooseFile(): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = archiveFileTypes;
    input.hidden = true;
    const end = (): void => {
      input.remove();
      resolve(input.files?.[0] ?? null);
    };
    input.addEventListener('change', end);
    input.addEventListener('cancel', end);
    // A browser may discard the file chosen in an input that is not in the document.
    document.body.append(input);
    input.click();
  });
}

export const archiveOpener = new ArchiveOpener();
