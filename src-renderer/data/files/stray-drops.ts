/** @file Keeps a browser from opening a file that is dropped outside a drop zone, which would replace the window. */

/** Takes effect at once. Drop zones prevent the default themselves, before the event bubbles up to `target`. */
export function refuseDroppedFiles(target: Document): void {
  for (const type of ['dragover', 'drop'] as const) {
    target.addEventListener(type, (event) => {
      if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    });
  }
}
