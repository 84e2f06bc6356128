import { isRef, listedRelations, type RefRelation } from '../../../../src-contract/relations.ts';
import { firstNames } from '../../../../src-contract/transfers/relation-members.ts';
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type { ArchivedRecord, RecordIdentity, ListedRecord } from './naming-losses.ts';

const refRelations = listedRelations.filter(isRef);

export interface RefSides {
  source: Readonly<Record<RefRelation, readonly ListedRecord[] | null>> | null;
  archive: Readonly<Record<RefRelation, readonly ArchivedRecord[]>>;
  target: Readonly<Record<RefRelation, readonly ListedRecord[] | null>>;
  /** Epoch milliseconds. A later commit was pushed after the export. */
  exportedAt: number;
  /** True if the source was edited, or may have been edited, after its export began. */
  hasSourceChanged: boolean;
}

/**
 * Compares the commits of refs. If the commit of a ref is newer than the export, it was pushed later and is no loss.
 */
export function compareRefs(sides: RefSides): { missing: MissingRecord[]; declared: string[] } {
  const missing: MissingRecord[] = [];
  const doubtful: string[] = [];
  for (const relation of refRelations) {
    const archive = sides.archive[relation];
    const onTarget = pairs(archive, sides.target[relation]).filter((pair) => differs(pair, sides.exportedAt));
    missing.push(...onTarget.map(({ held, found }) => moved(relation, 'on-import', held, held, found)));
    const onSource = pairs(archive, sides.source?.[relation] ?? null).filter((pair) =>
      differs(pair, sides.exportedAt),
    );
    if (sides.hasSourceChanged) doubtful.push(...onSource.map(({ held }) => held.title ?? ''));
    else missing.push(...onSource.map(({ held, found }) => moved(relation, 'on-export', held, found, held)));
  }
  const about = `These refs have other commits on the source than in the archive. They may have moved after the export: ${firstNames(doubtful)}.`;
  return { missing, declared: doubtful.length === 0 ? [] : [about] };
}

interface Pair {
  held: ArchivedRecord;
  found: ListedRecord;
}

function pairs(archive: readonly ArchivedRecord[], listed: readonly ListedRecord[] | null): Pair[] {
  const there = new Map(listed?.map((record) => [record.key, record]));
  return archive.flatMap((held) => {
    const found = there.get(held.key);
    return found === undefined ? [] : [{ held, found }];
  });
}

/** An annotated tag is identified by its own object and by the commit that it points to. */
function differs({ held, found }: Pair, exportedAt: number): boolean {
  const [before, now] = [held.shas ?? [], found.shas ?? []];
  if (before.length === 0 || now.length === 0 || before.some((sha) => now.includes(sha))) return false;
  return found.committedAt === undefined || found.committedAt === null || found.committedAt < exportedAt;
}

function moved(
  relation: RefRelation,
  lost: MissingRecord['lost'],
  { line, title, iid }: ArchivedRecord,
  before: RecordIdentity,
  now: RecordIdentity,
): MissingRecord {
  const name = `commit ${short(before)}, now ${short(now)}`;
  return { relation, lost, line, iid, title, part: { name, expected: 1, found: 0 } };
}

const short = ({ shas = [] }: RecordIdentity): string => (shas[0] ?? '').slice(0, 8);
