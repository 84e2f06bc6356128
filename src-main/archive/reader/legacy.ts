/**
 * @file Counts the contents of the single document of the legacy layout while it is read, and adds its records to an
 * index. An array counts as its number of elements, an object as 1. A plain attribute is not a relation.
 */
import type { FindingList } from '../findings.ts';
import type { RecordIndexWriter, RelationWriter } from '../records/index-writer.ts';
import { JsonScanner, type JsonListener, type RecordListener } from './json-scanner.ts';
import { KeyCollector } from './key-collector.ts';
import { NoteCounter, type RecordTotals } from './records.ts';
import type { MemberSink } from './tar-walker.ts';

const openBrace = 0x7b;
const openBracket = 0x5b;
const firstByteOfNull = 0x6e;

export class LegacySink implements MemberSink, JsonListener {
  readonly #member: string;
  readonly #totals: RecordTotals;
  readonly #findings: FindingList;
  readonly #index: RecordIndexWriter | null;
  readonly #keys: KeyCollector | null;
  readonly #counter: RecordListener;
  readonly #scanner: JsonScanner;
  #key = '';
  /** Depth at which the relation's records end: elements of an array, or the single object; 0 outside of a relation. */
  #recordEndDepth = 0;
  #recordCount = 0;
  #noteCount = 0;
  #writer: RelationWriter | null = null;
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the current record continues in the current bytes; null between records. */
  #recordStart: number | null = null;

  constructor(
    member: string,
    totals: RecordTotals,
    findings: FindingList,
    /** The archive's index; null if it gets none. */
    index: RecordIndexWriter | null,
  ) {
    this.#member = member;
    this.#totals = totals;
    this.#findings = findings;
    this.#index = index;
    this.#keys = index === null ? null : new KeyCollector(() => this.#scanner, 3, index.keyBuffer);
    this.#counter = this.#keys ?? new NoteCounter(() => this.#scanner, 3);
    this.#scanner = new JsonScanner(this, index === null ? 5 : 6);
  }

  write(bytes: Buffer): void {
    this.#bytes = bytes;
    if (this.#recordStart !== null) this.#recordStart = 0;
    this.#scanner.write(bytes);
    if (this.#recordStart !== null) this.#writer?.add(bytes, this.#recordStart, bytes.length);
  }

  end(): void {
    if (!this.#scanner.isComplete)
      this.#findings.add('document-malformed', 'The document is not JSON', this.#member);
  }

  onKey(depth: number): void {
    if (depth === 1) this.#key = this.#scanner.keyText();
    else this.#counter.onKey(depth);
  }

  onValue(depth: number, firstByte: number): void {
    if (depth === 1) this.#beginRelation(firstByte);
    else if (depth === 2 && this.#recordEndDepth === 3) this.#beginElement(firstByte);
    else this.#counter.onValue(depth, firstByte);
  }

  onClose(depth: number): void {
    if (depth === this.#recordEndDepth) this.#endRecord();
    if (depth > 2) this.#counter.onClose(depth);
    else if (depth === 2 && this.#recordEndDepth !== 0) this.#endRelation();
  }

  onCapture(bytes: Buffer, from: number, to: number, isComplete: boolean): void {
    this.#keys?.onCapture(bytes, from, to, isComplete);
  }

  #beginRelation(firstByte: number): void {
    this.#counter.reset();
    this.#recordCount = this.#noteCount = 0;
    this.#recordEndDepth = firstByte === openBracket ? 3 : firstByte === openBrace ? 2 : 0;
    if (this.#recordEndDepth === 0) return;
    this.#writer = this.#index?.addRelation(this.#key) ?? null;
    if (firstByte === openBrace) this.#beginRecord();
  }

  #beginElement(firstByte: number): void {
    if (firstByte === openBrace || firstByte === openBracket) this.#beginRecord();
    else {
      if (firstByte !== firstByteOfNull) this.#recordCount++;
      this.#writer?.endLine('no record');
    }
  }

  #beginRecord(): void {
    this.#recordCount++;
    this.#recordStart = this.#scanner.position;
  }

  #endRecord(): void {
    if (this.#recordStart === null) return;
    this.#writer?.add(this.#bytes, this.#recordStart, this.#scanner.position + 1);
    this.#recordStart = null;
    this.#writer?.endLine(this.#recordEndDepth === 3 && this.#keys !== null ? this.#keys : 'no keys');
    this.#noteCount += this.#recordEndDepth === 3 ? this.#counter.noteCount : 0;
    this.#counter.reset();
  }

  #endRelation(): void {
    this.#totals.relations.add(this.#key, this.#recordCount);
    if (this.#noteCount > 0) this.#totals.notes.add(this.#key, this.#noteCount);
    this.#writer?.end(this.#recordCount);
    this.#writer = null;
    this.#recordEndDepth = 0;
  }
}
