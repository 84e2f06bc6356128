/** @file What the host of this window can do; what it cannot do is not offered. */
import type { Capabilities, chosenPaths } from '../../src-contract/host.ts';
import { call } from '../client.ts';
import { toasts } from './toasts.svelte.ts';
import { errorText } from '../../src-contract/error-messages.ts';

class Host {
  /** Null until it has answered: nothing special is offered. */
  capabilities = $state.raw<Capabilities | null>(null);

  async load(): Promise<void> {
    const result = await call('host.capabilities', {});
    if (result.ok) this.capabilities = result.value;
  }

  /** A file that is dropped or chosen in the page is copied to where the app runs, and stays there until it stops. */
  get copiesFiles(): boolean {
    return this.capabilities?.host === 'browser';
  }

  /** A dialog of the system; undefined where there is none. Null: nothing was chosen. */
  get choosePath(): ((what: (typeof chosenPaths)[number]) => Promise<string | null>) | undefined {
    if (this.capabilities?.choosePath !== true) return undefined;
    return async (what) => {
      const result = await call('host.choosePath', { what });
      if (!result.ok) toasts.show('bad', errorText(result.error).what);
      return result.ok ? result.value.path : null;
    };
  }

  /** Opens a page of an instance: by the host where it can, else as a link of this page does. */
  async openLink(url: string): Promise<void> {
    if (this.capabilities?.openLink === true) {
      const result = await call('host.openLink', { url });
      if (!result.ok) toasts.show('bad', errorText(result.error).what);
    } else if (/^https?:\/\//.test(url)) {
      window.open(url, '_blank', 'noopener,noreferrer');
    }
  }
}

export const host = new Host();
