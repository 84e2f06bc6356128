/** @file Projects that were selected: as much of a row as a backup of it needs, and how they are put together. */
import type { ProjectRow } from '../../../../src-contract/projects/project.ts';

export type Target = Pick<ProjectRow, 'instance' | 'id' | 'fullPath' | 'standing' | 'accessLevel'>;

export const keyOf = ({ instance, id }: Pick<Target, 'instance' | 'id'>): string => `${instance} ${id}`;

/** A list that is renewed while it is read may show a row on two pages. */
export function distinct<Row extends Target>(targets: readonly Row[]): Row[] {
  return [...new Map(targets.map((target) => [keyOf(target), target])).values()];
}

/** By instance, in the order in which they first appear. */
export function byInstance(targets: readonly Target[]): [instance: string, targets: Target[]][] {
  return [...Map.groupBy(targets, ({ instance }) => instance)];
}

/** Rows that were loaded once, so that a selected one is known when its page has been let go. */
export class RememberedTargets {
  readonly #targets = new Map<string, Target>();
  readonly #most: number;
  readonly #keep: (key: string) => boolean;

  /** Beyond `most`, only those go on being remembered that `keep` wants. */
  constructor(keep: (key: string) => boolean, most = 5000) {
    this.#keep = keep;
    this.#most = most;
  }

  add(rows: readonly ProjectRow[]): void {
    for (const row of rows) this.#targets.set(keyOf(row), row);
    if (this.#targets.size <= this.#most) return;
    for (const key of this.#targets.keys()) if (!this.#keep(key)) this.#targets.delete(key);
  }

  of(keys: Iterable<string>): Target[] {
    return [...keys].flatMap((key) => this.#targets.get(key) ?? []);
  }
}
