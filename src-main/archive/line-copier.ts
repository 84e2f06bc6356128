/** @file Copies chosen lines of one relation to a file during a pass, within limits on memory and records. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { AppError } from '../../src-contract/errors.ts';
import type { MemberSink } from './reader/tar-walker.ts';

const newline = 10;
/** Short lines are gathered to this many bytes: one system call per line would dominate the time. */
const bufferBytes = 256 * 1024;
/**
 * No relation of an export has that many records. The limit exists because memory holds the line number of each record.
 */
const maxCopiedLines = 2_000_000;

const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);

/** Creates a file that only its owner can read, and writes it in large pieces. */
export class LineWriter {
  readonly #file: number;
  #buffer: Buffer | null = null;
  #filled = 0;
  #isOpen = true;

  /** Throws the error of opening the file. */
  constructor(path: string) {
    this.#file = openSync(path, 'wx', 0o600);
  }

  write(bytes: Buffer): void {
    if (this.#filled + bytes.length >= bufferBytes) this.#flush();
    if (bytes.length >= bufferBytes) this.#writeAll(bytes);
    else {
      this.#buffer ??= Buffer.allocUnsafeSlow(bufferBytes);
      this.#filled += bytes.copy(this.#buffer, this.#filled);
    }
  }

  endLine(): void {
    this.write(lineEnd);
  }

  /** Writes the remaining bytes. */
  close(): void {
    this.#flush();
    this.abandon();
  }

  /** Closes the file without writing the rest; idempotent. */
  abandon(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }

  #flush(): void {
    if (this.#buffer === null || this.#filled === 0) return;
    const bytes = this.#buffer.subarray(0, this.#filled);
    this.#filled = 0;
    this.#writeAll(bytes);
  }

  #writeAll(bytes: Buffer): void {
    for (let offset = 0; offset < bytes.length;) offset += writeSync(this.#file, bytes, offset);
  }
}

const lineEnd = Buffer.from([newline]);

/** Copies lines without leading white space, and skips blank lines. Throws `archive-limit` past two million. */
export class LineCopier implements MemberSink {
  readonly relation: string;
  /** Line numbers in the archive, in the order of copying. */
  readonly copiedLines: number[] = [];
  hasBegun = false;
  /** Null for all lines. */
  readonly wantedLines: ReadonlySet<number> | null;
  readonly #lastLine: number;
  readonly #file: LineWriter;
  readonly #max: number;
  #line = 0;
  #hasText = false;
  #ended = false;
  #atLineStart = true;

  /** @param lines null for all lines. */
  constructor(
    { relation, lines }: { relation: string; lines: readonly number[] | null },
    path: string,
    max = maxCopiedLines,
  ) {
    this.relation = relation;
    this.wantedLines = lines === null ? null : new Set(lines);
    this.#lastLine = lines === null ? Infinity : lines.reduce((last, line) => Math.max(last, line), -1);
    this.#max = max;
    this.#file = new LineWriter(path);
  }

  get isComplete(): boolean {
    return this.#ended || this.#line > this.#lastLine;
  }

  begin(): void {
    this.hasBegun = true;
  }

  write(bytes: Buffer): void {
    let offset = 0;
    while (offset < bytes.length && this.#line <= this.#lastLine) {
      const found = bytes.indexOf(newline, offset);
      const end = found === -1 ? bytes.length : found;
      if (this.wantedLines === null || this.wantedLines.has(this.#line)) this.#copy(bytes, offset, end);
      this.#atLineStart = found !== -1;
      if (found !== -1) this.#endLine();
      offset = end + 1;
    }
  }

  end(): void {
    if (!this.#atLineStart) this.#endLine();
    this.#ended = true;
  }

  /** Copies one complete line. */
  copyLine(line: number, bytes: Buffer): void {
    this.#line = line;
    this.#copy(bytes, 0, bytes.length);
    this.#endLine();
  }

  /** Throws `record-missing` if a wanted line did not occur. */
  finish(): void {
    if (!this.hasBegun) {
      throw new AppError('record-missing', `The archive has no relation "${this.relation}".`);
    }
    if (this.wantedLines === null || this.copiedLines.length === this.wantedLines.size) return;
    const copiedLineSet = new Set(this.copiedLines);
    const missingLine = [...this.wantedLines].find((line) => !copiedLineSet.has(line)) ?? 0;
    throw new AppError('record-missing', `There is no record on line ${missingLine} of ${this.relation}.`);
  }

  /** Closes the file after writing all lines so far. */
  close(): void {
    this.#file.close();
  }

  /** Idempotent. */
  abandon(): void {
    this.#file.abandon();
  }

  #copy(bytes: Buffer, from: number, to: number): void {
    let start = from;
    if (!this.#hasText) while (start < to && isSpace(bytes[start] as number)) start++;
    if (start === to) return;
    this.#hasText = true;
    this.#file.write(bytes.subarray(start, to));
  }

  #endLine(): void {
    if (this.#hasText) {
      if (this.copiedLines.length === this.#max) {
        throw new AppError(
          'archive-limit',
          `More than ${this.#max} records of ${this.relation} were chosen.`,
        );
      }
      this.#file.endLine();
      this.copiedLines.push(this.#line);
    }
    this.#hasText = false;
    this.#line += 1;
  }
}
