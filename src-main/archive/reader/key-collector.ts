/**
 * @file Hears one record at a time and gathers what a record index keeps of it, as the JSON text that it stands in, so that
 * nothing is decoded and written again. Counts user notes too, in place of a `NoteCounter`.
 */
import { countedLists, keptFields, longestKeyText } from '../records/record-keys.ts';
import { KeyNames, type JsonListener, type JsonScanner } from './json-scanner.ts';
import type { RecordListener } from './records.ts';

const openBrace = 0x7b;
const openBracket = 0x5b;
const trueFirst = 0x74;

const mostLabels = 1000;

// The names that are looked for, at the places where they can stand; what is told of them is their index.
const objects = ['author', 'user', 'milestone', 'merge_request_diff'] as const;
const topNames = new KeyNames([...keptFields, ...countedLists, 'notes', ...objects]);
const firstList = keptFields.length;
const firstObject = firstList + countedLists.length + 1;
const notesIndex = firstObject - 1;
const labelLinksIndex = firstList + countedLists.indexOf('label_links');
const [author, user, milestone, diff] = [0, 1, 2, 3].map((at) => firstObject + at);

/** Of the objects above: the field that is kept, and its name in the index. */
const nested = new Map([
  [author, { field: new KeyNames(['name']), name: 'author' }],
  [user, { field: new KeyNames(['username']), name: 'username' }],
  [milestone, { field: new KeyNames(['title']), name: 'milestone' }],
]);
const diffLists = ['merge_request_diff_commits', 'merge_request_diff_files'] as const;
const diffNames = new KeyNames(diffLists);
const inNote = new KeyNames(['system']);
const inLabelLink = new KeyNames(['label']);
const inLabel = new KeyNames(['title']);

export class KeyCollector implements RecordListener, JsonListener {
  /** User notes of the record, as a `NoteCounter` counts them. */
  notes = 0;

  readonly #scanner: () => JsonScanner;
  readonly #recordDepth: number;
  readonly #values = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  #labels: string[] = [];
  /** Index of the record's own key that was read last, and of the one below it. */
  #top = -1;
  #second = -1;
  /** The list or object that is being heard, by the index of its key; -1: none that matters. */
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
  /** Where the value that is being captured goes. */
  #target = '';

  constructor(scanner: () => JsonScanner, recordDepth: number) {
    this.#scanner = scanner;
    this.#recordDepth = recordDepth;
  }

  reset(): void {
    this.notes = 0;
    this.#values.clear();
    this.#counts.clear();
    if (this.#labels.length > 0) this.#labels = [];
    this.#top = this.#second = this.#third = this.#fourth = -1;
    this.#inList = this.#inObject = this.#inDiffList = -1;
    this.#inElement = this.#inLabel = this.#isSystem = false;
  }

  key(depth: number): void {
    switch (depth - this.#recordDepth) {
      case 0:
        this.#top = this.#scanner().keyIn(topNames);
        break;
      case 1:
        if (this.#inObject === diff) this.#second = this.#scanner().keyIn(diffNames);
        else if (this.#inObject !== -1) {
          this.#second = this.#scanner().keyIn(nested.get(this.#inObject)?.field ?? inNote);
        }
        break;
      case 2:
        if (!this.#inElement) break;
        if (this.#inList === notesIndex) this.#third = this.#scanner().keyIn(inNote);
        else if (this.#inList === labelLinksIndex) this.#third = this.#scanner().keyIn(inLabelLink);
        break;
      case 3:
        if (this.#inLabel) this.#fourth = this.#scanner().keyIn(inLabel);
    }
  }

  value(depth: number, first: number): void {
    switch (depth - this.#recordDepth) {
      case 0:
        this.#topValue(first);
        break;
      case 1:
        if (this.#inList !== -1) {
          this.#count++;
          this.#inElement = first === openBrace;
          this.#isSystem = false;
          this.#third = -1;
        } else if (this.#inObject === diff) {
          this.#inDiffList = first === openBracket ? this.#second : -1;
          this.#count = 0;
        } else if (this.#inObject !== -1 && this.#second === 0 && isPlain(first)) {
          this.#capture(nested.get(this.#inObject)?.name ?? '');
        }
        break;
      case 2:
        if (this.#inDiffList !== -1) this.#count++;
        else if (this.#inElement && this.#third === 0) {
          if (this.#inList === notesIndex) this.#isSystem = first === trueFirst;
          else this.#inLabel = first === openBrace;
        }
        break;
      case 3:
        if (this.#inLabel && this.#fourth === 0 && isPlain(first)) this.#capture('label');
    }
  }

  close(depth: number): void {
    switch (depth - this.#recordDepth) {
      case 1:
        if (this.#inList !== -1) this.#listEnds();
        this.#inList = this.#inObject = -1;
        break;
      case 2:
        if (this.#inDiffList !== -1) {
          this.#counts.set(diffLists[this.#inDiffList] ?? '', this.#count);
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

  captured(text: string, whole: boolean): void {
    const kept = cut(text, whole);
    if (this.#target !== 'label') this.#values.set(this.#target, kept);
    else if (this.#labels.length < mostLabels) this.#labels.push(kept);
  }

  /** The keys as JSON text, one character for each byte. */
  keysText(): string {
    let text = '';
    for (const [name, value] of this.#values) text += `,"${name}":${value}`;
    if (this.#labels.length > 0) text += `,"labels":[${this.#labels.join(',')}]`;
    let counts = '';
    for (const [name, count] of this.#counts) if (count > 0) counts += `,"${name}":${count}`;
    if (counts !== '') text += `,"counts":{${counts.slice(1)}}`;
    return `{${text.slice(1)}}`;
  }

  #topValue(first: number): void {
    const top = this.#top;
    if (top === -1) return;
    if (first === openBracket) {
      if (top < firstList || top >= firstObject) return;
      this.#inList = top;
      this.#count = this.#userNotes = 0;
      if (top === labelLinksIndex) this.#labels = [];
    } else if (first === openBrace) {
      if (top < firstObject) return;
      this.#inObject = top;
      this.#second = -1;
    } else if (top < firstList) this.#capture(keptFields[top] ?? '');
  }

  #listEnds(): void {
    if (this.#inList !== notesIndex) {
      this.#counts.set(countedLists[this.#inList - firstList] ?? '', this.#count);
      return;
    }
    this.notes += this.#userNotes;
    this.#counts.set('notes', this.#userNotes);
    this.#counts.set('system_notes', this.#count - this.#userNotes);
  }

  #capture(target: string): void {
    this.#target = target;
    this.#scanner().capture();
  }
}

function isPlain(first: number): boolean {
  return first !== openBrace && first !== openBracket;
}

const wholeEscapes = /^"(?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*/;

/** The text of a plain value, which is longer than `longestKeyText` characters in no case. */
function cut(text: string, whole: boolean): string {
  if (text.length <= longestKeyText) return text;
  if (!text.startsWith('"')) return 'null';
  // An escape that was cut in the middle would make it no JSON.
  const parsable = whole ? text : `${wholeEscapes.exec(text)?.[0] ?? '"'}"`;
  const value = JSON.parse(Buffer.from(parsable, 'latin1').toString()) as string;
  const short = value.slice(0, longestKeyText).replace(/[\ud800-\udbff]$/, '');
  return Buffer.from(JSON.stringify(short)).toString('latin1');
}
