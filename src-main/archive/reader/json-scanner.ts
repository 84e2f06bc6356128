/**
 * @file Checks JSON that arrives in pieces, byte by byte, without building values: a document of any size costs the same
 * memory. Accepts exactly what `JSON.parse` accepts, nesting deeper than `deepest` apart. Bytes inside strings are not
 * checked to be UTF-8.
 */

export interface JsonListener {
  /** A value begins inside a container at `depth` (0: the document itself); `first` is its first byte. */
  value(depth: number, first: number): void;
  /** A key inside the object at `depth` was read; only during this call, `keyIs` and `keyText` tell which. */
  key(depth: number): void;
  /** The container at `depth` ends. */
  close(depth: number): void;
  /**
   * A plain value ended for which `capture` was called: where it stands, for the time of this call. `whole` is false where only
   * the first bytes of a long one were kept.
   */
  captured?(bytes: Buffer, from: number, to: number, whole: boolean): void;
}

/** Hears one record at a time, between two calls of `reset`. */
export interface RecordListener extends JsonListener {
  /** User notes of the record so far. */
  readonly notes: number;
  reset(): void;
}

/** Keys that a listener looks for; found without making a text of the key at hand. */
export class KeyNames {
  readonly #names: readonly Buffer[];
  /** By `startOf`: the first name that begins so, or -1. A flat table: one of arrays would be a slow sparse one. */
  readonly #first = new Int8Array(65 * 256).fill(-1);
  /** By name: the next one that begins so, or -1. */
  readonly #next: Int8Array;

  /** @param names at most 127, none longer than 64 bytes. */
  constructor(names: readonly string[]) {
    this.#names = names.map((name) => Buffer.from(name));
    this.#next = new Int8Array(names.length);
    this.#names.forEach((bytes, index) => {
      const start = startOf(bytes, 0, bytes.length);
      this.#next[index] = this.#first[start] as number;
      this.#first[start] = index;
    });
  }

  /** Which of the names stands there, or -1. */
  indexOf(bytes: Buffer, from: number, to: number): number {
    let index = this.#first[startOf(bytes, from, to)] as number;
    for (; index !== -1; index = this.#next[index] as number) {
      const name = this.#names[index] as Buffer;
      let at = 0;
      while (at < to - from && name[at] === bytes[from + at]) at++;
      if (at === to - from) break;
    }
    return index;
  }
}

/** Length and first byte: that few names share both. */
function startOf(bytes: Buffer, from: number, to: number): number {
  const length = to - from;
  return length === 0 || length > 64 ? 0 : length * 256 + (bytes[from] as number);
}

const deepest = 1024;
const maxKeyLength = 256;
const maxCaptureLength = 4096;

// What is expected next, or what the scanner is inside of.
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
const AFTER_SURROGATE = 12; // the backslash of another escape
const ESCAPE_AFTER_SURROGATE = 13; // its `u`

// Parts of a number; those marked * may end it.
const MINUS = 0;
const ZERO = 1; // *
const DIGITS = 2; // *
const POINT = 3;
const FRACTION = 4; // *
const EXPONENT = 5;
const SIGN = 6;
const POWER = 7; // *

/** 1 for every byte that simply belongs to a string: all but `"`, `\\` and control characters. */
const plain = new Uint8Array(256).fill(1, 0x20);
plain[0x22] = plain[0x5c] = 0;

const noBytes: Buffer = Buffer.alloc(0);

export class JsonScanner {
  /** While the listener is told of a value or an end: where its byte stands in the bytes being written. */
  position = 0;

  readonly #listener: JsonListener | null;
  readonly #heardDepth: number;
  readonly #objects = new Uint8Array(deepest + 1);
  /** Whether the escape of a surrogate came without another behind it, which `JSON.parse` takes and GitLab does not. */
  loneSurrogate = false;
  /** Digits of the escape at hand, and whether it stands behind that of a surrogate. */
  #escape = 0;
  #isSecond = false;
  #state = VALUE;
  #depth = 0;
  #inKey = false;
  #keyHasEscapes = false;
  /** First byte of the document. */
  #first = 0;
  /** Hex digits still to come, what is left of a literal, or the part of a number. */
  #rest = 0;
  #literal = '';
  /** The key at hand: bytes from earlier pieces, then those from `keyFrom` to `keyTo` of the piece being written. */
  #keyStart = noBytes;
  #keyPiece = noBytes;
  #keyFrom = 0;
  #keyTo = 0;
  /** The value that is captured: what earlier pieces held of it, and where it goes on in the piece being written. */
  #capturing = false;
  readonly #captured: Buffer;
  #capturedBytes = 0;
  #isCaptureWhole = true;
  #captureFrom = 0;

  /** The listener hears of containers, keys and values down to `heardDepth` only. */
  constructor(listener: JsonListener | null = null, heardDepth = 0) {
    this.#listener = listener;
    this.#heardDepth = listener === null ? -1 : heardDepth;
    this.#captured = listener?.captured === undefined ? noBytes : Buffer.alloc(maxCaptureLength);
  }

  reset(): void {
    this.#state = VALUE;
    this.#depth = 0;
    this.#inKey = this.#keyHasEscapes = false;
    this.#keyStart = noBytes;
    this.#capturing = false;
    this.#first = 0;
    this.loneSurrogate = false;
  }

  /** Called by the listener while it is told of a plain value (no object, no array): it will get its text. */
  capture(): void {
    this.#capturing = true;
    this.#capturedBytes = 0;
    this.#isCaptureWhole = true;
    this.#captureFrom = this.position;
  }

  /** Whether nothing but white space was written. */
  get blank(): boolean {
    return this.#state === VALUE && this.#depth === 0;
  }

  /** Whether what was written is `null` alone. */
  get isNull(): boolean {
    return this.#first === 0x6e && this.complete;
  }

  /** Whether what was written is one complete value. */
  get complete(): boolean {
    if (this.#depth !== 0) return false;
    return this.#state === AFTER || (this.#state === NUMBER && numberMayEnd(this.#rest));
  }

  keyIs(key: Buffer): boolean {
    if (this.#keyStart.length > 0) return this.#key().equals(key);
    if (this.#keyTo - this.#keyFrom !== key.length) return false;
    for (let at = 0; at < key.length; at++) {
      if (this.#keyPiece[this.#keyFrom + at] !== key[at]) return false;
    }
    return true;
  }

  /** Which of the names the key is, or -1. */
  keyIn(names: KeyNames): number {
    if (this.#keyStart.length === 0) return names.indexOf(this.#keyPiece, this.#keyFrom, this.#keyTo);
    const key = this.#key();
    return names.indexOf(key, 0, key.length);
  }

  /** The key, cut at 256 bytes. */
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
          while (end < to && plain[bytes[end] as number] === 1) end++;
          if (end < to) {
            const stop = bytes[end] as number;
            if (stop !== 0x22) {
              state = stop === 0x5c ? ESCAPE : BROKEN;
              this.#keyHasEscapes ||= this.#inKey;
            } else if (this.#inKey) {
              this.#keyEnds(bytes, end);
              state = COLON;
            } else {
              state = AFTER;
              if (this.#capturing) this.#captureEnds(bytes, end + 1);
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
          else if (!isSpace(byte)) state = this.#value(byte, at);
          break;
        case NUMBER: {
          const part = nextNumberPart(this.#rest, byte);
          if (part === -1) {
            // The byte behind the number is looked at once more, by what comes after a value.
            state = numberMayEnd(this.#rest) ? AFTER : BROKEN;
            if (this.#capturing) this.#captureEnds(bytes, at);
            continue;
          }
          this.#rest = part;
          break;
        }
        case LITERAL:
          if (byte !== this.#literal.charCodeAt(this.#rest)) state = BROKEN;
          else if (++this.#rest === this.#literal.length) {
            state = AFTER;
            if (this.#capturing) this.#captureEnds(bytes, at + 1);
          }
          break;
        case ESCAPE:
          this.#rest = 4;
          this.#escape = 0;
          this.#isSecond = false;
          state = byte === 0x75 ? HEX : escapable.has(byte) ? STRING : BROKEN;
          break;
        case HEX:
          if (!isHexDigit(byte)) state = BROKEN;
          else {
            this.#escape = this.#escape * 16 + (byte < 0x3a ? byte - 0x30 : (byte | 0x20) - 0x57);
            if (--this.#rest === 0) {
              const isFirst = !this.#isSecond && this.#escape >= 0xd800 && this.#escape < 0xe000;
              state = isFirst ? AFTER_SURROGATE : STRING;
            }
          }
          break;
        case AFTER_SURROGATE:
        case ESCAPE_AFTER_SURROGATE:
          if (state === AFTER_SURROGATE && byte === 0x5c) state = ESCAPE_AFTER_SURROGATE;
          else if (state === ESCAPE_AFTER_SURROGATE && byte === 0x75) {
            this.#rest = 4;
            this.#isSecond = true;
            state = HEX;
          } else {
            this.loneSurrogate = true;
            state = state === AFTER_SURROGATE ? STRING : ESCAPE;
            // The byte is looked at once more, by what it belongs to.
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
    if (to - this.#captureFrom > 0 && this.#capturedBytes === maxCaptureLength) this.#isCaptureWhole = false;
  }

  #captureEnds(bytes: Buffer, to: number): void {
    this.#capturing = false;
    if (this.#capturedBytes === 0 && to - this.#captureFrom < maxCaptureLength) {
      this.#listener?.captured?.(bytes, this.#captureFrom, to, true);
      return;
    }
    this.#keepCaptured(bytes, to);
    this.#listener?.captured?.(this.#captured, 0, this.#capturedBytes, this.#isCaptureWhole);
  }

  #value(byte: number, at: number): number {
    if (this.#depth === 0) this.#first = byte;
    if (this.#depth <= this.#heardDepth) {
      this.position = at;
      this.#listener?.value(this.#depth, byte);
    }
    if (byte === 0x22) return STRING;
    if (byte === 0x7b || byte === 0x5b) {
      if (this.#depth === deepest) return BROKEN;
      this.#objects[++this.#depth] = byte === 0x7b ? 1 : 0;
      return byte === 0x7b ? FIRST_KEY : FIRST_VALUE;
    }
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      this.#rest = byte === 0x2d ? MINUS : byte === 0x30 ? ZERO : DIGITS;
      return NUMBER;
    }
    const literal = byte === 0x74 ? 'true' : byte === 0x66 ? 'false' : byte === 0x6e ? 'null' : '';
    this.#literal = literal;
    this.#rest = 1;
    return literal === '' ? BROKEN : LITERAL;
  }

  #close(byte: number, at: number): number {
    const depth = this.#depth;
    if (depth === 0 || (byte === 0x7d) !== (this.#objects[depth] === 1)) return BROKEN;
    if (depth <= this.#heardDepth) {
      this.position = at;
      this.#listener?.close(depth);
    }
    this.#depth = depth - 1;
    return AFTER;
  }

  #keyEnds(bytes: Buffer, end: number): void {
    this.#inKey = false;
    const hasEscapes = this.#keyHasEscapes;
    this.#keyHasEscapes = false;
    if (this.#depth > this.#heardDepth) return;
    this.#keyPiece = bytes;
    this.#keyTo = end;
    if (hasEscapes) this.#resolveKey();
    this.#listener?.key(this.#depth);
    this.#keyPiece = noBytes;
    this.#keyStart = noBytes;
  }

  /** A key that the piece has cut: what was seen of it is kept. */
  #keepKeyStart(bytes: Buffer, to: number): void {
    if (this.#depth > this.#heardDepth || this.#keyStart.length > maxKeyLength) return;
    this.#keyStart = Buffer.concat([this.#keyStart, bytes.subarray(this.#keyFrom, to)]);
  }

  /** A key with escapes is rare, and is the same key as one without. */
  #resolveKey(): void {
    const key = this.#key();
    // The end of a longer one was not kept.
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
  return part === ZERO || part === DIGITS || part === FRACTION || part === POWER;
}

/** The part that `byte` leads to, or -1 when it does not belong to the number. */
function nextNumberPart(part: number, byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) {
    if (part === MINUS) return byte === 0x30 ? ZERO : DIGITS;
    if (part === ZERO) return -1;
    if (part === POINT) return FRACTION;
    return part === EXPONENT || part === SIGN ? POWER : part;
  }
  if (byte === 0x2e) return part === ZERO || part === DIGITS ? POINT : -1;
  if (byte === 0x45 || byte === 0x65)
    return part === ZERO || part === DIGITS || part === FRACTION ? EXPONENT : -1;
  if (byte === 0x2b || byte === 0x2d) return part === EXPONENT ? SIGN : -1;
  return -1;
}
