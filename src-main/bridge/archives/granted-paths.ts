/**
 * @file The paths that one window may use. A user grants a path by a dialog, a drop or an upload. The app adds files
 * that it saved.
 */
import { isAbsolute } from 'node:path';

/**
 * A `file` may be read, a `folder` written to, a `certificate` used only as one, a `program` run, and `passports`
 * downloaded.
 */
export type GrantedUse = 'file' | 'folder' | 'certificate' | 'program' | 'passports';

/** The paths that one caller may use, and whether it may choose hooks. */
export interface PathGrants {
  grant(path: string, as: GrantedUse): void;
  /** Returns whether exactly this path was given for this use. */
  isGranted(path: string, as: GrantedUse): boolean;
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
const maxAtOnce = 10_000;

export class GrantedPaths implements PathGrants {
  readonly mayChooseHooks: boolean;
  readonly #given = new Set<string>();

  constructor({ mayChooseHooks = false } = {}) {
    this.mayChooseHooks = mayChooseHooks;
  }

  /** Ignores relative paths: dialogs and drops give absolute paths only. */
  grant(path: string, as: GrantedUse): void {
    if (!isAbsolute(path)) return;
    const [oldest] = this.#given;
    if (this.#given.size >= maxAtOnce && oldest !== undefined) this.#given.delete(oldest);
    this.#given.add(`${as} ${path}`);
  }

  isGranted(path: string, as: GrantedUse): boolean {
    return this.#given.has(`${as} ${path}`);
  }
}
