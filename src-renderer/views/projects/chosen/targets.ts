/** @file The part of a project's row that a backup needs, and functions to combine selected projects. */
import type { ProjectRow } from '../../../../src-contract/projects/project.ts';

export type Target = Pick<ProjectRow, 'instance' | 'id' | 'fullPath' | 'backupStatus' | 'accessLevel'>;

export const keyOf = ({ instance, id }: Pick<Target, 'instance' | 'id'>): string => `${instance} ${id}`;

/** Removes duplicates: a list that changes while it is read may return a row on two pages. */
export const distinct = <Row extends Target>(targets: readonly Row[]): Row[] => [
  ...new Map(targets.map((target) => [keyOf(target), target])).values(),
];

export const byInstance = (targets: readonly Target[]): [instance: string, targets: Target[]][] => [
  ...Map.groupBy(targets, ({ instance }) => instance),
];

/** Remembers rows that were loaded once, so that a selected row is known after its page was dropped. */
export class RememberedTargets {
  readonly #targets = new Map<string, Target>();
  readonly #most: number;
  readonly #keep: (key: string) => boolean;

  /** If there are more than `most` rows, only rows that `keep` accepts are remembered. */
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
