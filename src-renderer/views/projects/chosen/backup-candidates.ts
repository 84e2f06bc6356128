/** @file The part of a project's row that a backup needs, and functions to combine selected projects. */
import type { ProjectRow } from '../../../../src-contract/projects/project.ts';

export type BackupCandidate = Pick<
  ProjectRow,
  'instance' | 'id' | 'fullPath' | 'backupStatus' | 'accessLevel'
>;

export const keyOf = ({ instance, id }: Pick<BackupCandidate, 'instance' | 'id'>): string =>
  `${instance} ${id}`;

/** Removes duplicates: a list that changes while it is read may return a row on two pages. */
export const distinct = <Row extends BackupCandidate>(candidates: readonly Row[]): Row[] => [
  ...new Map(candidates.map((candidate) => [keyOf(candidate), candidate])).values(),
];

export const groupByInstance = (
  candidates: readonly BackupCandidate[],
): [instance: string, candidates: BackupCandidate[]][] => [
  ...Map.groupBy(candidates, ({ instance }) => instance),
];

/** Remembers rows that were loaded once, so that a selected row is known after its page was dropped. */
export class RememberedCandidates {
  readonly #candidates = new Map<string, BackupCandidate>();
  readonly #maxRemembered: number;
  readonly #keep: (key: string) => boolean;

  /** If there are more than `maxRemembered` rows, only rows that `keep` accepts are remembered. */
  constructor(keep: (key: string) => boolean, maxRemembered = 5000) {
    this.#keep = keep;
    this.#maxRemembered = maxRemembered;
  }

  add(rows: readonly ProjectRow[]): void {
    for (const row of rows) this.#candidates.set(keyOf(row), row);
    if (this.#candidates.size <= this.#maxRemembered) return;
    for (const key of this.#candidates.keys()) if (!this.#keep(key)) this.#candidates.delete(key);
  }

  candidatesOf(keys: Iterable<string>): BackupCandidate[] {
    return [...keys].flatMap((key) => this.#candidates.get(key) ?? []);
  }
}
