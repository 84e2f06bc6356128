/**
 * @file Counts the records of NDJSON relation files as they are read, and adds them to an index. Every record must be
 * JSON. User notes are counted inside records: elements of a record's `notes` without `"system": true`.
 */
import type { Counts } from '../../../src-contract/archives/archive.ts';
import type { FindingCode, FindingList } from '../findings.ts';
import type { RelationWriter } from '../records/index-writer.ts';
import { maxKeyTextLength, maxRefNameLength, repositoryRefsEntry } from '../records/record-keys.ts';
import { JsonScanner, type RecordListener } from './json-scanner.ts';
import { KeyCollector } from './key-collector.ts';
import type { MemberSink } from './tar-walker.ts';

/** Counts by name. A Map, because names come from the archive. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, count: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  toCounts(): Counts {
    return Object.fromEntries(this.#counts);
  }
}

const notesKey = Buffer.from('notes');
const systemKey = Buffer.from('system');
const openBrace = 0x7b;
const openBracket = 0x5b;
const firstByteOfTrue = 0x74;

/** Reads one record at a time and counts its user notes. `recordDepth` is the depth of the record's own keys. */
export class NoteCounter implements RecordListener {
  noteCount = 0;
  readonly #scanner: () => JsonScanner;
  readonly #recordDepth: number;
  #lastKeyIsNotes = false;
  #lastKeyIsSystem = false;
  #inNotes = false;
  #inNote = false;
  #isSystem = false;

  constructor(scanner: () => JsonScanner, recordDepth: number) {
    this.#scanner = scanner;
    this.#recordDepth = recordDepth;
  }

  reset(): void {
    this.noteCount = 0;
    this.#inNotes = this.#inNote = this.#isSystem = this.#lastKeyIsNotes = this.#lastKeyIsSystem = false;
  }

  onKey(depth: number): void {
    if (depth === this.#recordDepth) this.#lastKeyIsNotes = this.#scanner().keyIs(notesKey);
    else if (this.#inNote && depth === this.#recordDepth + 2) {
      this.#lastKeyIsSystem = this.#scanner().keyIs(systemKey);
    }
  }

  onValue(depth: number, firstByte: number): void {
    const relativeDepth = depth - this.#recordDepth;
    if (relativeDepth === 0) {
      // If a key occurs twice, the last value counts.
      if (this.#lastKeyIsNotes) this.noteCount = 0;
      this.#inNotes = this.#lastKeyIsNotes && firstByte === openBracket;
    } else if (relativeDepth === 1) {
      this.#inNote = this.#inNotes && firstByte === openBrace;
      this.#isSystem = false;
    } else if (relativeDepth === 2 && this.#inNote && this.#lastKeyIsSystem)
      this.#isSystem = firstByte === firstByteOfTrue;
  }

  onClose(depth: number): void {
    const relativeDepth = depth - this.#recordDepth;
    if (relativeDepth === 2 && this.#inNote) {
      if (!this.#isSystem) this.noteCount++;
      this.#inNote = false;
    } else if (relativeDepth === 1) this.#inNotes = false;
  }
}

export interface RecordTotals {
  relations: Tally;
  notes: Tally;
}

/**
 * Reads one `tree/project/<relation>.ndjson`. Line numbers start at zero and count blank lines, like GitLab's
 * `line_number`.
 */
export class RelationSink implements MemberSink {
  readonly #member: string;
  readonly #relation: string;
  readonly #totals: RecordTotals;
  readonly #findings: FindingList;
  readonly #maxRecordBytes: number;
  readonly #counter: RecordListener;
  readonly #scanner: JsonScanner;
  readonly #index: { writer: RelationWriter; keys: KeyCollector } | null = null;
  #line = 0;
  #lineBytes = 0;
  #recordCount = 0;
  #noteCount = 0;

  constructor(
    member: string,
    relation: string,
    totals: RecordTotals,
    findings: FindingList,
    maxRecordBytes: number,
    /** Writes the records to the record index; null if no index is written. */
    writer: RelationWriter | null,
  ) {
    this.#member = member;
    this.#relation = relation;
    this.#totals = totals;
    this.#findings = findings;
    this.#maxRecordBytes = maxRecordBytes;
    if (writer === null) {
      this.#counter = new NoteCounter(() => this.#scanner, 1);
      this.#scanner = new JsonScanner(this.#counter, 3);
    } else {
      const maxTextLength = relation === repositoryRefsEntry ? maxRefNameLength : maxKeyTextLength;
      const keys = new KeyCollector(() => this.#scanner, 1, writer.keyBuffer, maxTextLength);
      this.#counter = keys;
      this.#index = { writer, keys };
      this.#scanner = new JsonScanner(keys, 4);
    }
  }

  write(bytes: Buffer): void {
    let offset = 0;
    while (offset < bytes.length) {
      const newline = bytes.indexOf(10, offset);
      const end = newline === -1 ? bytes.length : newline;
      this.#lineBytes += end - offset;
      this.#scanner.write(bytes, offset, end);
      this.#index?.writer.add(bytes, offset, end);
      if (newline !== -1) this.#endLine();
      offset = end + 1;
    }
  }

  end(): void {
    if (this.#lineBytes > 0) this.#endLine();
    this.#totals.relations.add(this.#relation, this.#recordCount);
    this.#index?.writer.end(this.#recordCount);
    if (this.#noteCount > 0) this.#totals.notes.add(this.#relation, this.#noteCount);
  }

  #endLine(): void {
    if (this.#index !== null) {
      const keys = this.#scanner.isComplete ? this.#index.keys : 'no keys';
      this.#index.writer.endLine(this.#scanner.isBlank || this.#scanner.isNull ? 'no record' : keys);
    }
    if (this.#scanner.isBlank)
      this.#report('blank-line', 'A line is blank; GitLab refuses the whole archive');
    // A line `null` represents an absent singleton; GitLab ignores such a line in a collection.
    else if (!this.#scanner.isNull) {
      if (this.#scanner.hasLoneSurrogate) this.#report('surrogate-alone', loneSurrogateMessage);
      this.#recordCount++;
      this.#noteCount += this.#counter.noteCount;
      if (!this.#scanner.isComplete) this.#report('record-malformed', 'A record is not JSON');
      if (this.#lineBytes > this.#maxRecordBytes) {
        this.#report('record-too-long', `A record is longer than ${this.#maxRecordBytes} bytes`);
      }
    }
    this.#line++;
    this.#lineBytes = 0;
    this.#counter.reset();
    this.#scanner.reset();
  }

  #report(code: FindingCode, message: string): void {
    this.#findings.add(code, message, `${this.#member}:${this.#line}`);
  }
}

const loneSurrogateMessage = 'Half of a surrogate pair is missing; GitLab refuses the whole archive';

/** Checks one JSON document whose contents are not counted (`tree/project.json`, `lfs-objects.json`). */
export class DocumentSink implements MemberSink {
  readonly #member: string;
  readonly #findings: FindingList;
  readonly #scanner = new JsonScanner();
  readonly #copySink: MemberSink | null;
  readonly #maxBytes: number | null;
  #length = 0;
  /** The first byte that is no white space. */
  #firstByte = 0;

  /**
   * @param copySink receives a copy of the bytes.
   * @param maxBytes limit for the attributes of the project, which must be an object; null for other documents.
   */
  constructor(
    member: string,
    findings: FindingList,
    copySink: MemberSink | null = null,
    maxBytes: number | null = null,
  ) {
    this.#member = member;
    this.#findings = findings;
    this.#copySink = copySink;
    this.#maxBytes = maxBytes;
  }

  write(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#firstByte === 0) this.#firstByte = bytes.find((byte) => byte > 0x20) ?? 0;
    this.#scanner.write(bytes);
    this.#copySink?.write(bytes);
  }

  end(): void {
    this.#copySink?.end();
    if (!this.#scanner.isComplete)
      this.#findings.add('record-malformed', 'The document is not JSON', this.#member);
    if (this.#scanner.hasLoneSurrogate)
      this.#findings.add('surrogate-alone', loneSurrogateMessage, this.#member);
    if (this.#maxBytes === null) return;
    if (this.#scanner.isComplete && this.#firstByte !== openBrace) {
      const message = 'The attributes of the project are not a JSON object; GitLab refuses the whole archive';
      this.#findings.add('document-no-object', message, this.#member);
    }
    if (this.#length > this.#maxBytes) {
      const message = `The attributes of the project are longer than ${this.#maxBytes} bytes; GitLab refuses the whole archive`;
      this.#findings.add('document-too-long', message, this.#member);
    }
  }
}
