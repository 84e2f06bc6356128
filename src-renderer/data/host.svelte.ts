/** @file The capabilities of the host of this window; the window offers nothing that the host cannot do. */
import type { Capabilities, pathKinds } from '../../src-contract/host.ts';
import { call } from '../client.ts';
import { toasts } from './toasts.svelte.ts';
import { errorText } from '../../src-contract/error-messages.ts';

class Host {
  capabilities = $state.raw<Capabilities | null>(null);

  async load(): Promise<void> {
    const result = await call('host.capabilities', {});
    if (result.ok) this.capabilities = result.value;
  }

  /**
   * True if a dropped or chosen file is copied to the machine where the app runs, and kept there until the app stops.
   */
  get copiesFiles(): boolean {
    return this.capabilities?.host === 'browser';
  }

  /** Opens a dialog of the system; undefined if there is none. Returns null if nothing was chosen. */
  get choosePath(): ((what: (typeof pathKinds)[number]) => Promise<string | null>) | undefined {
    if (this.capabilities?.choosePath !== true) return undefined;
    return async (what) => {
      const result = await call('host.choosePath', { what });
      if (!result.ok) toasts.show('bad', errorText(result.error).what);
      return result.ok ? result.value.path : null;
    };
  }

  /** Opens a page of an instance: through the host if the host can open it, else like a link of this page. */
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
