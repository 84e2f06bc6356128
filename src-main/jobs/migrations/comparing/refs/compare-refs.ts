import { isRef, listedRelations, type RefRelation } from '../../../../../src-contract/relations.ts';
import { joinNames } from '../../../../../src-contract/transfers/relation-members.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { ArchivedRecord, RecordIdentity, ListedRecord } from '../losses/naming-losses.ts';

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
  const possiblyMoved: string[] = [];
  for (const relation of refRelations) {
    const archive = sides.archive[relation];
    const targetPairs = pairRecords(archive, sides.target[relation]).filter((pair) =>
      differs(pair, sides.exportedAt),
    );
    missing.push(
      ...targetPairs.map(({ archived, found }) =>
        toMissingRef(relation, 'on-import', archived, archived, found),
      ),
    );
    const sourcePairs = pairRecords(archive, sides.source?.[relation] ?? null).filter((pair) =>
      differs(pair, sides.exportedAt),
    );
    if (sides.hasSourceChanged)
      possiblyMoved.push(...sourcePairs.map(({ archived }) => archived.title ?? ''));
    else
      missing.push(
        ...sourcePairs.map(({ archived, found }) =>
          toMissingRef(relation, 'on-export', archived, found, archived),
        ),
      );
  }
  const message = `These refs have other commits on the source than in the archive. They may have moved after the export: ${joinNames(possiblyMoved)}.`;
  return { missing, declared: possiblyMoved.length === 0 ? [] : [message] };
}

interface Pair {
  archived: ArchivedRecord;
  found: ListedRecord;
}

function pairRecords(archive: readonly ArchivedRecord[], listed: readonly ListedRecord[] | null): Pair[] {
  const listedByKey = new Map(listed?.map((record) => [record.key, record]));
  return archive.flatMap((archived) => {
    const found = listedByKey.get(archived.key);
    return found === undefined ? [] : [{ archived, found }];
  });
}

/** An annotated tag is identified by its own object and by the commit that it points to. */
function differs({ archived, found }: Pair, exportedAt: number): boolean {
  const [archivedShas, listedShas] = [archived.shas ?? [], found.shas ?? []];
  if (
    archivedShas.length === 0 ||
    listedShas.length === 0 ||
    archivedShas.some((sha) => listedShas.includes(sha))
  )
    return false;
  return found.committedAt === undefined || found.committedAt === null || found.committedAt < exportedAt;
}

function toMissingRef(
  relation: RefRelation,
  lost: MissingRecord['lost'],
  { line, title, iid }: ArchivedRecord,
  oldRef: RecordIdentity,
  newRef: RecordIdentity,
): MissingRecord {
  const values = { expected: shortSha(oldRef), found: shortSha(newRef) };
  return { relation, lost, line, iid, title, part: { name: 'commit', values } };
}

const shortSha = ({ shas = [] }: RecordIdentity): string => (shas[0] ?? '').slice(0, 8);
