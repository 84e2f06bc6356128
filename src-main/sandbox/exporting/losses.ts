/** @file Losses of exports and imports: the sandbox's own list, and the effect of scripted faults on records. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, notesOf, type JsonRecord } from '../content/project-content.ts';
import type { FaultAction, FaultOf } from '../faults/fault-kinds.ts';
import { isFaultOfKind } from '../faults/faults.ts';

/** A loss of an export or import. `listed` is true if the API reports it. */
export interface Loss {
  phase: 'export' | 'import';
  project: string;
  /** A relation of the archive, `uploads`, `lfs_objects`, `branches`, `tags`, or `project` for a setting. */
  relation: string;
  /** Zero-based line in the relation's original file; null if the relation has no lines. */
  line: number | null;
  part:
    'record' | 'note' | 'note-field' | 'diff' | 'field' | 'file' | 'content' | 'ref' | 'commit' | 'setting';
  /** The name of the lost part: a title, a column, a file, an object, a ref or an attribute; null if it has no name. */
  name: string | null;
  /** `fault` for a scripted loss, otherwise the rule that refused the record. */
  reason: string;
  listed: boolean;
}

export type LostPart = Pick<Loss, 'part' | 'name'>;

/** Kinds of faults that affect the records of a relation, and those that affect other content. */
export const recordLossKinds = [
  'drop-records',
  'drop-notes',
  'drop-diffs',
  'change-records',
  'change-notes',
] as const;
const contentLossKinds = ['drop-files', 'change-files', 'drop-refs', 'move-refs', 'drop-settings'] as const;
export const lossKinds = [...recordLossKinds, ...contentLossKinds] as const;
export type RecordFault = FaultOf<(typeof recordLossKinds)[number]>;
export type ContentFault = FaultOf<(typeof contentLossKinds)[number]>;
export type ExportFault = RecordFault | ContentFault | FaultOf<'repeat-records' | 'end-export'>;

export function recordFaultsIn(faults: readonly FaultAction[]): RecordFault[] {
  return faults.filter((fault) => isFaultOfKind(fault, recordLossKinds));
}

export function contentFaultsIn(faults: readonly FaultAction[]): ContentFault[] {
  return faults.filter((fault) => isFaultOfKind(fault, contentLossKinds));
}

const isSystemNote = ({ system }: JsonRecord): boolean => system === true;

const affectsRelation = (fault: RecordFault, relation: string): boolean =>
  fault.kind === 'drop-diffs' ? relation === 'merge_requests' : fault.relation === relation;

/** Decides the losses in the records of one relation. Call its methods in the order of the records. */
export class RecordLosses {
  readonly #keptCount: number;
  /** Positions from here on are kept, too. */
  readonly #endOfDropped: number;
  readonly #changes: FaultOf<'change-records'>[];
  readonly #noteDrops: { isSystem: boolean; count: number }[];
  readonly #noteChanges: {
    type?: string | undefined;
    isSystem: boolean;
    values: JsonRecord;
    count: number;
  }[];
  #diffsToDrop: number;

  constructor(relation: string, count: number, faults: readonly RecordFault[]) {
    const dropCountOf = (kind: RecordFault['kind']): number =>
      faults
        .filter((fault) => fault.kind === kind && affectsRelation(fault, relation))
        .reduce((sum, fault) => sum + fault.count, 0);
    const skipped = faults.map((fault) =>
      fault.kind === 'drop-records' && affectsRelation(fault, relation) ? (fault.skip ?? 0) : 0,
    );
    this.#endOfDropped = count - Math.max(0, ...skipped);
    this.#keptCount = this.#endOfDropped - dropCountOf('drop-records');
    this.#changes = faults
      .filter((fault) => fault.kind === 'change-records')
      .filter((fault) => affectsRelation(fault, relation));
    this.#noteChanges = faults
      .filter((fault) => fault.kind === 'change-notes')
      .filter((fault) => affectsRelation(fault, relation))
      .map(({ type, system, values, count: toChange }) => ({
        ...{ type, isSystem: system === true, values, count: toChange },
      }));
    this.#noteDrops = faults
      .filter((fault) => fault.kind === 'drop-notes')
      .filter((fault) => affectsRelation(fault, relation))
      .map(({ system, count: toDrop }) => ({ isSystem: system === true, count: toDrop }));
    this.#diffsToDrop = dropCountOf('drop-diffs');
  }

  isDropped(position: number): boolean {
    return position >= this.#keptCount && position < this.#endOfDropped;
  }

  /** Returns the record without its lost parts and values; the same object if nothing is lost. */
  dropParts(position: number, record: JsonRecord): { record: JsonRecord; lost: LostPart[] } {
    const lost: LostPart[] = [];
    let result = record;
    for (const { count, values } of this.#changes) {
      if (position < this.#keptCount - count) continue;
      const changed = withColumns(result, values);
      result = changed.record;
      lost.push(...changed.columns.map((name) => ({ part: 'field' as const, name })));
    }
    for (const drop of this.#noteDrops) {
      if (drop.count === 0 || !Array.isArray(result['notes'])) continue;
      const all = notesOf(result);
      const notes = all.filter((note) => {
        if (isSystemNote(note) !== drop.isSystem || drop.count === 0) return true;
        drop.count -= 1;
        lost.push({ part: 'note', name: null });
        return false;
      });
      if (notes.length < all.length) result = { ...result, notes };
    }
    for (const change of this.#noteChanges) {
      if (change.count === 0 || !Array.isArray(result['notes'])) continue;
      const notes = notesOf(result).map((note) => {
        const isOfType = change.type === undefined || note['type'] === change.type;
        if (change.count === 0 || isSystemNote(note) !== change.isSystem || !isOfType) return note;
        change.count -= 1;
        const changed = withColumns(note, change.values);
        lost.push(...changed.columns.map((name) => ({ part: 'note-field' as const, name })));
        return changed.record;
      });
      result = { ...result, notes };
    }
    if (this.#diffsToDrop > 0 && isObject(record['merge_request_diff'])) {
      this.#diffsToDrop -= 1;
      const { merge_request_diff: _diff, ...rest } = result;
      result = rest;
      lost.push({ part: 'diff', name: null });
    }
    return { record: result, lost };
  }
}

/** Returns the record with other values, and the columns whose values differ thereby. */
function withColumns(before: JsonRecord, values: JsonRecord): { record: JsonRecord; columns: string[] } {
  let record = before;
  const columns = Object.entries(values).flatMap(([name, value]) => {
    const changed = withColumn(record, name, value);
    const isSame = isDeepStrictEqual(record, changed);
    record = changed;
    return isSame ? [] : [name];
  });
  return { record, columns };
}

/** Returns the record with another value in a column, or in a column of a nested record, such as `metrics.merged_at`. */
function withColumn(record: JsonRecord, name: string, value: unknown): JsonRecord {
  const [outer = '', ...inner] = name.split('.');
  if (inner.length === 0) return { ...record, [outer]: value };
  const change = (row: unknown): JsonRecord => withColumn(isObject(row) ? row : {}, inner.join('.'), value);
  const rows = record[outer];
  return { ...record, [outer]: Array.isArray(rows) ? rows.map(change) : change(rows) };
}

/** Returns the name of a record, or null for a record without a name. */
export function nameOf(record: unknown): string | null {
  if (!isObject(record)) return null;
  const user = isObject(record['user']) ? record['user']['username'] : undefined;
  const schedule = record['cron'] === undefined ? undefined : record['description'];
  const names = [
    record['title'],
    record['tag'],
    record['name'],
    schedule,
    record['ref'],
    record['note'],
    user ?? record['invite_email'],
  ];
  return names.find((name) => typeof name === 'string') ?? null;
}
