/** @file Texts for the result of an import: failures, records, and the comparison of source, archive and target. */
import type { Comparison, Failure, MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import type { ListedDifference } from '../../../../src-contract/migrations/difference-groups.ts';
import type { RecordFinding } from '../../../../src-contract/archives/record.ts';
import { upperFirst } from '../../../../src-contract/words/first-letter.ts';
import { shownValues } from '../../../../src-contract/words/relations.ts';
import { formatNumber } from '../../../kit/format.ts';
import { common } from '../../../kit/common.text.ts';

/** The place of a record, with the line number from zero, as GitLab counts. */
export function placeText({ relation, line }: Pick<Failure, 'relation' | 'line'>): string {
  if (relation === null) return recordText.noRelation;
  return line === null ? relation : `${relation}, line ${formatNumber(line)}`;
}

export const recordText = {
  noRelation: 'No relation named',
  place: (relation: string, line: number) => `${relation}, line ${formatNumber(line)}`,
  editorLineHint: (line: number) =>
    `GitLab counts lines from zero; in an editor it is line ${formatNumber(line + 1)}.`,
  untitled: 'A record without a title',
  otherFields: (count: number) => (count === 1 ? '1 more field' : `${formatNumber(count)} more fields`),
  raw: 'Raw record',
  rawLabel: 'JSON of the record',
  truncated: 'The record is longer than 1 MiB; only its beginning is shown.',
  notJson: 'This line is not JSON. It is shown unchanged.',
  entries: (count: number) => (count === 1 ? '1 entry' : `${formatNumber(count)} entries`),
  fields: (count: number) => (count === 1 ? '1 field' : `${formatNumber(count)} fields`),
  empty: '(empty)',
};

export const recordFindingText = {
  title: 'What looks wrong with the record',
  severities: {
    'will-be-refused': 'GitLab will refuse it',
    'may-be-dropped': 'May be dropped',
    suspicious: 'Suspicious',
  } satisfies Record<RecordFinding['severity'], string>,
};

/** Labels of the most important fields of a record, in the order in which they are shown. */
export const fieldLabels: Readonly<Record<string, string>> = {
  title: 'Title',
  name: 'Name',
  ref: 'Ref',
  tag: 'Tag',
  iid: 'Number',
  state: 'State',
  status: 'Status',
  type: 'Type',
  author: 'Author',
  author_id: 'Author (id)',
  source_branch: 'Source branch',
  target_branch: 'Target branch',
  sha: 'Commit',
  color: 'Colour',
  created_at: 'Created',
  updated_at: 'Updated',
  closed_at: 'Closed',
  merged_at: 'Merged',
  due_date: 'Due',
  description: 'Description',
  note: 'Text',
  notes: 'Comments',
};

export const failureText = {
  title: 'Failed records',
  table: 'Failed records, as GitLab lists them',
  hidden: 'GitLab hides the reason',
  hiddenShort: 'Hidden by GitLab',
  hiddenHint: 'GitLab shows the reason to administrators only, in its log, by the correlation ID.',
  none: 'No failed record is listed.',
  group: 'Show',
  all: (count: number) => `All (${formatNumber(count)})`,
  groupOf: (relation: string, exception: string, count: number) =>
    `${relation} · ${exception} (${formatNumber(count)})`,
  columns: {
    relation: 'Relation',
    line: 'Line',
    record: 'Record',
    exception: 'Exception',
    message: 'Reason',
    source: 'Step on the server',
    when: 'When',
  },
  recordTitle: 'The failed record',
  isOtherArchive: 'Is it the archive that was imported?',
  project: 'Project',
};

export const reconciliationText = {
  title: 'Source, archive and target',
  table: 'Records in source, archive and target',
  unknownOnExport: (relations: readonly string[]) =>
    `Losses during the export are unknown for: ${relations.join(', ')}.`,
  lost: 'Not everything arrived',
  accepted: 'Not everything arrived, and that was accepted',
  acceptedText: 'Each known loss was accepted; the passport contains the notes.',
  acceptedUncounted: (relations: readonly string[]) =>
    `Each known loss was accepted, but these could not be counted on the target: ${relations.join(', ')}.`,
  acceptedUncompared: 'Each known loss was accepted, but the contents of records were not compared.',
  lostText: (relations: readonly string[]) => `Records are missing or changed in: ${relations.join(', ')}.`,
  notProven: 'Not proven',
  notProvenFailures: (failures: number) =>
    `The numbers show no loss, but GitLab lists ${common.failures(failures)}.`,
  notProvenUncounted: (relations: readonly string[]) =>
    `No loss is known, but these could not be counted on the target: ${relations.join(', ')}.`,
  notProvenText: 'No loss is known, but it is not proven that everything arrived.',
  comparedLater: 'Not yet compared by its migration',
  comparedLaterText:
    'The numbers of records agree. The migration compares the project afterwards, to the depth that was chosen.',
  comparedAt: 'Compared',
  columns: {
    relation: 'What',
    source: 'Source',
    archive: 'Archive',
    target: 'Target',
    verdict: 'Verdict',
  },
  notCounted: 'Not counted',
  missingCount: (count: number) =>
    count === 1 ? '1 record is missing or changed' : `${formatNumber(count)} records are missing or changed`,
  differenceCount: (count: number) => (count === 1 ? '1 difference' : `${formatNumber(count)} differences`),
  differenceTable: 'Differences',
  differenceColumns: {
    name: 'What',
    expected: 'Expected',
    found: 'Found',
    lost: 'Lost',
    line: 'Line',
  },
  nothing: '—',
  missing: 'Missing',
  grave: 'Grave',
  graveHint: 'People can see or do more on the target than on the source.',
  graveCount: (count: number) =>
    count === 1
      ? '1 difference is grave: people can see or do more on the target than on the source.'
      : `${formatNumber(count)} differences are grave: people can see or do more on the target than on the source.`,
  filters: { kind: 'Kind', relation: 'What', lost: 'Lost', all: 'All', onlyGrave: 'Only grave differences' },
  kinds: {
    record: 'Missing records',
    part: 'Parts of records',
    number: 'Numbers',
    setting: 'Settings',
    unnamed: 'Without a name',
  } satisfies Record<Difference['kind'], string>,
  group: (title: string, count: number) => `${title} (${formatNumber(count)})`,
  foundOf: (found: number, total: number) => `${formatNumber(found)} of ${formatNumber(total)} differences`,
  numberOfRecords: 'Number of records',
  showMore: (count: number) => `Show ${formatNumber(count)} more`,
  unnamedMore: (count: number) =>
    count === 1 ? 'and 1 more without a name' : `and ${formatNumber(count)} more without a name`,
  missingMore: (count: number) => `and ${formatNumber(count)} more`,
  lostOn: { 'on-export': 'on export', 'on-import': 'on import' } satisfies Record<
    MissingRecord['lost'],
    string
  >,
  settingsDiffer: (count: number) =>
    count === 1
      ? 'No record is known to be missing, but 1 setting differs.'
      : `No record is known to be missing, but ${formatNumber(count)} settings differ.`,
  declared: 'Expected differences, and facts that are not known',
  /** @param contained the number of parts that the archive contains. @param lessCompared that of relations compared in part. */
  notCompared: (contained: number, lessCompared: number) => {
    const relations =
      lessCompared === 1
        ? '1 relation, or fields of it'
        : `${formatNumber(lessCompared)} relations, or fields of them`;
    const parts = `${formatNumber(contained)} ${contained === 1 ? 'part' : 'parts'} of the archive`;
    const all = [...(lessCompared > 0 ? [relations] : []), ...(contained > 0 ? [parts] : [])];
    return `Not compared: ${all.length === 0 ? 'nothing that the archive contains' : all.join('; ')}`;
  },
  lessComparedFields: (count: number) => `${formatNumber(count)} fields that were not compared`,
  notComparedTable: 'Parts that are not compared',
  partColumns: { part: 'Part', records: 'Records in the archive', reason: 'Reason' },
  noRecords: (relations: readonly string[]) => `No records on any side: ${relations.join(', ')}.`,
};

/** True if the imported records agree with the archive, and nothing is known about the source. */
export const hasUnknownSource = ({ verdict, source }: Comparison): boolean =>
  verdict === 'equal' && source === null;

export function comparisonText(comparison: Comparison): string {
  const { verdict, source, archive, target } = comparison;
  if (hasUnknownSource(comparison)) return 'All records of the archive arrived';
  const difference = (more: number | null, less: number | null): string =>
    formatNumber(Math.max(0, (more ?? 0) - (less ?? 0)));
  switch (verdict) {
    case 'equal':
      return 'Complete';
    case 'lost-on-export':
      return `${difference(source, archive)} lost on export`;
    case 'lost-on-import':
      return `${difference(archive, target)} lost on import`;
    case 'lost-on-both':
      return `${difference(source, archive)} lost on export, ${difference(archive, target)} on import`;
    case 'more':
      return `${difference(target, archive)} more than archived`;
    case 'unknown':
      return 'Could not be counted';
  }
}

/** Returns number and title, as in “#12 A title”, or the one that exists; null if there is neither. */
export function recordName(iid: number | string | null, title: string | null): string | null {
  const words = [iid === null ? '' : `#${iid}`, title ?? ''].filter(Boolean).join(' ');
  return words === '' ? null : words;
}

/** Returns the name of the record, and of the part or setting that differs. */
export function differenceName({ kind, record, setting, difference }: ListedDifference): {
  record: string;
  field: string;
} {
  if (record === null) {
    const field = setting?.attribute ?? (kind === 'number' ? reconciliationText.numberOfRecords : null);
    return { record: '', field: field ?? difference?.what ?? '' };
  }
  const name = recordName(record.iid, record.title) ?? recordText.untitled;
  return record.part === null
    ? { record: name, field: '' }
    : { record: `${name}:`, field: upperFirst(record.part.name) };
}

/** Returns what one side has and what the next side has instead. */
export function lostValues({ part }: MissingRecord): { expected: string; found: string } {
  const { nothing, missing: missingText } = reconciliationText;
  if (part === null) return { expected: nothing, found: missingText };
  if ('values' in part) {
    const { expected, found } = shownValues(part);
    return { expected: expected || nothing, found: found || nothing };
  }
  const { expected, found, missing = [] } = part;
  const lost = missing.length === 0 ? '' : ` (${missingText.toLowerCase()}: ${missing.join(', ')})`;
  return { expected: formatNumber(expected), found: `${formatNumber(found)}${lost}` };
}
