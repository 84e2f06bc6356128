/**
 * @file Checks JSON that arrives in pieces, byte by byte, without building values: a document of any size costs the
 * same memory. Accepts exactly what `JSON.parse` accepts, except nesting deeper than `maxDepth`. Does not check that
 * strings are UTF-8.
 */

export interface JsonListener {
  /** Called when a value begins inside a container at `depth` (0: the document itself); `first` is its first byte. */
  onValue(depth: number, first: number): void;
  /** Called after a key of the object at `depth`. Only during this call, `keyIs` and `keyText` return the key. */
  onKey(depth: number): void;
  /** Called when the container at `depth` ends. */
  onClose(depth: number): void;
  /**
   * Called at the end of a captured value. The bytes are valid only during the call. `isComplete`: nothing was cut off.
   */
  onCapture?(bytes: Buffer, from: number, to: number, isComplete: boolean): void;
}

/** Receives one record at a time, between two calls of `reset`. */
export interface RecordListener extends JsonListener {
  /** Number of user notes in the record so far. */
  readonly noteCount: number;
  reset(): void;
}

/** Keys that a listener searches for, matched without creating a string for each key. */
export class KeyNames {
  readonly #names: readonly Buffer[];
  /** By bucket (`bucketOf`): its first name, or -1. Flat, because an array of arrays would be sparse and slow. */
  readonly #first = new Int8Array(65 * 256).fill(-1);
  /** By name: the next name in the same bucket, or -1. */
  readonly #next: Int8Array;

  /** @param names at most 127, none longer than 64 bytes. */
  constructor(names: readonly string[]) {
    this.#names = names.map((name) => Buffer.from(name));
    this.#next = new Int8Array(names.length);
    this.#names.forEach((bytes, index) => {
      const bucket = bucketOf(bytes, 0, bytes.length);
      this.#next[index] = this.#first[bucket] as number;
      this.#first[bucket] = index;
    });
  }

  /** Returns the index of the name at that position, or -1. */
  indexOf(bytes: Buffer, from: number, to: number): number {
    let index = this.#first[bucketOf(bytes, from, to)] as number;
    for (; index !== -1; index = this.#next[index] as number) {
      const name = this.#names[index] as Buffer;
      let at = 0;
      while (at < to - from && name[at] === bytes[from + at]) at++;
      if (at === to - from) break;
    }
    return index;
  }
}

/** Returns the hash bucket of a name: its length and first byte, a pair that few names share. */
function bucketOf(bytes: Buffer, from: number, to: number): number {
  const length = to - from;
  return length === 0 || length > 64 ? 0 : length * 256 + (bytes[from] as number);
}

const maxDepth = 1024;
const maxKeyLength = 256;
const maxCaptureLength = 4096;

// The next expected token, or the token that the scanner is inside.
const VALUE = 0;
const FIRST_VALUE = 1; // a value or `]`
const FIRST_KEY = 2; // a key or `}`
const KEY = 3;
const COLON = 4;
const AFTER = 5; // `,` or the container's end; at depth 0 only white space
const STRING = 6;
const ESCAPE = 7;
const HEX = 8;
const LITERAL = 9;
const NUMBER = 10;
const BROKEN = 11;
const AFTER_SURROGATE = 12; // the backslash of the next escape
const ESCAPE_AFTER_SURROGATE = 13; // its `u`

// The parts of a number; those marked * may end it.
const MINUS = 0;
const ZERO = 1; // *
const DIGITS = 2; // *
const POINT = 3;
const FRACTION = 4; // *
const EXPONENT = 5;
const SIGN = 6;
const EXPONENT_DIGITS = 7; // *

/** 1 for every byte that is ordinary inside a string: all but `"`, `\\` and control characters. */
const ordinaryBytes = new Uint8Array(256).fill(1, 0x20);
ordinaryBytes[0x22] = ordinaryBytes[0x5c] = 0;

const noBytes: Buffer = Buffer.alloc(0);

export class JsonScanner {
  /** During calls of the listener: the position of the current byte in the bytes being written. */
  position = 0;

  readonly #listener: JsonListener | null;
  readonly #listenDepth: number;
  readonly #objects = new Uint8Array(maxDepth + 1);
  /**
   * True if a surrogate escape was followed by no other escape, which `JSON.parse` accepts and GitLab does not. GitLab's
   * parser accepts any two escapes, so this check does, too.
   */
  hasLoneSurrogate = false;
  /** The value of the current `\u` escape, and whether the escape before it was a surrogate. */
  #escape = 0;
  #isSecond = false;
  #state = VALUE;
  #depth = 0;
  #inKey = false;
  #keyHasEscapes = false;
  /** First byte of the document. */
  #first = 0;
  /** Number of missing hex digits, the position in a literal, or the part of a number. */
  #substate = 0;
  #literal = '';
  /** The current key: bytes from earlier pieces, then those from `keyFrom` to `keyTo` of the current piece. */
  #keyStart = noBytes;
  #keyPiece = noBytes;
  #keyFrom = 0;
  #keyTo = 0;
  /** The captured value: bytes from earlier pieces, and where it continues in the current piece. */
  #capturing = false;
  readonly #captured: Buffer;
  #capturedBytes = 0;
  #isCaptureComplete = true;
  #captureFrom = 0;

  /** The listener is called for containers, keys and values down to `listenDepth` only. */
  constructor(listener: JsonListener | null = null, listenDepth = 0) {
    this.#listener = listener;
    this.#listenDepth = listener === null ? -1 : listenDepth;
    this.#captured = listener?.onCapture === undefined ? noBytes : Buffer.alloc(maxCaptureLength);
  }

  reset(): void {
    this.#state = VALUE;
    this.#depth = 0;
    this.#inKey = this.#keyHasEscapes = false;
    this.#keyStart = noBytes;
    this.#capturing = false;
    this.#first = 0;
    this.hasLoneSurrogate = false;
  }

  /** The listener calls this during `onValue` for a plain value (no object, no array), to receive its text. */
  capture(): void {
    this.#capturing = true;
    this.#capturedBytes = 0;
    this.#isCaptureComplete = true;
    this.#captureFrom = this.position;
  }

  /** True if only white space was written. */
  get isBlank(): boolean {
    return this.#state === VALUE && this.#depth === 0;
  }

  /** True if exactly `null` was written. */
  get isNull(): boolean {
    return this.#first === 0x6e && this.isComplete;
  }

  /** True if exactly one complete value was written. */
  get isComplete(): boolean {
    if (this.#depth !== 0) return false;
    return this.#state === AFTER || (this.#state === NUMBER && numberMayEnd(this.#substate));
  }

  keyIs(key: Buffer): boolean {
    if (this.#keyStart.length > 0) return this.#key().equals(key);
    if (this.#keyTo - this.#keyFrom !== key.length) return false;
    for (let at = 0; at < key.length; at++) {
      if (this.#keyPiece[this.#keyFrom + at] !== key[at]) return false;
    }
    return true;
  }

  /** Returns the index of the key among the names, or -1. */
  keyIndexIn(names: KeyNames): number {
    if (this.#keyStart.length === 0) return names.indexOf(this.#keyPiece, this.#keyFrom, this.#keyTo);
    const key = this.#key();
    return names.indexOf(key, 0, key.length);
  }

  /** Returns the key, cut at 256 bytes. */
  keyText(): string {
    return this.#key().toString('utf8', 0, maxKeyLength);
  }

  write(bytes: Buffer, from = 0, to = bytes.length): void {
    if (this.#inKey) this.#keyFrom = from;
    this.#captureFrom = from;
    let state = this.#state;
    let at = from;
    while (at < to) {
      const byte = bytes[at] as number;
      switch (state) {
        case STRING: {
          let end = at;
          while (end < to && ordinaryBytes[bytes[end] as number] === 1) end++;
          if (end < to) {
            const stop = bytes[end] as number;
            if (stop !== 0x22) {
              state = stop === 0x5c ? ESCAPE : BROKEN;
              this.#keyHasEscapes ||= this.#inKey;
            } else if (this.#inKey) {
              this.#endKey(bytes, end);
              state = COLON;
            } else {
              state = AFTER;
              if (this.#capturing) this.#endCapture(bytes, end + 1);
            }
          }
          at = end + 1;
          continue;
        }
        case AFTER:
          if (byte === 0x2c && this.#depth > 0) state = this.#objects[this.#depth] === 1 ? KEY : VALUE;
          else if (byte === 0x7d || byte === 0x5d) state = this.#close(byte, at);
          else if (!isSpace(byte)) state = BROKEN;
          break;
        case KEY:
        case FIRST_KEY:
          if (byte === 0x22) {
            this.#inKey = true;
            this.#keyFrom = at + 1;
            state = STRING;
          } else if (byte === 0x7d && state === FIRST_KEY) state = this.#close(byte, at);
          else if (!isSpace(byte)) state = BROKEN;
          break;
        case COLON:
          if (byte === 0x3a) state = VALUE;
          else if (!isSpace(byte)) state = BROKEN;
          break;
        case VALUE:
        case FIRST_VALUE:
          if (byte === 0x5d && state === FIRST_VALUE) state = this.#close(byte, at);
          else if (!isSpace(byte)) state = this.#beginValue(byte, at);
          break;
        case NUMBER: {
          const part = nextNumberPart(this.#substate, byte);
          if (part === -1) {
            // The byte after the number is read again, as the byte after a value.
            state = numberMayEnd(this.#substate) ? AFTER : BROKEN;
            if (this.#capturing) this.#endCapture(bytes, at);
            continue;
          }
          this.#substate = part;
          break;
        }
        case LITERAL:
          if (byte !== this.#literal.charCodeAt(this.#substate)) state = BROKEN;
          else if (++this.#substate === this.#literal.length) {
            state = AFTER;
            if (this.#capturing) this.#endCapture(bytes, at + 1);
          }
          break;
        case ESCAPE:
          this.#substate = 4;
          this.#escape = 0;
          this.#isSecond = false;
          state = byte === 0x75 ? HEX : escapable.has(byte) ? STRING : BROKEN;
          break;
        case HEX:
          if (!isHexDigit(byte)) state = BROKEN;
          else {
            this.#escape = this.#escape * 16 + (byte < 0x3a ? byte - 0x30 : (byte | 0x20) - 0x57);
            if (--this.#substate === 0) {
              const isFirst = !this.#isSecond && this.#escape >= 0xd800 && this.#escape < 0xe000;
              state = isFirst ? AFTER_SURROGATE : STRING;
            }
          }
          break;
        case AFTER_SURROGATE:
        case ESCAPE_AFTER_SURROGATE:
          if (state === AFTER_SURROGATE && byte === 0x5c) state = ESCAPE_AFTER_SURROGATE;
          else if (state === ESCAPE_AFTER_SURROGATE && byte === 0x75) {
            this.#substate = 4;
            this.#isSecond = true;
            state = HEX;
          } else {
            this.hasLoneSurrogate = true;
            state = state === AFTER_SURROGATE ? STRING : ESCAPE;
            // The byte is read again in its new state.
            continue;
          }
          break;
        default:
          at = to;
      }
      at++;
    }
    this.#state = state;
    if (this.#inKey) this.#keepKeyStart(bytes, to);
    if (this.#capturing) this.#keepCaptured(bytes, to);
  }

  #keepCaptured(bytes: Buffer, to: number): void {
    this.#capturedBytes += bytes.copy(this.#captured, this.#capturedBytes, this.#captureFrom, to);
    if (to - this.#captureFrom > 0 && this.#capturedBytes === maxCaptureLength)
      this.#isCaptureComplete = false;
  }

  #endCapture(bytes: Buffer, to: number): void {
    this.#capturing = false;
    if (this.#capturedBytes === 0 && to - this.#captureFrom < maxCaptureLength) {
      this.#listener?.onCapture?.(bytes, this.#captureFrom, to, true);
      return;
    }
    this.#keepCaptured(bytes, to);
    this.#listener?.onCapture?.(this.#captured, 0, this.#capturedBytes, this.#isCaptureComplete);
  }

  #beginValue(byte: number, at: number): number {
    if (this.#depth === 0) this.#first = byte;
    if (this.#depth <= this.#listenDepth) {
      this.position = at;
      this.#listener?.onValue(this.#depth, byte);
    }
    if (byte === 0x22) return STRING;
    if (byte === 0x7b || byte === 0x5b) {
      if (this.#depth === maxDepth) return BROKEN;
      this.#objects[++this.#depth] = byte === 0x7b ? 1 : 0;
      return byte === 0x7b ? FIRST_KEY : FIRST_VALUE;
    }
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      this.#substate = byte === 0x2d ? MINUS : byte === 0x30 ? ZERO : DIGITS;
      return NUMBER;
    }
    const literal = byte === 0x74 ? 'true' : byte === 0x66 ? 'false' : byte === 0x6e ? 'null' : '';
    this.#literal = literal;
    this.#substate = 1;
    return literal === '' ? BROKEN : LITERAL;
  }

  #close(byte: number, at: number): number {
    const depth = this.#depth;
    if (depth === 0 || (byte === 0x7d) !== (this.#objects[depth] === 1)) return BROKEN;
    if (depth <= this.#listenDepth) {
      this.position = at;
      this.#listener?.onClose(depth);
    }
    this.#depth = depth - 1;
    return AFTER;
  }

  #endKey(bytes: Buffer, end: number): void {
    this.#inKey = false;
    const hasEscapes = this.#keyHasEscapes;
    this.#keyHasEscapes = false;
    if (this.#depth > this.#listenDepth) return;
    this.#keyPiece = bytes;
    this.#keyTo = end;
    if (hasEscapes) this.#resolveKey();
    this.#listener?.onKey(this.#depth);
    this.#keyPiece = noBytes;
    this.#keyStart = noBytes;
  }

  /** Keeps the start of a key that continues in the next piece. */
  #keepKeyStart(bytes: Buffer, to: number): void {
    if (this.#depth > this.#listenDepth || this.#keyStart.length > maxKeyLength) return;
    this.#keyStart = Buffer.concat([this.#keyStart, bytes.subarray(this.#keyFrom, to)]);
  }

  /** Unescapes a key. A key with escapes is rare, and equals the same key without escapes. */
  #resolveKey(): void {
    const key = this.#key();
    // The end of a longer key was not kept.
    if (key.length > maxKeyLength) return;
    this.#keyStart = Buffer.from(JSON.parse(`"${key.toString()}"`) as string);
    this.#keyFrom = this.#keyTo;
  }

  #key(): Buffer {
    return Buffer.concat([this.#keyStart, this.#keyPiece.subarray(this.#keyFrom, this.#keyTo)]);
  }
}

const escapable = new Set(Buffer.from('"\\/bfnrt'));

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

function numberMayEnd(part: number): boolean {
  return part === ZERO || part === DIGITS || part === FRACTION || part === EXPONENT_DIGITS;
}

/** Returns the part that `byte` leads to, or -1 if it does not belong to the number. */
function nextNumberPart(part: number, byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) {
    if (part === MINUS) return byte === 0x30 ? ZERO : DIGITS;
    if (part === ZERO) return -1;
    if (part === POINT) return FRACTION;
    return part === EXPONENT || part === SIGN ? EXPONENT_DIGITS : part;
  }
  if (byte === 0x2e) return part === ZERO || part === DIGITS ? POINT : -1;
  if (byte === 0x45 || byte === 0x65)
    return part === ZERO || part === DIGITS || part === FRACTION ? EXPONENT : -1;
  if (byte === 0x2b || byte === 0x2d) return part === EXPONENT ? SIGN : -1;
  return -1;
}
