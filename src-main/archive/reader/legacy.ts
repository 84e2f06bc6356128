/**
 * @file Counts the contents of the single document of the legacy layout during the pass, and passes its records to an
 * index. Arrays count their elements, objects count 1; plain attributes are no relations.
 */
import type { FindingList } from '../findings.ts';
import type { RecordIndexWriter, RelationWriter } from '../records/index-writer.ts';
import { JsonScanner, type JsonListener, type RecordListener } from './json-scanner.ts';
import { KeyCollector } from './key-collector.ts';
import { NoteCounter, type RecordTotals } from './records.ts';
import type { MemberSink } from './tar-walker.ts';

const openBrace = 0x7b;
const openBracket = 0x5b;
const nullFirst = 0x6e;

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
  #recordEnd = 0;
  #records = 0;
  #notes = 0;
  #relation: RelationWriter | null = null;
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the current record continues in the current bytes; null between records. */
  #from: number | null = null;

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
    if (this.#from !== null) this.#from = 0;
    this.#scanner.write(bytes);
    if (this.#from !== null) this.#relation?.add(bytes, this.#from, bytes.length);
  }

  end(): void {
    if (!this.#scanner.isComplete)
      this.#findings.add('document-malformed', 'The document is not JSON', this.#member);
  }

  onKey(depth: number): void {
    if (depth === 1) this.#key = this.#scanner.keyText();
    else this.#counter.onKey(depth);
  }

  onValue(depth: number, first: number): void {
    if (depth === 1) this.#relationBegins(first);
    else if (depth === 2 && this.#recordEnd === 3) this.#elementBegins(first);
    else this.#counter.onValue(depth, first);
  }

  onClose(depth: number): void {
    if (depth === this.#recordEnd) this.#recordEnds();
    if (depth > 2) this.#counter.onClose(depth);
    else if (depth === 2 && this.#recordEnd !== 0) this.#relationEnds();
  }

  onCapture(bytes: Buffer, from: number, to: number, isComplete: boolean): void {
    this.#keys?.onCapture(bytes, from, to, isComplete);
  }

  #relationBegins(first: number): void {
    this.#counter.reset();
    this.#records = this.#notes = 0;
    this.#recordEnd = first === openBracket ? 3 : first === openBrace ? 2 : 0;
    if (this.#recordEnd === 0) return;
    this.#relation = this.#index?.relation(this.#key) ?? null;
    if (first === openBrace) this.#recordBegins();
  }

  #elementBegins(first: number): void {
    if (first === openBrace || first === openBracket) this.#recordBegins();
    else {
      if (first !== nullFirst) this.#records++;
      this.#relation?.endLine('no record');
    }
  }

  #recordBegins(): void {
    this.#records++;
    this.#from = this.#scanner.position;
  }

  #recordEnds(): void {
    if (this.#from === null) return;
    this.#relation?.add(this.#bytes, this.#from, this.#scanner.position + 1);
    this.#from = null;
    this.#relation?.endLine(this.#recordEnd === 3 && this.#keys !== null ? this.#keys : 'no keys');
    this.#notes += this.#recordEnd === 3 ? this.#counter.noteCount : 0;
    this.#counter.reset();
  }

  #relationEnds(): void {
    this.#totals.relations.add(this.#key, this.#records);
    if (this.#notes > 0) this.#totals.notes.add(this.#key, this.#notes);
    this.#relation?.end(this.#records);
    this.#relation = null;
    this.#recordEnd = 0;
  }
}
