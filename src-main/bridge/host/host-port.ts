/** @file The host as the calls about it need it. Type only. */
import type { Capabilities, chosenPaths } from '../../../src-contract/host.ts';

/**
 * Actions of the host for the window; one without its capability rejects with `host-cannot`. Arguments were checked: a path
 * is of a stored archive, a URL of a registered instance or the documentation.
 */
export interface HostPort {
  /** Keychain and recipient of new tokens are checked elsewhere, alike for every host. */
  capabilities: Omit<Capabilities, 'keychain' | 'handOverTokens'>;
  /** An absolute path, or null when the person chose nothing. */
  choosePath(what: (typeof chosenPaths)[number]): Promise<string | null>;
  reveal(absolutePath: string): Promise<void>;
  openLink(url: string): Promise<void>;
  /** Left out by hosts that do not start by themselves. */
  setStartAtLogin?(on: boolean): Promise<void>;
}
