/**
 * @file One tar header: the fixed 512 bytes (ustar, GNU, v7) and the records of a PAX header. Pure; knows nothing of
 * streams. Whatever it cannot read exactly as GNU tar would is a `TarFault`.
 */

export class TarFault extends Error {
  readonly code: 'tar-damaged' | 'tar-unsupported';

  constructor(code: 'tar-damaged' | 'tar-unsupported', message: string) {
    super(message);
    this.code = code;
  }
}

export interface TarHeader {
  /** As stored, with a leading `./` and a directory's trailing slash. */
  name: string;
  /** The type flag as one character; NUL is told as `0`. */
  type: string;
  size: number;
  linkName: string;
}

export const blockSize = 512;

const checksumAt = 148;
const zeroBlock = Buffer.alloc(blockSize);

export function isZeroBlock(block: Buffer): boolean {
  return block[0] === 0 && block.equals(zeroBlock);
}

/** Both sums that tar programs have written: over unsigned and over signed bytes. */
function checksumFits(block: Buffer): boolean {
  let sum = 8 * 32;
  let high = 0;
  for (let at = 0; at < blockSize; at++) {
    if (at >= checksumAt && at < checksumAt + 8) continue;
    const byte = block[at] ?? 0;
    sum += byte;
    if (byte > 127) high++;
  }
  const stored = octal(block, checksumAt, 8);
  return stored === sum || stored === sum - high * 256;
}

function octal(block: Buffer, at: number, length: number): number {
  const text = block
    .toString('latin1', at, at + length)
    .replace(/^ */, '')
    .replace(/[\0 ].*$/s, '');
  return /^[0-7]*$/.test(text) ? Number.parseInt(text === '' ? '0' : text, 8) : Number.NaN;
}

/** A number field: octal text, or base 256 with the top bit set (GNU), which alone can be negative. */
function numberField(block: Buffer, at: number, length: number): number {
  const first = block[at] ?? 0;
  if (first < 0x80) return octal(block, at, length);
  if (first !== 0x80) return Number.NaN;
  let value = 0;
  for (let index = 1; index < length; index++) value = value * 256 + (block[at + index] ?? 0);
  return value;
}

function textField(block: Buffer, at: number, length: number): string {
  const end = block.indexOf(0, at);
  return block.toString('utf8', at, end === -1 || end > at + length ? at + length : end);
}

/** Reads one header block. The caller has made sure that it is not a zero block. */
export function parseHeader(block: Buffer): TarHeader {
  if (!checksumFits(block)) throw new TarFault('tar-damaged', 'A header has a wrong checksum');
  const size = numberField(block, 124, 12);
  if (!Number.isSafeInteger(size)) throw new TarFault('tar-damaged', 'A header states an impossible size');
  const flag = block[156] ?? 0;
  let name = textField(block, 0, 100);
  // The prefix field is POSIX ustar's; GNU's own format keeps times there.
  if (block.toString('latin1', 257, 263) === 'ustar\0') {
    const prefix = textField(block, 345, 155);
    if (prefix !== '') name = `${prefix}/${name}`;
  }
  return {
    name,
    type: flag === 0 ? '0' : String.fromCharCode(flag),
    size,
    linkName: textField(block, 157, 100),
  };
}

/** The records of a PAX header, in order; a later one of the same key wins. */
export function parsePax(data: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  let at = 0;
  while (at < data.length) {
    const space = data.indexOf(32, at);
    const digits = space === -1 ? '' : data.toString('latin1', at, space);
    const end = at + Number(digits);
    if (!/^[1-9]\d{0,9}$/.test(digits) || end > data.length || data[end - 1] !== 10) {
      throw new TarFault('tar-damaged', 'An extended header has a wrong length');
    }
    const equals = data.indexOf(61, space);
    if (equals === -1 || equals >= end) throw new TarFault('tar-damaged', 'An extended header has no value');
    records.set(data.toString('utf8', space + 1, equals), data.toString('utf8', equals + 1, end - 1));
    at = end;
  }
  return records;
}

/** A header with its PAX records applied. Sparse members are refused: their content is not what is stored. */
export function withPax(header: TarHeader, pax: ReadonlyMap<string, string>): TarHeader {
  for (const key of pax.keys()) {
    if (key.startsWith('GNU.sparse.'))
      throw new TarFault('tar-unsupported', 'Sparse members are not supported');
  }
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
