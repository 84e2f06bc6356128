/**
 * @file The paths that one window may use. A user grants a path by a dialog, a drop or an upload. The app adds files
 * that it saved.
 */
import { isAbsolute } from 'node:path';

/**
 * `file`: may be read; `folder`: written to; `certificate`: used as a certificate only; `program`: run as a hook;
 * `passports`: downloaded.
 */
export type GrantedUse = 'file' | 'folder' | 'certificate' | 'program' | 'passports';

/** The paths that one caller may use, and whether it may choose hooks. */
export interface PathGrants {
  grant(path: string, use: GrantedUse): void;
  /** Returns whether exactly this path was given for this use. */
  isGranted(path: string, use: GrantedUse): boolean;
  /** True if the caller may choose the programs that plans run. A page served over a network may not. */
  readonly mayChooseHooks: boolean;
}

/** Allows every path: a user of the command line names paths directly. */
export const commandLinePaths: PathGrants = {
  grant: () => undefined,
  isGranted: () => true,
  mayChooseHooks: true,
};

/** Limits the memory of one window. At the limit, the oldest path is dropped. */
const maxGrants = 10_000;

export class GrantedPaths implements PathGrants {
  readonly mayChooseHooks: boolean;
  readonly #grants = new Set<string>();

  constructor({ mayChooseHooks = false } = {}) {
    this.mayChooseHooks = mayChooseHooks;
  }

  /** Ignores relative paths: dialogs and drops give absolute paths only. */
  grant(path: string, use: GrantedUse): void {
    if (!isAbsolute(path)) return;
    const [oldest] = this.#grants;
    if (this.#grants.size >= maxGrants && oldest !== undefined) this.#grants.delete(oldest);
    this.#grants.add(`${use} ${path}`);
  }

  isGranted(path: string, use: GrantedUse): boolean {
    return this.#grants.has(`${use} ${path}`);
  }
}
