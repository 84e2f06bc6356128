/**
 * @file Puts together what is shown of one record: the record, those before and after it, what looks wrong with it, and where its
 * original stands. From an index, or from what walking through the archive gave.
 */
import type { ArchiveRecord, Manifest } from '../../../src-preload/contract/archive.ts';
import type { Neighbour, RecordView } from '../../../src-preload/contract/record.ts';
import { duplicatesIn } from './duplicates.ts';
import { checkRecord, type RecordSurroundings } from './record-checks.ts';
import type { RecordIndex } from './record-index.ts';
import { rulesOf } from './record-rules.ts';

/** Where the archive is from; null where nobody knows. */
export type RecordSource = Pick<Manifest, 'instance' | 'project'> | null;

/** With more records than this a relation is not compared for one that is shown: it would take longer than a person waits. */
const mostWhileWaiting = 20_000;
/** Blank lines that are passed over to find a neighbour. */
const mostBlank = 20;

/** Null where the relation has no such line. Rejects with `IndexDamaged`. */
export async function viewFromIndex(
  index: RecordIndex,
  place: { relation: string; line: number },
  source: RecordSource,
): Promise<RecordView | null> {
  const { relation, line } = place;
  const record = await index.record(relation, line);
  const bytes = await index.bytes(relation, line);
  if (record === null || bytes === null) return null;
  return {
    ...record,
    previous: await neighbour(index, relation, line, -1),
    next: await neighbour(index, relation, line, 1),
    suspicions: checkRecord({ ...place, bytes }, await surroundingsIn(index, relation, mostWhileWaiting)),
    url: urlOf(record, source),
  };
}

/** From the record and the lines around it. Of one that was cut nothing is judged; nor is it compared with others. */
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
    url: urlOf(record, source),
  };
}

async function neighbour(
  index: RecordIndex,
  relation: string,
  line: number,
  step: number,
): Promise<Neighbour | null> {
  for (let at = line + step; at >= 0 && Math.abs(at - line) <= mostBlank; at += step) {
    const row = await index.row(relation, at);
    if (row === null) return null;
    if (row.keys !== null) return toNeighbour(at, row.keys);
  }
  return null;
}

/** What the rest of the archive says of the records of a relation; relations with more than `most` records are not compared. */
export async function surroundingsIn(
  index: RecordIndex,
  relation: string,
  most: number,
): Promise<RecordSurroundings> {
  const held = new Map(index.relations().map(({ name, records }) => [name, records]));
  const titlesOf = async (name: string): Promise<{ milestones?: Set<string>; labels?: Set<string> }> => {
    if ((held.get(name) ?? 0) > mostWhileWaiting) return {};
    const titles = new Set<string>();
    for await (const { keys } of index.keys(name))
      if (typeof keys?.title === 'string') titles.add(keys.title);
    return { [name]: titles };
  };
  const duplicates = (held.get(relation) ?? 0) > most ? {} : await duplicatesIn(index, relation);
  return { ...(await titlesOf('milestones')), ...(await titlesOf('labels')), ...duplicates };
}

function toNeighbour(line: number, fields: Partial<Record<string, unknown>>): Neighbour {
  const { iid, title, name, tag, ref } = fields;
  const shown = [title, name, tag, ref].find((text) => typeof text === 'string');
  return { line, iid: typeof iid === 'number' ? iid : null, title: shown?.slice(0, 255) ?? null };
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? value : {};
}

function urlOf({ relation, value }: ArchiveRecord, source: RecordSource): string | null {
  const page = rulesOf.get(relation)?.page;
  if (page === undefined || source === null) return null;
  const key = fieldsOf(value)[page.by];
  if (typeof key !== 'string' && typeof key !== 'number') return null;
  const base = source.instance.url.replace(/\/+$/, '');
  return `${base}/${source.project.fullPath}/${page.below}/${encodeURIComponent(key)}`;
}
