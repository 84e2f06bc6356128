import { isRef, listedRelations, type RefRelation } from '../../../../../src-contract/relations.ts';
import { joinNames } from '../../../../../src-contract/transfers/relation-members.ts';
import type { MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { ComparisonHistory } from '../comparison-history.ts';
import { lostPartKey } from '../losses/loss-key.ts';
import type { ArchivedRecord, RecordIdentity, ListedRecord } from '../losses/naming-losses.ts';

const refRelations = listedRelations.filter(isRef);

export interface RefSides extends ComparisonHistory {
  source: Readonly<Record<RefRelation, readonly ListedRecord[] | null>> | null;
  archive: Readonly<Record<RefRelation, readonly ArchivedRecord[]>>;
  target: Readonly<Record<RefRelation, readonly ListedRecord[] | null>>;
  /** Epoch milliseconds. A later commit may have been pushed after the export. */
  exportedAt: number;
  /** True if the source was edited, or may have been edited, after its export began. */
  hasSourceChanged: boolean;
}

/**
 * Compares the commits of refs. A source that was not edited after the export shows the refs of the export. A commit of the
 * target that is newer than the export may have been pushed there. Committers choose the times of commits, so a newer time
 * proves nothing. An older one proves a loss only shortly after the import, because branches can be reset later. A known loss
 * stays one, with its earlier values, until the target has the expected commit: a list does not show whether a newer commit
 * contains it.
 */
export function compareRefs(sides: RefSides): { missing: MissingRecord[]; declared: string[] } {
  const missing: MissingRecord[] = [];
  const movedOnSource: string[] = [];
  const movedOnTarget: string[] = [];
  const known = new Map(sides.knownLosses.map((loss) => [lostPartKey(loss), loss]));
  for (const relation of refRelations) {
    const archive = sides.archive[relation];
    const targetPairs = pairRecords(archive, sides.target[relation]).filter(differs);
    for (const { archived, found } of targetPairs) {
      const loss = toMissingRef(relation, 'on-import', archived, archived, found);
      const isCertain = sides.isPrompt && (found.committedAt ?? 0) < sides.exportedAt;
      const knownLoss = known.get(lostPartKey(loss));
      if (isCertain || knownLoss !== undefined) missing.push(isCertain ? loss : (knownLoss ?? loss));
      else movedOnTarget.push(describeRef(archived, found));
    }
    const sourcePairs = pairRecords(archive, sides.source?.[relation] ?? null).filter(differs);
    const onTarget = new Map(sides.target[relation]?.map((record) => [record.key, record]));
    for (const { archived, found } of sourcePairs) {
      const repaired = onTarget.get(archived.key);
      if (repaired !== undefined && hasSameCommit(found, repaired)) continue;
      const loss = toMissingRef(relation, 'on-export', archived, found, archived);
      const knownLoss = known.get(lostPartKey(loss));
      if (repaired !== undefined && hasExpectedCommit(knownLoss, repaired)) continue;
      if (!sides.hasSourceChanged || knownLoss !== undefined) missing.push(knownLoss ?? loss);
      else movedOnSource.push(describeRef(archived, found));
    }
  }
  return {
    missing,
    declared: [
      ...describeMoved('source', 'export', movedOnSource),
      ...describeMoved('target', 'import', movedOnTarget),
    ],
  };
}

const describeRef = (archived: ArchivedRecord, found: ListedRecord): string =>
  `${archived.title ?? ''} (${shortSha(found)}, in the archive ${shortSha(archived)})`;

const describeMoved = (side: string, moment: string, refs: readonly string[]): string[] =>
  refs.length === 0
    ? []
    : [
        `These refs have other commits on the ${side} than in the archive. They may have moved after the ${moment}: ${joinNames(refs)}.`,
      ];

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

const differs = ({ archived, found }: Pair): boolean =>
  hasKnownCommit(archived) && hasKnownCommit(found) && !hasSameCommit(archived, found);

const hasKnownCommit = ({ shas = [] }: RecordIdentity): boolean => shas.length > 0;

type Commits = Pick<RecordIdentity, 'shas'>;

/**
 * Returns whether two refs are known to be at the same commit. An annotated tag is identified by its own object and by the
 * commit that it points to.
 */
export const hasSameCommit = ({ shas = [] }: Commits, { shas: others = [] }: Commits): boolean =>
  shas.some((sha) => others.includes(sha));

/** Returns whether a ref is at the commit that the earlier comparison expected, and stored in a shortened form. */
export function hasExpectedCommit(
  known: Pick<MissingRecord, 'part'> | undefined,
  { shas = [] }: Commits,
): boolean {
  const { part = null } = known ?? {};
  if (part === null || !('values' in part) || part.values.expected === '') return false;
  const { expected } = part.values;
  return shas.some((sha) => sha.startsWith(expected));
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
