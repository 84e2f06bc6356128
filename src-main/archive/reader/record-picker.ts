/** @file Sinks that pick records out of members during the pass: lines of NDJSON, elements of the legacy document. */
import type { ArchiveRecord } from '../../../src-contract/archives/archive.ts';
import { JsonScanner, type JsonListener } from './json-scanner.ts';
import type { MemberSink } from './tar-walker.ts';

export interface RecordSelector {
  wants(relation: string, line: number): boolean;
  take(record: ArchiveRecord): void;
}

/** Maximum bytes of a record's text that are shown. */
export const maxRecordTextBytes = 1024 * 1024;

/** Creates a record from the first bytes of its text. A character that was cut in the middle is left out. */
export function recordFrom(
  { relation, line }: { relation: string; line: number },
  pieces: readonly Buffer[],
  truncated: boolean,
): ArchiveRecord {
  const bytes = Buffer.concat(pieces);
  const text = new TextDecoder().decode(bytes, { stream: truncated });
  return { relation, line, text, truncated, value: truncated || !isJson(bytes) ? null : parsed(text) };
}

/** Excludes deeply nested JSON that an archive reader refuses: it could be parsed, but not copied or shown. */
function isJson(bytes: Buffer): boolean {
  const scanner = new JsonScanner();
  scanner.write(bytes);
  return scanner.isComplete;
}

/** Collects one record's text, up to the maximum that is shown. */
class RecordText {
  readonly #relation: string;
  readonly #line: number;
  readonly #pieces: Buffer[] = [];
  #kept = 0;
  #truncated = false;

  constructor(relation: string, line: number) {
    this.#relation = relation;
    this.#line = line;
  }

  add(bytes: Buffer): void {
    const piece = bytes.subarray(0, maxRecordTextBytes - this.#kept);
    if (piece.length < bytes.length) this.#truncated = true;
    if (piece.length === 0) return;
    this.#pieces.push(Buffer.from(piece));
    this.#kept += piece.length;
  }

  toRecord(): ArchiveRecord {
    return recordFrom({ relation: this.#relation, line: this.#line }, this.#pieces, this.#truncated);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export class LinePicker implements MemberSink {
  readonly #relation: string;
  readonly #wanted: RecordSelector;
  #line = 0;
  #text: RecordText | null;
  #atLineStart = true;

  constructor(relation: string, wanted: RecordSelector) {
    this.#relation = relation;
    this.#wanted = wanted;
    this.#text = this.#textIfWanted();
  }

  write(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      const newline = bytes.indexOf(10, at);
      const end = newline === -1 ? bytes.length : newline;
      this.#text?.add(bytes.subarray(at, end));
      this.#atLineStart = newline !== -1;
      if (newline !== -1) this.#endLine();
      at = end + 1;
    }
  }

  end(): void {
    if (!this.#atLineStart) this.#endLine();
  }

  #endLine(): void {
    if (this.#text !== null) this.#wanted.take(this.#text.toRecord());
    this.#line++;
    this.#text = this.#textIfWanted();
  }

  #textIfWanted(): RecordText | null {
    return this.#wanted.wants(this.#relation, this.#line) ? new RecordText(this.#relation, this.#line) : null;
  }
}

/** Picks elements that are objects or arrays, because GitLab writes no others; a single object is line 0. */
export class LegacyPicker implements MemberSink, JsonListener {
  readonly #wanted: RecordSelector;
  readonly #scanner = new JsonScanner(this, 3);
  #relation: string | null = null;
  #line = -1;
  /** Depth at which the records of the relation end. */
  #recordEnd = 0;
  #text: RecordText | null = null;
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the wanted element continues in the current bytes. */
  #from = 0;

  constructor(wanted: RecordSelector) {
    this.#wanted = wanted;
  }

  write(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#from = 0;
    this.#scanner.write(bytes);
    this.#text?.add(bytes.subarray(this.#from));
  }

  end(): void {
    this.#text = null;
  }

  onKey(depth: number): void {
    if (depth === 1) this.#relation = this.#scanner.keyText();
  }

  onValue(depth: number, first: number): void {
    if (depth === 1) {
      this.#line = -1;
      this.#recordEnd = first === 0x5b ? 3 : first === 0x7b ? 2 : 0;
    }
    if (depth !== this.#recordEnd - 1 || this.#relation === null) return;
    this.#line++;
    const isContainer = first === 0x7b || first === 0x5b;
    if (!isContainer || !this.#wanted.wants(this.#relation, this.#line)) return;
    this.#text = new RecordText(this.#relation, this.#line);
    this.#from = this.#scanner.position;
  }

  onClose(depth: number): void {
    if (depth !== this.#recordEnd || this.#text === null) return;
    this.#text.add(this.#bytes.subarray(this.#from, this.#scanner.position + 1));
    this.#wanted.take(this.#text.toRecord());
    this.#text = null;
  }
}
