/**
 * @file One tar header (ustar, GNU, v7) and PAX records. A header that GNU tar would read differently is a `TarFault`.
 */
import { isAllZeros } from './zeros.ts';

export class TarFault extends Error {
  readonly code: 'tar-damaged' | 'tar-unsupported';

  constructor(code: 'tar-damaged' | 'tar-unsupported', message: string) {
    super(message);
    this.code = code;
  }
}

export interface TarHeader {
  /** The stored name, with a leading `./` and a directory's trailing slash. */
  name: string;
  /** The type flag as one character; NUL becomes `0`. */
  type: string;
  /** The size that the header states. A folder has no content, whatever size its header states. */
  size: number;
  linkName: string;
}

export const blockSize = 512;

const checksumOffset = 148;
const zeroBlock = Buffer.alloc(blockSize);

export function isZeroBlock(block: Buffer): boolean {
  return block[0] === 0 && block.equals(zeroBlock);
}

/** The stored sum treats its own field as blanks. Old programs summed signed bytes; both sums are accepted. */
function checksumFits(block: Buffer): boolean {
  let sum = 8 * 0x20;
  for (let offset = 0; offset < checksumOffset; offset++) sum += block[offset] as number;
  for (let offset = checksumOffset + 8; offset < blockSize; offset++) sum += block[offset] as number;
  const stored = parseOctal(block, checksumOffset, 8);
  return stored === sum || stored === sum - 256 * countHighBytes(block);
}

function countHighBytes(block: Buffer): number {
  return block.reduce((count, byte, offset) => {
    const isCounted = byte > 127 && (offset < checksumOffset || offset >= checksumOffset + 8);
    return isCounted ? count + 1 : count;
  }, 0);
}

/**
 * Reads octal digits after blanks, ended by a blank, a NUL or the field's end. A field of NULs is 0, anything else NaN.
 * A NUL before digits is refused, because some readers skip it and some stop there.
 */
function parseOctal(block: Buffer, from: number, length: number): number {
  const to = from + length;
  let offset = from;
  while (offset < to && block[offset] === 0x20) offset++;
  if (offset === to) return Number.NaN;
  if (block[from] === 0) return isAllZeros(block.subarray(from, to)) ? 0 : Number.NaN;
  let value = 0;
  for (; offset < to; offset++) {
    const byte = block[offset] as number;
    if (byte === 0 || byte === 0x20) break;
    if (byte < 0x30 || byte > 0x37) return Number.NaN;
    value = value * 8 + (byte - 0x30);
  }
  return value;
}

/** Reads a number field: octal text, or base 256 with the top bit set (GNU), the only form that can be negative. */
function numberField(block: Buffer, offset: number, length: number): number {
  const firstByte = block[offset] ?? 0;
  if (firstByte < 0x80) return parseOctal(block, offset, length);
  if (firstByte !== 0x80) return Number.NaN;
  let value = 0;
  for (let index = 1; index < length; index++) value = value * 256 + (block[offset + index] ?? 0);
  return value;
}

function textField(block: Buffer, offset: number, length: number): string {
  let end = offset;
  while (end < offset + length && block[end] !== 0) end++;
  return end === offset ? '' : block.toString('utf8', offset, end);
}

/** Reads one header block, which must not be a zero block. */
export function parseHeader(block: Buffer): TarHeader {
  if (!checksumFits(block)) throw new TarFault('tar-damaged', 'A header has a wrong checksum');
  const size = numberField(block, 124, 12);
  if (!Number.isSafeInteger(size)) throw new TarFault('tar-damaged', 'A header states an impossible size');
  const flag = block[156] ?? 0;
  let name = textField(block, 0, 100);
  // Only POSIX ustar has a prefix field; GNU's own format stores times there.
  if (block[345] !== 0 && block.toString('latin1', 257, 263) === 'ustar\0') {
    const prefix = textField(block, 345, 155);
    name = `${prefix}/${name}`;
  }
  const type = flag === 0 ? '0' : String.fromCharCode(flag);
  return {
    name,
    type,
    // A hard link has content only if an extended header says so, as in GNU tar.
    size: type === '1' ? 0 : size,
    linkName: textField(block, 157, 100),
  };
}

/** Returns when the member was last changed, in seconds since 1970; NaN if the field is invalid. */
export function mtimeOf(block: Buffer): number {
  return numberField(block, 136, 12);
}

/** Returns the records of a PAX header, in order. A later record of the same key takes precedence. */
export function parsePax(data: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  let offset = 0;
  while (offset < data.length) {
    const spaceIndex = data.indexOf(32, offset);
    const digits = spaceIndex === -1 ? '' : data.toString('latin1', offset, spaceIndex);
    const end = offset + Number(digits);
    if (!/^[1-9]\d{0,9}$/.test(digits) || end > data.length || data[end - 1] !== 10) {
      throw new TarFault('tar-damaged', 'An extended header has a wrong length');
    }
    const equalsIndex = data.indexOf(61, spaceIndex);
    if (equalsIndex === -1 || equalsIndex >= end)
      throw new TarFault('tar-damaged', 'An extended header has no value');
    records.set(
      data.toString('utf8', spaceIndex + 1, equalsIndex),
      data.toString('utf8', equalsIndex + 1, end - 1),
    );
    offset = end;
  }
  return records;
}

/** Refuses settings of a global extended header that exports never have: readers differ in how long they apply. */
export function checkGlobalPax(pax: ReadonlyMap<string, string>): void {
  refuseSparse(pax);
  if (['path', 'linkpath', 'size'].some((key) => pax.has(key))) {
    throw new TarFault('tar-unsupported', 'Names and sizes for all members at once are not supported');
  }
}

/** Refuses sparse members, whose content differs from the stored bytes. */
function refuseSparse(pax: ReadonlyMap<string, string>): void {
  for (const key of pax.keys()) {
    if (key.startsWith('GNU.sparse.'))
      throw new TarFault('tar-unsupported', 'Sparse members are not supported');
  }
}

/** Returns a header with its PAX records applied. */
export function withPax(header: TarHeader, pax: ReadonlyMap<string, string>): TarHeader {
  refuseSparse(pax);
  const size = pax.get('size');
  if (size !== undefined && (!/^\d{1,16}$/.test(size) || !Number.isSafeInteger(Number(size)))) {
    throw new TarFault('tar-damaged', 'An extended header states an impossible size');
  }
  return {
    ...header,
    name: pax.get('path') ?? header.name,
    linkName: pax.get('linkpath') ?? header.linkName,
    size: size === undefined ? header.size : Number(size),
  };
}
