/** @file The host's actions that the handlers of calls use. Type only. */
import type { Capabilities, pathKinds } from '../../../src-contract/host.ts';

/**
 * Actions of the host for the window. An action without its capability rejects with `host-cannot`. The caller has
 * checked the arguments: a path belongs to a stored archive, a URL to a registered instance or the documentation.
 */
export interface HostActions {
  /** Without `keychain` and `handOverTokens`, which are checked elsewhere, in the same way for every host. */
  capabilities: Omit<Capabilities, 'keychain' | 'handOverTokens'>;
  /** Returns an absolute path, or null if the user cancelled. */
  choosePath(kind: (typeof pathKinds)[number]): Promise<string | null>;
  reveal(absolutePath: string): Promise<void>;
  openLink(url: string): Promise<void>;
  /** Absent on hosts that cannot start at login. */
  setStartAtLogin?(enabled: boolean): Promise<void>;
}
