/**
 * @file Checks JSON that arrives in pieces, byte by byte, without building values: a document of any size costs the same
 * memory. Accepts exactly what `JSON.parse` accepts, nesting deeper than `deepest` apart. Bytes inside strings are not
 * checked to be UTF-8.
 */

export interface JsonListener {
  /** A value begins inside a container at `depth` (0: the document itself); `first` is its first byte. */
  value(depth: number, first: number): void;
  /** A key inside the object at `depth` was read; ask the scanner with `keyIs` or `keyText`. */
  key(depth: number): void;
  /** The container at `depth` ends. */
  close(depth: number): void;
}

const deepest = 1024;
const longestKey = 256;

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

// Parts of a number; those marked * may end it.
const MINUS = 0;
const ZERO = 1; // *
const DIGITS = 2; // *
const POINT = 3;
const FRACTION = 4; // *
const EXPONENT = 5;
const SIGN = 6;
const POWER = 7; // *

export class JsonScanner {
  readonly #listener: JsonListener | null;
  readonly #heardDepth: number;
  readonly #objects = new Uint8Array(deepest + 1);
  readonly #keyBytes = Buffer.alloc(longestKey);
  #keyLength = 0;
  #state = VALUE;
  #depth = 0;
  #inKey = false;
  #keepKey = false;
  #rest = 0; // hex digits to come, or the part of a number
  #literal = '';

  /** While the listener is told of a value or an end: where its byte stands in the bytes being written. */
  position = 0;

  /** The listener hears of containers, keys and values down to `heardDepth` only. */
  constructor(listener: JsonListener | null = null, heardDepth = 0) {
    this.#listener = listener;
    this.#heardDepth = listener === null ? -1 : heardDepth;
  }

  reset(): void {
    this.#state = VALUE;
    this.#depth = 0;
    this.#inKey = false;
  }

  /** Whether what was written so far cannot become JSON. */
  get broken(): boolean {
    return this.#state === BROKEN;
  }

  /** Whether nothing but white space was written. */
  get blank(): boolean {
    return this.#state === VALUE && this.#depth === 0;
  }

  /** Whether what was written is one complete value. */
  get complete(): boolean {
    if (this.#depth !== 0) return false;
    return this.#state === AFTER || (this.#state === NUMBER && numberMayEnd(this.#rest));
  }

  keyIs(key: Buffer): boolean {
    return this.#keyLength === key.length && key.compare(this.#keyBytes, 0, key.length) === 0;
  }

  /** The key as stored, escapes unresolved, cut at 256 bytes. */
  keyText(): string {
    return this.#keyBytes.toString('utf8', 0, this.#keyLength);
  }

  write(bytes: Buffer, from = 0, to = bytes.length): void {
    let at = from;
    while (at < to) {
      switch (this.#state) {
        case STRING:
          at = this.#string(bytes, at, to);
          break;
        case NUMBER:
          at = this.#number(bytes, at, to);
          break;
        case BROKEN:
          return;
        default:
          this.position = at;
          this.#byte(bytes[at] as number);
          at++;
      }
    }
  }

  #string(bytes: Buffer, from: number, to: number): number {
    let at = from;
    let byte = 0;
    while (at < to) {
      byte = bytes[at] as number;
      if (byte === 0x22 || byte === 0x5c || byte < 0x20) break;
      at++;
    }
    if (this.#keepKey) this.#keepKeyBytes(bytes, from, at);
    if (at === to) return at;
    if (byte === 0x22) this.#stringEnds();
    else this.#state = byte === 0x5c ? ESCAPE : BROKEN;
    if (byte === 0x5c && this.#keepKey) this.#keepKeyBytes(bytes, at, at + 1);
    return at + 1;
  }

  #stringEnds(): void {
    if (!this.#inKey) {
      this.#state = AFTER;
      return;
    }
    this.#inKey = false;
    this.#state = COLON;
    if (this.#keepKey) {
      this.#keepKey = false;
      this.#listener?.key(this.#depth);
    }
  }

  #keepKeyBytes(bytes: Buffer, from: number, to: number): void {
    const end = Math.min(to, from + longestKey - this.#keyLength);
    for (let at = from; at < end; at++) this.#keyBytes[this.#keyLength++] = bytes[at] as number;
  }

  #number(bytes: Buffer, from: number, to: number): number {
    let at = from;
    let part = this.#rest;
    for (; at < to; at++) {
      const next = nextNumberPart(part, bytes[at] as number);
      if (next === -1) break;
      part = next;
    }
    this.#rest = part;
    if (at < to) this.#state = numberMayEnd(part) ? AFTER : BROKEN;
    return at;
  }

  #byte(byte: number): void {
    const state = this.#state;
    if (state === ESCAPE) {
      if (byte === 0x75) {
        this.#rest = 4;
        this.#state = HEX;
      } else this.#state = '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? STRING : BROKEN;
      return;
    }
    if (state === HEX) {
      const digit = (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
      if (!digit) this.#state = BROKEN;
      else if (--this.#rest === 0) this.#state = STRING;
      return;
    }
    if (state === LITERAL) {
      if (byte !== this.#literal.charCodeAt(this.#rest)) this.#state = BROKEN;
      else if (++this.#rest === this.#literal.length) this.#state = AFTER;
      return;
    }
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    switch (state) {
      case FIRST_KEY:
      case KEY:
        if (byte === 0x22) this.#keyBegins();
        else if (byte === 0x7d && state === FIRST_KEY) this.#close();
        else this.#state = BROKEN;
        return;
      case COLON:
        this.#state = byte === 0x3a ? VALUE : BROKEN;
        return;
      case AFTER:
        this.#after(byte);
        return;
      case FIRST_VALUE:
        if (byte === 0x5d) this.#close();
        else this.#value(byte);
        return;
      default:
        this.#value(byte);
    }
  }

  #keyBegins(): void {
    this.#state = STRING;
    this.#inKey = true;
    this.#keepKey = this.#depth <= this.#heardDepth;
    this.#keyLength = 0;
  }

  #after(byte: number): void {
    const inObject = this.#objects[this.#depth] === 1;
    if (this.#depth === 0) this.#state = BROKEN;
    else if (byte === 0x2c) this.#state = inObject ? KEY : VALUE;
    else if (byte === (inObject ? 0x7d : 0x5d)) this.#close();
    else this.#state = BROKEN;
  }

  #value(byte: number): void {
    if (this.#depth <= this.#heardDepth) this.#listener?.value(this.#depth, byte);
    if (byte === 0x22) this.#state = STRING;
    else if (byte === 0x7b || byte === 0x5b) this.#open(byte === 0x7b);
    else if (byte === 0x74) this.#literalBegins('true');
    else if (byte === 0x66) this.#literalBegins('false');
    else if (byte === 0x6e) this.#literalBegins('null');
    else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      this.#state = NUMBER;
      this.#rest = byte === 0x2d ? MINUS : byte === 0x30 ? ZERO : DIGITS;
    } else this.#state = BROKEN;
  }

  #literalBegins(literal: string): void {
    this.#literal = literal;
    this.#rest = 1;
    this.#state = LITERAL;
  }

  #open(object: boolean): void {
    if (this.#depth === deepest) {
      this.#state = BROKEN;
      return;
    }
    this.#depth++;
    this.#objects[this.#depth] = object ? 1 : 0;
    this.#state = object ? FIRST_KEY : FIRST_VALUE;
  }

  #close(): void {
    if (this.#depth <= this.#heardDepth) this.#listener?.close(this.#depth);
    this.#depth--;
    this.#state = AFTER;
  }
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
