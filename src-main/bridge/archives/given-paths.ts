/** @file The paths that one window may use: people give them by a dialog, a drop or an upload; saved files are added. */
import { isAbsolute } from 'node:path';

/** A `folder` may be written to; a `certificate` is for that alone; a `program` may be run; `passports` may be downloaded. */
export type GivenAs = 'file' | 'folder' | 'certificate' | 'program' | 'passports';

/** A caller, as far as the paths in its calls go. */
export interface PathHolder {
  give(path: string, as: GivenAs): void;
  /** Whether exactly this path was given for that use. */
  holds(path: string, as: GivenAs): boolean;
  /** Whether the caller may choose the programs that are run: a page that comes over a network may not. */
  readonly mayChooseHooks: boolean;
}

/** A person who types commands names paths of their own. */
export const commandLinePaths: PathHolder = {
  give: () => undefined,
  holds: () => true,
  mayChooseHooks: true,
};

/** Limits the memory of a window that is given paths again and again; the oldest is forgotten. */
const maxAtOnce = 10_000;

export class GivenPaths implements PathHolder {
  readonly mayChooseHooks: boolean;
  readonly #given = new Set<string>();

  constructor({ mayChooseHooks = false } = {}) {
    this.mayChooseHooks = mayChooseHooks;
  }

  /** Dialogs and drops give absolute paths only; any other is left out. */
  give(path: string, as: GivenAs): void {
    if (!isAbsolute(path)) return;
    const [oldest] = this.#given;
    if (this.#given.size >= maxAtOnce && oldest !== undefined) this.#given.delete(oldest);
    this.#given.add(`${as} ${path}`);
  }

  holds(path: string, as: GivenAs): boolean {
    return this.#given.has(`${as} ${path}`);
  }
}
