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
const maxWhileWaiting = 20_000;
/** Maximum number of blank lines that are skipped to find a neighbour. */
const maxBlank = 20;

/** Returns null if the relation has no such line. Rejects with `IndexDamaged`. */
export async function viewFromIndex(
  index: RecordIndex,
  place: { relation: string; line: number },
  source: RecordSource,
): Promise<RecordView | null> {
  const { relation, line } = place;
  const record = await index.record(relation, line);
  const row = await index.row(relation, line);
  if (record === null || row === null) return null;
  const { surroundings, notLookedFor } = await loadRecordContext(index, relation, maxWhileWaiting);
  const { suspicions, wasParsed } = await checkStoredRecord(index, relation, row, surroundings);
  return {
    ...record,
    previous: await neighbour(index, relation, line, -1),
    next: await neighbour(index, relation, line, 1),
    suspicions,
    notLookedFor: [
      ...notLookedFor.map(({ code, message }) =>
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
  around: { previous: ArchiveRecord | null; next: ArchiveRecord | null },
  source: RecordSource,
): RecordView {
  const asNeighbour = (other: ArchiveRecord | null): Neighbour | null =>
    other === null ? null : toNeighbour(other.line, fieldsOf(other.value));
  return {
    ...record,
    previous: asNeighbour(around.previous),
    next: asNeighbour(around.next),
    suspicions: record.truncated ? [] : checkRecord({ ...record, bytes: Buffer.from(record.text) }),
    notLookedFor: [record.truncated ? tooLong : alone],
    url: urlOf(record, source),
  };
}

const alone =
  'Only this record was checked. Without an index of the archive it is not compared with other records.';
const tooLong = 'The record is longer than 1 MiB. Without an index of the archive it was not checked.';

async function neighbour(
  index: RecordIndex,
  relation: string,
  line: number,
  step: number,
): Promise<Neighbour | null> {
  for (let at = line + step; at >= 0 && Math.abs(at - line) <= maxBlank; at += step) {
    const row = await index.row(relation, at);
    if (row === null) return null;
    if (row.keys !== null) return toNeighbour(at, row.keys);
  }
  return null;
}

/** Relations whose records refer to a milestone and labels. */
const referring = {
  milestones: ['issues', 'merge_requests', 'boards'],
  labels: ['issues', 'merge_requests'],
} as const satisfies Record<string, readonly string[]>;

/** Why a check was skipped. */
interface NotLookedFor {
  code: 'duplicates-not-looked-for' | 'references-not-looked-for';
  message: string;
}

/**
 * Returns facts of the archive about a relation's records. Relations with more than `most` records are not compared.
 */
export async function loadRecordContext(
  index: RecordIndex,
  relation: string,
  most: number,
): Promise<{ surroundings: RecordContext; notLookedFor: NotLookedFor[] }> {
  const notLookedFor: NotLookedFor[] = [];
  const titlesOf = async (
    name: keyof typeof referring,
  ): Promise<{ milestones?: Set<string>; labels?: Set<string> }> => {
    if (!(referring[name] as readonly string[]).includes(relation)) return {};
    const records = index.relation(name)?.records ?? 0;
    if (records > maxWhileWaiting) {
      const message = `The archive has ${records} ${name}; references to them are checked only up to ${maxWhileWaiting}.`;
      notLookedFor.push({ code: 'references-not-looked-for', message });
      return {};
    }
    const titles = new Set<string>();
    for await (const { keys } of index.keys(name))
      if (typeof keys?.title === 'string') titles.add(keys.title);
    return { [name]: titles };
  };
  const duplicates = await duplicatesAmong(index, relation, most, notLookedFor);
  const titles = { ...(await titlesOf('milestones')), ...(await titlesOf('labels')) };
  return { surroundings: { ...titles, ...duplicates }, notLookedFor };
}

async function duplicatesAmong(
  index: RecordIndex,
  relation: string,
  most: number,
  notLookedFor: NotLookedFor[],
): Promise<RecordContext> {
  const held = index.relation(relation);
  if (held === null || !hasUniqueKeys(relation)) return {};
  const code = 'duplicates-not-looked-for';
  if (held.records > most) {
    const message = `The archive has ${held.records} ${relation}; duplicates are searched among at most ${most}.`;
    notLookedFor.push({ code, message });
    return {};
  }
  const { context, isComplete } = await findDuplicates(index, held);
  if (!isComplete) {
    const message = `Too many ${relation} share an iid or a title, so only some of the duplicates are reported.`;
    notLookedFor.push({ code, message });
  }
  return context;
}

function toNeighbour(line: number, fields: Partial<Record<string, unknown>>): Neighbour {
  const { iid, title, name, tag, ref } = fields;
  const shown = [title, name, tag, ref].find((text) => typeof text === 'string');
  // `JSON.parse` reads a number that is too large as infinite, and JSON cannot express infinity.
  const isShown = typeof iid === 'number' && Number.isFinite(iid);
  return { line, iid: isShown ? iid : null, title: shown?.slice(0, 255) ?? null };
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
