/** @file A file that is dropped where nothing takes it must not take the window's place: browsers would open it. */

/** From now on; whoever takes files prevents the default itself, closer to the pointer. */
export function refuseStrayDrops(target: Document): void {
  for (const type of ['dragover', 'drop'] as const) {
    target.addEventListener(type, (event) => {
      if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    });
  }
}
