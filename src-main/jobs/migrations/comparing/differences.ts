/**
 * @file The differences that a comparison found, and how much of each was accepted. A difference is identified by
 * relation, side and name; an acceptance covers the number missing at that time. Pure.
 */
import { relationOfNoteRow } from '../../../../src-contract/relations.ts';
import { gravestFirst, isGraveRecord, isGraveSetting } from '../../../../src-contract/transfers/gravity.ts';
import { createHash } from 'node:crypto';
import {
  missingRecordText,
  settingDifferenceText,
  unnamedText,
} from '../../../../src-contract/words/differences.ts';
import type { Comparison, MissingRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import { lfsObjects } from './lfs-objects.ts';
import { lfsSize } from './three-way-comparison.ts';
import type { StoredAcceptance } from '../../../catalogue/migrations/accepted-differences.ts';
import type { StoredFailure } from '../../../catalogue/migrations/import-failures.ts';

type Side = MissingRecord['lost'];

/** A failure that GitLab listed, with its current state. Times are epoch milliseconds. */
export type ListedFailure = Pick<StoredFailure, 'ref' | 'relation' | 'line' | 'state' | 'note' | 'changedAt'>;

export interface FoundDifference extends Pick<
  Difference,
  'kind' | 'relation' | 'what' | 'lost' | 'isGrave' | 'missing' | 'places'
> {
  /** Stable: the same difference has the same key in a later comparison. */
  key: string;
  lines: number[];
}

export interface AssessedDifference extends FoundDifference {
  open: number;
  /** The reason why the difference, or a part of it, was accepted. */
  accepted: Pick<StoredAcceptance, 'note' | 'at'> | null;
  /** True if the difference itself was accepted; false if only listed failures were accepted. */
  isAcceptedItself: boolean;
  /** Unresolved listed failures of the same records. Settling the difference also settles these failures. */
  failures: ListedFailure[];
}

const keyOf = (...parts: (string | number | null)[]): string => JSON.stringify(parts);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/**
 * Returns grave differences first. Otherwise losses of named records come first, then losses known only from counts,
 * then settings.
 */
export function assessDifferences(
  reconciliation: Reconciliation,
  failures: readonly ListedFailure[],
  acceptances: readonly StoredAcceptance[],
): AssessedDifference[] {
  const unresolved = failures.filter(({ state }) => state !== 'resolved');
  const byKey = new Map(acceptances.map((acceptance) => [acceptance.difference, acceptance]));
  const named = namedLosses(reconciliation.missing);
  const namedLines = new Set(
    named.flatMap(({ kind, lost, relation, lines }) =>
      kind === 'record' && lost === 'on-import' ? lines.map((line) => `${relation}:${line}`) : [],
    ),
  );
  /**
   * Counts the records of a relation that have accepted failures and are none of the named losses. A record may fail several
   * times, and a failure without a line is one of an unknown record.
   */
  const countOtherAccepted = (relation: string): number => {
    const accepted = unresolved.filter(
      (failure) =>
        failure.state === 'accepted' &&
        failure.relation === relation &&
        !namedLines.has(`${relation}:${failure.line ?? ''}`),
    );
    return new Set(accepted.map(({ line, ref }) => line ?? ref)).size;
  };
  const found = [
    ...named,
    ...countedLosses(reconciliation, countOtherAccepted),
    ...unnamedLosses(reconciliation),
    ...differingSettings(reconciliation),
  ];
  return gravestFirst(found, ({ isGrave }) => isGrave).map((difference) => {
    const { kind, relation, lost, lines, missing, key } = difference;
    const recordFailures =
      kind === 'record' && lost === 'on-import'
        ? unresolved.filter(
            ({ relation: failedRelation, line }) =>
              failedRelation === relation && line !== null && lines.includes(line),
          )
        : [];
    const acceptedLines = lines.filter((lossLine) => {
      const lineFailures = recordFailures.filter(({ line }) => line === lossLine);
      return lineFailures.length > 0 && lineFailures.every(({ state }) => state === 'accepted');
    });
    const acceptance = byKey.get(key) ?? null;
    const failure = recordFailures.find(({ state }) => state === 'accepted');
    return {
      ...difference,
      open: Math.max(0, missing - acceptedLines.length - (acceptance?.missing ?? 0)),
      accepted:
        acceptance ?? (failure === undefined ? null : { note: failure.note ?? '', at: failure.changedAt }),
      isAcceptedItself: acceptance !== null,
      failures: recordFailures,
    };
  });
}

/** Returns a short id of a difference in one project of a migration. If more records are missing, the id changes. */
export function differenceIdOf(
  migration: string,
  sourceId: number,
  { key, missing }: Pick<FoundDifference, 'key' | 'missing'>,
): string {
  const hash = createHash('sha256')
    .update(keyOf(migration, sourceId, key, missing))
    .digest('hex');
  return `${sourceId}-${hash.slice(0, 10)}`;
}

/** Two missing records of a relation may have the same name. They form one difference whose `missing` is 2. */
function namedLosses(missing: readonly MissingRecord[]): FoundDifference[] {
  const found = new Map<string, FoundDifference>();
  for (const [index, record] of missing.entries()) {
    const { relation, lost, line, iid, title, part } = record;
    const name = iid === null ? (title ?? line) : null;
    const key = keyOf(relation, lost, part?.name ?? null, iid, name, ...valuesOf(part));
    const amount = part === null || 'values' in part ? 1 : Math.max(1, part.expected - part.found);
    const same = found.get(key);
    if (same === undefined) {
      found.set(key, {
        kind: part === null ? 'record' : 'part',
        ...{ key, relation, lost },
        what: missingRecordText(record),
        isGrave: isGraveRecord(record),
        missing: amount,
        places: [index],
        lines: line === null ? [] : [line],
      });
    } else {
      same.missing += amount;
      same.places.push(index);
      if (line !== null) same.lines.push(line);
    }
  }
  return [...found.values()];
}

const valuesOf = (part: MissingRecord['part']): string[] =>
  part !== null && 'values' in part ? [part.values.expected, part.values.found] : [];

/** Returns the losses in each row beyond the named ones. The notes of a lost record do not count as separate losses. */
function countedLosses(
  { rows, missing, unnamed = [] }: Reconciliation,
  countOtherAccepted: (relation: string) => number,
): FoundDifference[] {
  const countLostRecords = (relation: string, side: Side): number =>
    missing.filter((one) => one.relation === relation && one.lost === side && one.part === null).length +
    (unnamed.find((one) => one.relation === relation && one.lost === side)?.count ?? 0);
  const countUnnamedLosses = (row: Comparison, side: Side): number => {
    const { relation } = row;
    const parentRelation = relationOfNoteRow(relation);
    const amount = lostCount(row, side);
    // On the target, each archived object was looked for, so the named ones explain all of the missing bytes.
    if (relation === lfsSize && side === 'on-import' && countLostRecords(lfsObjects, side) > 0) return 0;
    if (parentRelation === null) return amount - countLostRecords(relation, side);
    const recordsRow = rows.find((other) => other.relation === parentRelation);
    if (
      countLostRecords(parentRelation, side) > 0 ||
      (recordsRow !== undefined && lostCount(recordsRow, side) > 0)
    )
      return 0;
    const notes = missing.flatMap(({ relation: lostRelation, lost, part }) =>
      lostRelation === parentRelation && lost === side && part?.name === 'notes' && 'expected' in part
        ? [part.expected - part.found]
        : [],
    );
    return amount - sum(notes);
  };
  return rows.flatMap((row) =>
    (['on-export', 'on-import'] as const).flatMap((lost): FoundDifference[] => {
      const { relation } = row;
      const acceptedCount = lost === 'on-import' ? countOtherAccepted(relation) : 0;
      const amount = countUnnamedLosses(row, lost) - acceptedCount;
      if (amount <= 0) return [];
      const what = `${relation}: ${amount} fewer`;
      return [
        {
          kind: 'number',
          ...{ key: keyOf(relation, lost), relation, what, lost, isGrave: false },
          missing: amount,
          ...{ places: [], lines: [] },
        },
      ];
    }),
  );
}

function lostCount({ source, archive, target }: Comparison, side: Side): number {
  const [from, to] = side === 'on-export' ? [source, archive] : [archive, target];
  return from === null || to === null ? 0 : Math.max(0, from - to);
}

function unnamedLosses(reconciliation: Reconciliation): FoundDifference[] {
  const what = unnamedText(reconciliation);
  if (what === null) return [];
  return [
    {
      kind: 'unnamed',
      key: keyOf('unnamed'),
      relation: '',
      what,
      lost: null,
      isGrave: false,
      missing: reconciliation.missingCount - reconciliation.missing.length,
      ...{ places: [], lines: [] },
    },
  ];
}

/** If the expected or found value of a setting changes, the key changes too. */
function differingSettings({ settings }: Reconciliation): FoundDifference[] {
  return settings.map(({ attribute, expected, found, lost }) => ({
    kind: 'setting',
    isGrave: isGraveSetting({ attribute, expected, found }),
    key: keyOf('setting', attribute, lost, expected, found),
    relation: attribute,
    what: settingDifferenceText({ attribute, expected, found }),
    lost,
    missing: 1,
    ...{ places: [], lines: [] },
  }));
}
