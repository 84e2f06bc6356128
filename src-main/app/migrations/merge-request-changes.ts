/**
 * @file Whether the changes of merge requests came along: of those that an archive holds with changes the target is asked, of those
 * that it holds without any the source. No list tells it, so it is a request for each, and of many only some are asked.
 */
import type { MissingRecord } from '../../../src-preload/contract/import.ts';
import type { ArchivedRecord, Identified } from '../../jobs/migrations/naming-losses.ts';

/** Requests of one comparison, on either side. */
const mostAsked = 20;

export interface ChangesSide {
  /** Its merge requests; null where they may not be listed. */
  listed: readonly Identified[] | null;
  /** Files that one changes, as GitLab words it; null where it tells none. */
  count(iid: number): Promise<string | null>;
}

interface ArchivedChanges {
  records: readonly ArchivedRecord[];
  /** Files that a merge request changes, by its line; none: 0. */
  files: ReadonlyMap<number, number>;
  /** Whether GitLab put down for that record how many they are: where it did not, an import has nothing to tell. */
  isTold(line: number): Promise<boolean>;
}

/** @param exportedAt epoch milliseconds: what was touched on the source since accuses nobody. @param source null: not asked. */
export async function comparedChanges(
  source: ChangesSide | null,
  archive: ArchivedChanges,
  target: ChangesSide,
  exportedAt: number,
): Promise<{ missing: MissingRecord[]; declared: string[] }> {
  const filesOf = ({ line }: ArchivedRecord): number => archive.files.get(line) ?? 0;
  const missing: MissingRecord[] = [];
  const lost = (record: ArchivedRecord, side: MissingRecord['lost'], expected: number): void => {
    const { iid, title, line } = record;
    const part = { name: 'changes', expected, found: 0 };
    missing.push({ relation: 'merge_requests', lost: side, line, iid, title, part });
  };

  const arrived = byIid(target.listed);
  const changing = archive.records.filter(
    ({ line, iid }) => archive.files.has(line) && arrived.has(iid ?? -1),
  );
  for (const record of some(changing)) {
    if ((await target.count(record.iid ?? 0)) !== null || !(await archive.isTold(record.line))) continue;
    lost(record, 'on-import', filesOf(record));
  }
  const before = byIid(source?.listed ?? null);
  const empty = archive.records.filter(({ line, iid }) => {
    const updatedAt = before.get(iid ?? -1)?.updatedAt ?? null;
    return !archive.files.has(line) && updatedAt !== null && updatedAt < exportedAt;
  });
  for (const record of some(empty)) {
    const count = parseInt((await source?.count(record.iid ?? 0)) ?? '0');
    if (count > 0) lost(record, 'on-export', count);
  }

  const unasked = Math.max(0, changing.length - mostAsked) + Math.max(0, empty.length - mostAsked);
  const declared =
    unasked === 0
      ? []
      : [
          `Whether a merge request kept its changes was asked of ${mostAsked} at most on either side; ${unasked} more were not asked.`,
        ];
  return { missing, declared };
}

function byIid(listed: readonly Identified[] | null): Map<number, Identified> {
  return new Map(
    (listed ?? []).flatMap((record) => (record.iid === null ? [] : [[record.iid, record] as const])),
  );
}

/** From the first to the last, as far apart as they can be. */
function some<T>(records: readonly T[]): T[] {
  const step = Math.max(1, records.length / mostAsked);
  return records.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}
