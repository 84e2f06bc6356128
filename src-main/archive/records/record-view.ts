/**
 * @file Builds the view of one record from an index or from the archive: the record, its neighbours, its suspicions,
 * and the address of its original.
 */
import type { ArchiveRecord, Manifest } from '../../../src-contract/archives/archive.ts';
import type { Neighbour, RecordView } from '../../../src-contract/archives/record.ts';
import { findDuplicates, hasUniqueKeys } from './duplicates.ts';
import { checkRecord, type RecordContext } from './record-checks.ts';
import type { RecordIndex } from './record-index.ts';
import { checkStoredRecord, recordTooLargeText } from './stored-record-checks.ts';
import { rulesByRelation } from './record-rules.ts';

/** The origin of the archive; null if it is not known. */
export type RecordSource = Pick<Manifest, 'instance' | 'project'> | null;

/** Larger relations are not searched for duplicates for one view: it takes too long and too much memory. */
const maxRecordsForView = 20_000;
/** Maximum number of blank lines that are skipped to find a neighbour. */
const maxBlank = 20;

/** Returns null if the relation has no such line. Rejects with `IndexDamaged`. */
export async function viewFromIndex(
  index: RecordIndex,
  position: { relation: string; line: number },
  source: RecordSource,
): Promise<RecordView | null> {
  const { relation, line } = position;
  const record = await index.record(relation, line);
  const row = await index.row(relation, line);
  if (record === null || row === null) return null;
  const { context, notLookedFor: skippedChecks } = await loadRecordContext(
    index,
    relation,
    maxRecordsForView,
  );
  const { suspicions, wasParsed } = await checkStoredRecord(index, relation, row, context);
  return {
    ...record,
    previous: await findNeighbour(index, relation, line, -1),
    next: await findNeighbour(index, relation, line, 1),
    suspicions,
    notLookedFor: [
      ...skippedChecks.map(({ code, message }) =>
        code === 'duplicates-not-looked-for' ? `${message} A lint of the archive compares more.` : message,
      ),
      ...(wasParsed ? [] : [recordTooLargeText]),
    ],
    url: urlOf(record, source),
  };
}

/** Builds the view from the record and the lines around it. A cut record is neither checked nor compared. */
export function viewFromLines(
  record: ArchiveRecord,
  neighbours: { previous: ArchiveRecord | null; next: ArchiveRecord | null },
  source: RecordSource,
): RecordView {
  const asNeighbour = (other: ArchiveRecord | null): Neighbour | null =>
    other === null ? null : toNeighbour(other.line, fieldsOf(other.value));
  return {
    ...record,
    previous: asNeighbour(neighbours.previous),
    next: asNeighbour(neighbours.next),
    suspicions: record.truncated ? [] : checkRecord({ ...record, bytes: Buffer.from(record.text) }),
    notLookedFor: [record.truncated ? recordTooLongText : singleRecordText],
    url: urlOf(record, source),
  };
}

const singleRecordText =
  'Only this record was checked. Without an index of the archive it is not compared with other records.';
const recordTooLongText =
  'The record is longer than 1 MiB. Without an index of the archive it was not checked.';

async function findNeighbour(
  index: RecordIndex,
  relation: string,
  line: number,
  step: number,
): Promise<Neighbour | null> {
  for (
    let otherLine = line + step;
    otherLine >= 0 && Math.abs(otherLine - line) <= maxBlank;
    otherLine += step
  ) {
    const row = await index.row(relation, otherLine);
    if (row === null) return null;
    if (row.keys !== null) return toNeighbour(otherLine, row.keys);
  }
  return null;
}

/** Relations whose records refer to a milestone and labels. */
const referringRelations = {
  milestones: ['issues', 'merge_requests', 'boards'],
  labels: ['issues', 'merge_requests'],
} as const satisfies Record<string, readonly string[]>;

/** Why a check was skipped. */
interface SkippedCheck {
  code: 'duplicates-not-looked-for' | 'references-not-looked-for';
  message: string;
}

/**
 * Returns the context for checking a relation's records. Skips duplicates in relations of over `maxRecords` records.
 */
export async function loadRecordContext(
  index: RecordIndex,
  relation: string,
  maxRecords: number,
): Promise<{ context: RecordContext; notLookedFor: SkippedCheck[] }> {
  const skippedChecks: SkippedCheck[] = [];
  const titlesOf = async (
    name: keyof typeof referringRelations,
  ): Promise<{ milestones?: Set<string>; labels?: Set<string> }> => {
    if (!(referringRelations[name] as readonly string[]).includes(relation)) return {};
    const records = index.relation(name)?.records ?? 0;
    if (records > maxRecordsForView) {
      const message = `The archive has ${records} ${name}; references are not checked above ${maxRecordsForView}.`;
      skippedChecks.push({ code: 'references-not-looked-for', message });
      return {};
    }
    const titles = new Set<string>();
    for await (const { keys } of index.keys(name))
      if (typeof keys?.title === 'string') titles.add(keys.title);
    return { [name]: titles };
  };
  const duplicates = await loadDuplicates(index, relation, maxRecords, skippedChecks);
  const titles = { ...(await titlesOf('milestones')), ...(await titlesOf('labels')) };
  return { context: { ...titles, ...duplicates }, notLookedFor: skippedChecks };
}

async function loadDuplicates(
  index: RecordIndex,
  relation: string,
  maxRecords: number,
  skippedChecks: SkippedCheck[],
): Promise<RecordContext> {
  const entry = index.relation(relation);
  if (entry === null || !hasUniqueKeys(relation)) return {};
  const code = 'duplicates-not-looked-for';
  if (entry.records > maxRecords) {
    const message = `The archive has ${entry.records} ${relation}; duplicates are not searched above ${maxRecords}.`;
    skippedChecks.push({ code, message });
    return {};
  }
  const { context, isComplete } = await findDuplicates(index, entry);
  if (!isComplete) {
    const message = `Too many ${relation} share an iid or a title, so only some of the duplicates are reported.`;
    skippedChecks.push({ code, message });
  }
  return context;
}

function toNeighbour(line: number, fields: Partial<Record<string, unknown>>): Neighbour {
  const { iid, title, name, tag, ref } = fields;
  const label = [title, name, tag, ref].find((text) => typeof text === 'string');
  // `JSON.parse` reads a number that is too large as infinite, and JSON cannot express infinity.
  const hasIid = typeof iid === 'number' && Number.isFinite(iid);
  return { line, iid: hasIid ? iid : null, title: label?.slice(0, 255) ?? null };
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? value : {};
}

function urlOf({ relation, value }: ArchiveRecord, source: RecordSource): string | null {
  const page = rulesByRelation.get(relation)?.page;
  if (page === undefined || source === null) return null;
  const key = fieldsOf(value)[page.idField];
  if (typeof key !== 'string' && typeof key !== 'number') return null;
  const base = source.instance.url.replace(/\/+$/, '');
  return `${base}/${source.project.fullPath}/${page.path}/${encodeURIComponent(key)}`;
}
