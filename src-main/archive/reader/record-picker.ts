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
export function createRecord(
  { relation, line }: { relation: string; line: number },
  pieces: readonly Buffer[],
  truncated: boolean,
): ArchiveRecord {
  const bytes = Buffer.concat(pieces);
  const text = new TextDecoder().decode(bytes, { stream: truncated });
  return { relation, line, text, truncated, value: truncated || !isJson(bytes) ? null : parseOrNull(text) };
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
  #keptBytes = 0;
  #truncated = false;

  constructor(relation: string, line: number) {
    this.#relation = relation;
    this.#line = line;
  }

  add(bytes: Buffer): void {
    const piece = bytes.subarray(0, maxRecordTextBytes - this.#keptBytes);
    if (piece.length < bytes.length) this.#truncated = true;
    if (piece.length === 0) return;
    this.#pieces.push(Buffer.from(piece));
    this.#keptBytes += piece.length;
  }

  toRecord(): ArchiveRecord {
    return createRecord({ relation: this.#relation, line: this.#line }, this.#pieces, this.#truncated);
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export class LinePicker implements MemberSink {
  readonly #relation: string;
  readonly #selector: RecordSelector;
  #line = 0;
  #text: RecordText | null;
  #atLineStart = true;

  constructor(relation: string, selector: RecordSelector) {
    this.#relation = relation;
    this.#selector = selector;
    this.#text = this.#textIfWanted();
  }

  write(bytes: Buffer): void {
    let offset = 0;
    while (offset < bytes.length) {
      const newline = bytes.indexOf(10, offset);
      const end = newline === -1 ? bytes.length : newline;
      this.#text?.add(bytes.subarray(offset, end));
      this.#atLineStart = newline !== -1;
      if (newline !== -1) this.#endLine();
      offset = end + 1;
    }
  }

  end(): void {
    if (!this.#atLineStart) this.#endLine();
  }

  #endLine(): void {
    if (this.#text !== null) this.#selector.take(this.#text.toRecord());
    this.#line++;
    this.#text = this.#textIfWanted();
  }

  #textIfWanted(): RecordText | null {
    return this.#selector.wants(this.#relation, this.#line)
      ? new RecordText(this.#relation, this.#line)
      : null;
  }
}

/** Picks elements that are objects or arrays, because GitLab writes no others; a single object is line 0. */
export class LegacyPicker implements MemberSink, JsonListener {
  readonly #selector: RecordSelector;
  readonly #scanner = new JsonScanner(this, 3);
  #relation: string | null = null;
  #line = -1;
  /** Depth at which the records of the relation end. */
  #recordEndDepth = 0;
  #text: RecordText | null = null;
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the wanted element continues in the current bytes. */
  #elementStart = 0;

  constructor(selector: RecordSelector) {
    this.#selector = selector;
  }

  write(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#elementStart = 0;
    this.#scanner.write(bytes);
    this.#text?.add(bytes.subarray(this.#elementStart));
  }

  end(): void {
    this.#text = null;
  }

  onKey(depth: number): void {
    if (depth === 1) this.#relation = this.#scanner.keyText();
  }

  onValue(depth: number, firstByte: number): void {
    if (depth === 1) {
      this.#line = -1;
      this.#recordEndDepth = firstByte === 0x5b ? 3 : firstByte === 0x7b ? 2 : 0;
    }
    if (depth !== this.#recordEndDepth - 1 || this.#relation === null) return;
    this.#line++;
    const isContainer = firstByte === 0x7b || firstByte === 0x5b;
    if (!isContainer || !this.#selector.wants(this.#relation, this.#line)) return;
    this.#text = new RecordText(this.#relation, this.#line);
    this.#elementStart = this.#scanner.position;
  }

  onClose(depth: number): void {
    if (depth !== this.#recordEndDepth || this.#text === null) return;
    this.#text.add(this.#bytes.subarray(this.#elementStart, this.#scanner.position + 1));
    this.#selector.take(this.#text.toRecord());
    this.#text = null;
  }
}
