/** @file The differences of a comparison as lists show them: with the values of both sides, and in groups. Pure. */
import { gravestFirst, isGraveRecord, isGraveSetting } from '../transfers/gravity.ts';
import type { Comparison, MissingRecord, Reconciliation } from '../transfers/import.ts';
import { changedWords, type ChangedWords } from '../words/changed-words.ts';
import { relationLabel, shownValues } from '../words/relations.ts';
import type { Difference } from './difference.ts';

type Setting = Reconciliation['settings'][number];
type Assessed = Pick<Difference, 'kind' | 'relation' | 'what' | 'lost' | 'isGrave' | 'places'>;

/** One difference of a record, a field, a number or a setting. */
export interface ListedDifference<Found extends Assessed = Difference> extends Pick<
  Difference,
  'kind' | 'relation' | 'lost' | 'isGrave'
> {
  /** The missing record, or the record whose part differs; null for a number or a setting. */
  record: MissingRecord | null;
  setting: Setting | null;
  /** The values of both sides, as users see them; null if a record is missing. */
  values: { expected: string; found: string } | null;
  /** Null outside a migration, and for a record with the name of an earlier one, which `difference` covers. */
  difference: Found | null;
}

/**
 * Lists the differences of a comparison. `differences` are those of a migration. Without them, numbers are not listed, because
 * the table of numbers shows these.
 */
export function listDifferences<Found extends Assessed>(
  { missing, settings, rows }: Pick<Reconciliation, 'missing' | 'settings' | 'rows'>,
  differences: readonly Found[] = [],
): ListedDifference<Found>[] {
  const byPlace = new Map(differences.map((difference) => [difference.places[0], difference]));
  const ofKind = (kind: Difference['kind']): Found[] => differences.filter((one) => one.kind === kind);
  const records = missing.map((record, place) => ({
    kind: record.part === null ? ('record' as const) : ('part' as const),
    ...{ relation: record.relation, lost: record.lost, isGrave: isGraveRecord(record) },
    ...{ record, setting: null, values: partValues(record.part) },
    difference: byPlace.get(place) ?? null,
  }));
  const numbers = ofKind('number').map((difference) => ({
    ...pickFacts(difference),
    ...{ record: null, setting: null, difference },
    values: countValues(
      rows.find(({ relation }) => relation === difference.relation),
      difference.lost,
    ),
  }));
  const changedSettings = settings.map((setting) => ({
    ...{ kind: 'setting' as const, relation: setting.attribute, lost: setting.lost },
    ...{ isGrave: isGraveSetting(setting), record: null, setting },
    values: { expected: setting.expected, found: setting.found },
    difference: ofKind('setting').find(({ relation }) => relation === setting.attribute) ?? null,
  }));
  const unnamed = ofKind('unnamed').map((difference) => ({
    ...pickFacts(difference),
    ...{ record: null, setting: null, values: null, difference },
  }));
  return [...records, ...numbers, ...changedSettings, ...unnamed];
}

const pickFacts = ({ kind, relation, lost, isGrave }: Assessed) => ({ kind, relation, lost, isGrave });

function partValues(part: MissingRecord['part']): ListedDifference['values'] {
  if (part === null) return null;
  return 'values' in part
    ? shownValues(part)
    : { expected: String(part.expected), found: String(part.found) };
}

function countValues(row: Comparison | undefined, lost: Difference['lost']): ListedDifference['values'] {
  if (row === undefined || lost === null) return null;
  const [from, to] = lost === 'on-export' ? [row.source, row.archive] : [row.archive, row.target];
  return from === null || to === null ? null : { expected: String(from), found: String(to) };
}

/** Returns the words that differ; null for counts, and for a record that is missing completely. */
export const wordsOf = ({
  record,
  setting,
  values,
}: Pick<ListedDifference, 'record' | 'setting' | 'values'>): ChangedWords | null =>
  values !== null &&
  (setting !== null || (record !== null && record.part !== null && 'values' in record.part))
    ? changedWords(values.expected, values.found)
    : null;

export interface DifferenceGroup<Listed> {
  title: string;
  isGrave: boolean;
  entries: Listed[];
}

/**
 * Groups differences: the grave ones of all relations lead, then each relation, the settings, and the records without a name.
 * The differences of one record are adjacent.
 */
export function groupDifferences<
  Listed extends Pick<ListedDifference, 'kind' | 'relation' | 'isGrave' | 'record'>,
>(listed: readonly Listed[]): DifferenceGroup<Listed>[] {
  const groups = Map.groupBy(
    gravestFirst(listed, ({ isGrave }) => isGrave),
    groupTitle,
  );
  return [...groups].map(([title, entries]) => ({
    title,
    isGrave: title === groupTitles.grave,
    entries: [...Map.groupBy(entries, recordKey).values()].flat(),
  }));
}

const groupTitles = { grave: 'Grave differences', setting: 'Settings', unnamed: 'Without a name' };

function groupTitle({ kind, relation, isGrave }: Pick<Difference, 'kind' | 'relation' | 'isGrave'>): string {
  if (isGrave) return groupTitles.grave;
  return kind === 'setting' || kind === 'unnamed' ? groupTitles[kind] : relationLabel(relation);
}

/** Records without a number or a name are the same only if they have the same line. */
const recordKey = ({ record, relation }: Pick<ListedDifference, 'record' | 'relation'>): string =>
  JSON.stringify(
    record === null
      ? [relation]
      : [record.relation, record.iid, record.title, record.iid === null ? record.line : null],
  );
