/**
 * @file Collects the parts of each record that a record index stores, as bytes of its JSON. Nothing is decoded and no
 * string or object is created, because there may be millions of records. Also counts user notes, in place of a
 * `NoteCounter`.
 */
import { countedLists, indexedFields, maxKeyTextLength } from '../records/record-keys.ts';
import { KeyNames, type JsonScanner, type RecordListener } from './json-scanner.ts';

const openBrace = 0x7b;
const openBracket = 0x5b;
const firstByteOfTrue = 0x74;

/** Maximum bytes of one record's kept values. A value that does not fit is left out. */
export const maxKeptBytes = 32 * 1024;
/** Maximum length of one record's keys: the kept values and their names. */
export const maxKeysLength = 2 * maxKeptBytes;

// The names to find, by the places where they can occur. A search returns the index of the name.
const objects = ['author', 'user', 'milestone', 'merge_request_diff'] as const;
const topNames = new KeyNames([...indexedFields, ...countedLists, 'notes', ...objects]);
const firstListIndex = indexedFields.length;
const firstObjectIndex = firstListIndex + countedLists.length + 1;
const notesIndex = firstObjectIndex - 1;
const labelLinksIndex = firstListIndex + countedLists.indexOf('label_links');
const diffIndex = firstObjectIndex + 3;

/** For each object above: the field that is kept. */
const nestedNames = [new KeyNames(['name']), new KeyNames(['username']), new KeyNames(['title'])];
const diffLists = ['merge_request_diff_commits', 'merge_request_diff_files'];
/** The names that the record index stores: first those of values, then those of counts. */
const firstNestedIndex = indexedFields.length;
const valueNames = [...indexedFields, 'author', 'username', 'milestone'].map(encodeName);
const firstDiffCountIndex = countedLists.length + 2;
const countNames = [...countedLists, 'notes', 'system_notes', ...diffLists].map(encodeName);
const [labelsKey, countsKey] = ['labels', 'counts'].map(encodeName) as [Buffer, Buffer];
const diffNames = new KeyNames(diffLists);
const noteNames = new KeyNames(['system']);
const labelLinkNames = new KeyNames(['label']);
const labelNames = new KeyNames(['title']);

export class KeyCollector implements RecordListener {
  /** User notes of the record, as a `NoteCounter` counts them. */
  noteCount = 0;

  readonly #scanner: () => JsonScanner;
  readonly #recordDepth: number;
  readonly #buffer: Buffer;
  #filled = 0;
  /** For each name in `valueNames`: the position of its bytes in `#buffer`; equal bounds if there is none. */
  readonly #from = new Int32Array(valueNames.length);
  readonly #to = new Int32Array(valueNames.length);
  readonly #counts = new Int32Array(countNames.length);
  /** Pairs of the start and end of a label. */
  readonly #labels: number[] = [];
  /** Index of the last key of the record itself, and of the key below it. */
  #topKey = -1;
  #secondKey = -1;
  /** The current list or object, by the index of its key; -1: an irrelevant one. */
  #listIndex = -1;
  #objectIndex = -1;
  #diffListIndex = -1;
  #inElement = false;
  #isSystem = false;
  #thirdKey = -1;
  #inLabel = false;
  #fourthKey = -1;
  #count = 0;
  #userNotes = 0;
  /** The value that is being captured; -1: a label. */
  #target = 0;

  readonly #maxTextLength: number;

  /**
   * @param buffer has `maxKeptBytes` bytes; only this collector uses it until its relation ends.
   * @param maxTextLength maximum length of a text, in code points.
   */
  constructor(
    scanner: () => JsonScanner,
    recordDepth: number,
    buffer: Buffer,
    maxTextLength = maxKeyTextLength,
  ) {
    this.#buffer = buffer;
    this.#scanner = scanner;
    this.#recordDepth = recordDepth;
    this.#maxTextLength = maxTextLength;
  }

  reset(): void {
    this.noteCount = 0;
    this.#filled = 0;
    this.#from.fill(0);
    this.#to.fill(0);
    this.#counts.fill(0);
    this.#labels.length = 0;
    this.#topKey = this.#secondKey = this.#thirdKey = this.#fourthKey = -1;
    this.#listIndex = this.#objectIndex = this.#diffListIndex = -1;
    this.#inElement = this.#inLabel = this.#isSystem = false;
  }

  onKey(depth: number): void {
    switch (depth - this.#recordDepth) {
      case 0:
        this.#topKey = this.#scanner().keyIndexIn(topNames);
        break;
      case 1:
        if (this.#objectIndex === diffIndex) this.#secondKey = this.#scanner().keyIndexIn(diffNames);
        else if (this.#objectIndex !== -1) {
          this.#secondKey = this.#scanner().keyIndexIn(
            nestedNames[this.#objectIndex - firstObjectIndex] ?? noteNames,
          );
        }
        break;
      case 2:
        if (!this.#inElement) break;
        if (this.#listIndex === notesIndex) this.#thirdKey = this.#scanner().keyIndexIn(noteNames);
        else if (this.#listIndex === labelLinksIndex)
          this.#thirdKey = this.#scanner().keyIndexIn(labelLinkNames);
        break;
      case 3:
        if (this.#inLabel) this.#fourthKey = this.#scanner().keyIndexIn(labelNames);
    }
  }

  onValue(depth: number, firstByte: number): void {
    switch (depth - this.#recordDepth) {
      case 0:
        this.#onTopValue(firstByte);
        break;
      case 1:
        if (this.#listIndex !== -1) {
          this.#inElement = firstByte === openBrace;
          if (this.#inElement || this.#listIndex !== notesIndex) this.#count++;
          this.#isSystem = false;
          this.#thirdKey = -1;
        } else if (this.#objectIndex === diffIndex) {
          this.#diffListIndex = firstByte === openBracket ? this.#secondKey : -1;
          this.#count = 0;
        } else if (this.#objectIndex !== -1 && this.#secondKey === 0 && isPlain(firstByte)) {
          this.#capture(firstNestedIndex + this.#objectIndex - firstObjectIndex);
        }
        break;
      case 2:
        if (this.#diffListIndex !== -1) this.#count++;
        else if (this.#inElement && this.#thirdKey === 0) {
          if (this.#listIndex === notesIndex) this.#isSystem = firstByte === firstByteOfTrue;
          else this.#inLabel = firstByte === openBrace;
        }
        break;
      case 3:
        if (this.#inLabel && this.#fourthKey === 0 && isPlain(firstByte)) this.#capture(-1);
    }
  }

  onClose(depth: number): void {
    switch (depth - this.#recordDepth) {
      case 1:
        if (this.#listIndex !== -1) this.#endList();
        this.#listIndex = this.#objectIndex = -1;
        break;
      case 2:
        if (this.#diffListIndex !== -1) {
          this.#counts[firstDiffCountIndex + this.#diffListIndex] = this.#count;
          this.#diffListIndex = -1;
        } else if (this.#inElement) {
          if (this.#listIndex === notesIndex && !this.#isSystem) this.#userNotes++;
          this.#inElement = false;
        }
        break;
      case 3:
        this.#inLabel = false;
    }
  }

  onCapture(bytes: Buffer, from: number, to: number, isComplete: boolean): void {
    const start = this.#filled;
    const maxLength = this.#maxTextLength;
    const end = start + Math.min(to - from, 8 * maxLength);
    if (end > maxKeptBytes) return;
    if (isComplete && to - from <= maxLength) this.#filled = copyBytes(bytes, from, to, this.#buffer, start);
    else
      this.#filled += truncateJson(bytes.toString('latin1', from, to), isComplete, maxLength).copy(
        this.#buffer,
        start,
      );
    if (this.#target === -1) this.#labels.push(start, this.#filled);
    else {
      this.#from[this.#target] = start;
      this.#to[this.#target] = this.#filled;
    }
  }

  /** Writes the keys as JSON into a buffer with room for `maxKeysLength`, and returns their end. */
  writeKeys(output: Buffer, offset: number): number {
    let end = offset;
    for (let index = 0; index < valueNames.length; index++) {
      const [from, to] = [this.#from[index] as number, this.#to[index] as number];
      if (from === to) continue;
      end = copyAll(valueNames[index] as Buffer, output, end);
      end = copyBytes(this.#buffer, from, to, output, end);
    }
    if (this.#labels.length > 0) end = this.#writeLabels(output, end);
    if (this.#counts.some((count) => count > 0)) end = this.#writeCounts(output, end);
    if (end === offset) output[end++] = 0x7b;
    // Each name is preceded by a comma; the first comma becomes the brace.
    output[offset] = openBrace;
    output[end++] = 0x7d;
    return end;
  }

  #writeLabels(output: Buffer, offset: number): number {
    let end = copyAll(labelsKey, output, offset);
    const start = end++;
    for (let index = 0; index < this.#labels.length; index += 2) {
      if (index > 0) output[end++] = 0x2c;
      end = copyBytes(
        this.#buffer,
        this.#labels[index] as number,
        this.#labels[index + 1] as number,
        output,
        end,
      );
    }
    output[start] = openBracket;
    output[end++] = 0x5d;
    return end;
  }

  #writeCounts(output: Buffer, offset: number): number {
    let end = copyAll(countsKey, output, offset);
    const start = end;
    for (let index = 0; index < countNames.length; index++) {
      const count = this.#counts[index] as number;
      if (count === 0) continue;
      end = copyAll(countNames[index] as Buffer, output, end);
      end = writeNumber(count, output, end);
    }
    output[start] = openBrace;
    output[end++] = 0x7d;
    return end;
  }

  #onTopValue(firstByte: number): void {
    const top = this.#topKey;
    if (top === -1) return;
    // If a key occurs twice, the last value counts.
    if (top === notesIndex) this.#setNoteCounts(0, 0);
    if (firstByte === openBracket) {
      if (top < firstListIndex || top >= firstObjectIndex) return;
      this.#listIndex = top;
      this.#count = this.#userNotes = 0;
      if (top === labelLinksIndex) this.#labels.length = 0;
    } else if (firstByte === openBrace) {
      if (top < firstObjectIndex) return;
      this.#objectIndex = top;
      this.#secondKey = -1;
    } else if (top < firstListIndex) this.#capture(top);
  }

  #endList(): void {
    if (this.#listIndex !== notesIndex) {
      this.#counts[this.#listIndex - firstListIndex] = this.#count;
      return;
    }
    this.#setNoteCounts(this.#userNotes, this.#count - this.#userNotes);
  }

  #setNoteCounts(userNotes: number, systemNotes: number): void {
    this.noteCount = userNotes;
    this.#counts[countedLists.length] = userNotes;
    this.#counts[countedLists.length + 1] = systemNotes;
  }

  #capture(target: number): void {
    this.#target = target;
    this.#scanner().capture();
  }
}

function isPlain(firstByte: number): boolean {
  return firstByte !== openBrace && firstByte !== openBracket;
}

function encodeName(name: string): Buffer {
  return Buffer.from(`,"${name}":`);
}

/** For a few bytes a loop is faster than `Buffer.copy`. */
function copyBytes(bytes: Buffer, from: number, to: number, output: Buffer, offset: number): number {
  let end = offset;
  for (let index = from; index < to; index++) output[end++] = bytes[index] as number;
  return end;
}

function copyAll(bytes: Buffer, output: Buffer, offset: number): number {
  return copyBytes(bytes, 0, bytes.length, output, offset);
}

/** Writes a non-negative whole number as decimal digits. */
export function writeNumber(number: number, output: Buffer, offset: number): number {
  let digits = 1;
  for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) digits++;
  let rest = number;
  for (let index = offset + digits - 1; index >= offset; index--) {
    output[index] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return offset + digits;
}

const completeCharacters = /^"(?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*/;

/**
 * Truncates a JSON value, whose text has one character per byte, to `maxLength` characters, which are counted as
 * in GitLab, by code points, so that a valid title is never cut: titles identify records.
 */
function truncateJson(text: string, isComplete: boolean, maxLength: number): Buffer {
  if (!text.startsWith('"')) return Buffer.from('null');
  // An escape that was cut in the middle would be invalid JSON.
  const parsable = isComplete ? text : `${completeCharacters.exec(text)?.[0] ?? '"'}"`;
  const value = JSON.parse(Buffer.from(parsable, 'latin1').toString()) as string;
  return Buffer.from(JSON.stringify(Array.from(value).slice(0, maxLength).join('')));
}
