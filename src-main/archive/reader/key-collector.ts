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

/** For one record; a value that does not fit is left out. */
export const maxKeptBytes = 32 * 1024;
/** Maximum length of one record's keys: the kept values and their names. */
export const maxKeysLength = 2 * maxKeptBytes;

// The names to find, by the places where they can occur; results are their indexes.
const objects = ['author', 'user', 'milestone', 'merge_request_diff'] as const;
const topNames = new KeyNames([...indexedFields, ...countedLists, 'notes', ...objects]);
const firstList = indexedFields.length;
const firstObject = firstList + countedLists.length + 1;
const notesIndex = firstObject - 1;
const labelLinksIndex = firstList + countedLists.indexOf('label_links');
const diff = firstObject + 3;

/** For each object above: the field that is kept. */
const nested = [new KeyNames(['name']), new KeyNames(['username']), new KeyNames(['title'])];
const diffLists = ['merge_request_diff_commits', 'merge_request_diff_files'];
/** In the index: names of values, then names of counts. */
const firstNested = indexedFields.length;
const valueNames = [...indexedFields, 'author', 'username', 'milestone'].map(asName);
const firstDiffCount = countedLists.length + 2;
const countNames = [...countedLists, 'notes', 'system_notes', ...diffLists].map(asName);
const [labelsBegin, countsBegin] = ['labels', 'counts'].map(asName) as [Buffer, Buffer];
const diffNames = new KeyNames(diffLists);
const inNote = new KeyNames(['system']);
const inLabelLink = new KeyNames(['label']);
const inLabel = new KeyNames(['title']);

export class KeyCollector implements RecordListener {
  /** User notes of the record, as a `NoteCounter` counts them. */
  noteCount = 0;

  readonly #scanner: () => JsonScanner;
  readonly #recordDepth: number;
  readonly #kept: Buffer;
  #filled = 0;
  /** For each name in `values`: the position of its bytes in `#kept`; equal bounds if there is none. */
  readonly #from = new Int32Array(valueNames.length);
  readonly #to = new Int32Array(valueNames.length);
  readonly #counts = new Int32Array(countNames.length);
  /** Pairs of the start and end of a label. */
  readonly #labels: number[] = [];
  /** Index of the last key of the record itself, and of the key below it. */
  #top = -1;
  #second = -1;
  /** The current list or object, by the index of its key; -1: an irrelevant one. */
  #inList = -1;
  #inObject = -1;
  #inDiffList = -1;
  #inElement = false;
  #isSystem = false;
  #third = -1;
  #inLabel = false;
  #fourth = -1;
  #count = 0;
  #userNotes = 0;
  /** The value that is being captured; -1: a label. */
  #target = 0;

  readonly #maxTextLength: number;

  /**
   * @param kept of `maxKeptBytes`, used by this collector alone until its relation ends.
   * @param maxTextLength maximum length of a text, in code points.
   */
  constructor(
    scanner: () => JsonScanner,
    recordDepth: number,
    kept: Buffer,
    maxTextLength = maxKeyTextLength,
  ) {
    this.#kept = kept;
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
    this.#top = this.#second = this.#third = this.#fourth = -1;
    this.#inList = this.#inObject = this.#inDiffList = -1;
    this.#inElement = this.#inLabel = this.#isSystem = false;
  }

  onKey(depth: number): void {
    switch (depth - this.#recordDepth) {
      case 0:
        this.#top = this.#scanner().keyIndexIn(topNames);
        break;
      case 1:
        if (this.#inObject === diff) this.#second = this.#scanner().keyIndexIn(diffNames);
        else if (this.#inObject !== -1) {
          this.#second = this.#scanner().keyIndexIn(nested[this.#inObject - firstObject] ?? inNote);
        }
        break;
      case 2:
        if (!this.#inElement) break;
        if (this.#inList === notesIndex) this.#third = this.#scanner().keyIndexIn(inNote);
        else if (this.#inList === labelLinksIndex) this.#third = this.#scanner().keyIndexIn(inLabelLink);
        break;
      case 3:
        if (this.#inLabel) this.#fourth = this.#scanner().keyIndexIn(inLabel);
    }
  }

  onValue(depth: number, first: number): void {
    switch (depth - this.#recordDepth) {
      case 0:
        this.#topValue(first);
        break;
      case 1:
        if (this.#inList !== -1) {
          this.#inElement = first === openBrace;
          if (this.#inElement || this.#inList !== notesIndex) this.#count++;
          this.#isSystem = false;
          this.#third = -1;
        } else if (this.#inObject === diff) {
          this.#inDiffList = first === openBracket ? this.#second : -1;
          this.#count = 0;
        } else if (this.#inObject !== -1 && this.#second === 0 && isPlain(first)) {
          this.#capture(firstNested + this.#inObject - firstObject);
        }
        break;
      case 2:
        if (this.#inDiffList !== -1) this.#count++;
        else if (this.#inElement && this.#third === 0) {
          if (this.#inList === notesIndex) this.#isSystem = first === firstByteOfTrue;
          else this.#inLabel = first === openBrace;
        }
        break;
      case 3:
        if (this.#inLabel && this.#fourth === 0 && isPlain(first)) this.#capture(-1);
    }
  }

  onClose(depth: number): void {
    switch (depth - this.#recordDepth) {
      case 1:
        if (this.#inList !== -1) this.#listEnds();
        this.#inList = this.#inObject = -1;
        break;
      case 2:
        if (this.#inDiffList !== -1) {
          this.#counts[firstDiffCount + this.#inDiffList] = this.#count;
          this.#inDiffList = -1;
        } else if (this.#inElement) {
          if (this.#inList === notesIndex && !this.#isSystem) this.#userNotes++;
          this.#inElement = false;
        }
        break;
      case 3:
        this.#inLabel = false;
    }
  }

  onCapture(bytes: Buffer, from: number, to: number, isComplete: boolean): void {
    const start = this.#filled;
    const longest = this.#maxTextLength;
    const end = start + Math.min(to - from, 8 * longest);
    if (end > maxKeptBytes) return;
    if (isComplete && to - from <= longest) this.#filled = copyBytes(bytes, from, to, this.#kept, start);
    else this.#filled += cut(bytes.toString('latin1', from, to), isComplete, longest).copy(this.#kept, start);
    if (this.#target === -1) this.#labels.push(start, this.#filled);
    else {
      this.#from[this.#target] = start;
      this.#to[this.#target] = this.#filled;
    }
  }

  /** Writes the keys as JSON into a buffer with room for `maxKeysLength`, and returns their end. */
  writeKeys(into: Buffer, at: number): number {
    let end = at;
    for (let value = 0; value < valueNames.length; value++) {
      const [from, to] = [this.#from[value] as number, this.#to[value] as number];
      if (from === to) continue;
      end = copyAll(valueNames[value] as Buffer, into, end);
      end = copyBytes(this.#kept, from, to, into, end);
    }
    if (this.#labels.length > 0) end = this.#writeLabels(into, end);
    if (this.#counts.some((count) => count > 0)) end = this.#writeCounts(into, end);
    if (end === at) into[end++] = 0x7b;
    // Each name is preceded by a comma; the first comma becomes the brace.
    into[at] = openBrace;
    into[end++] = 0x7d;
    return end;
  }

  #writeLabels(into: Buffer, at: number): number {
    let end = copyAll(labelsBegin, into, at);
    const begin = end++;
    for (let label = 0; label < this.#labels.length; label += 2) {
      if (label > 0) into[end++] = 0x2c;
      end = copyBytes(
        this.#kept,
        this.#labels[label] as number,
        this.#labels[label + 1] as number,
        into,
        end,
      );
    }
    into[begin] = openBracket;
    into[end++] = 0x5d;
    return end;
  }

  #writeCounts(into: Buffer, at: number): number {
    let end = copyAll(countsBegin, into, at);
    const begin = end;
    for (let name = 0; name < countNames.length; name++) {
      const count = this.#counts[name] as number;
      if (count === 0) continue;
      end = copyAll(countNames[name] as Buffer, into, end);
      end = writeNumber(count, into, end);
    }
    into[begin] = openBrace;
    into[end++] = 0x7d;
    return end;
  }

  #topValue(first: number): void {
    const top = this.#top;
    if (top === -1) return;
    // If a key occurs twice, the last value counts.
    if (top === notesIndex) this.#notesEnd(0, 0);
    if (first === openBracket) {
      if (top < firstList || top >= firstObject) return;
      this.#inList = top;
      this.#count = this.#userNotes = 0;
      if (top === labelLinksIndex) this.#labels.length = 0;
    } else if (first === openBrace) {
      if (top < firstObject) return;
      this.#inObject = top;
      this.#second = -1;
    } else if (top < firstList) this.#capture(top);
  }

  #listEnds(): void {
    if (this.#inList !== notesIndex) {
      this.#counts[this.#inList - firstList] = this.#count;
      return;
    }
    this.#notesEnd(this.#userNotes, this.#count - this.#userNotes);
  }

  #notesEnd(written: number, system: number): void {
    this.noteCount = written;
    this.#counts[countedLists.length] = written;
    this.#counts[countedLists.length + 1] = system;
  }

  #capture(target: number): void {
    this.#target = target;
    this.#scanner().capture();
  }
}

function isPlain(first: number): boolean {
  return first !== openBrace && first !== openBracket;
}

function asName(name: string): Buffer {
  return Buffer.from(`,"${name}":`);
}

/** For a few bytes a loop is faster than `Buffer.copy`. */
function copyBytes(bytes: Buffer, from: number, to: number, into: Buffer, at: number): number {
  let end = at;
  for (let index = from; index < to; index++) into[end++] = bytes[index] as number;
  return end;
}

function copyAll(bytes: Buffer, into: Buffer, at: number): number {
  return copyBytes(bytes, 0, bytes.length, into, at);
}

/** Writes a non-negative whole number as decimal digits. */
export function writeNumber(number: number, into: Buffer, at: number): number {
  let digits = 1;
  for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) digits++;
  let rest = number;
  for (let index = at + digits - 1; index >= at; index--) {
    into[index] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return at + digits;
}

const wholeEscapes = /^"(?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*/;

/**
 * Returns a long plain value, with one character for each byte, as JSON of at most that many characters. They are
 * counted as GitLab counts, by code points, so that a valid title is never cut: records are identified by it.
 */
function cut(text: string, isComplete: boolean, longest: number): Buffer {
  if (!text.startsWith('"')) return Buffer.from('null');
  // An escape that was cut in the middle would be invalid JSON.
  const parsable = isComplete ? text : `${wholeEscapes.exec(text)?.[0] ?? '"'}"`;
  const value = JSON.parse(Buffer.from(parsable, 'latin1').toString()) as string;
  return Buffer.from(JSON.stringify(Array.from(value).slice(0, longest).join('')));
}
