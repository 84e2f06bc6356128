/**
 * @file Walks a tar that arrives in pieces and passes each member's bytes to a sink, without keeping them. Strict: a
 * wrong checksum, a truncated tar and a missing end marker are faults. Checks the structure only, never names or
 * content.
 */
import { LimitExceeded, type ReadLimits } from '../limits.ts';
import { metaTypes, unsupportedTypes } from './tar-entry-types.ts';
import {
  blockSize,
  checkGlobalPax,
  isZeroBlock,
  parseHeader,
  parsePax,
  TarFault,
  withPax,
  type TarHeader,
} from './tar-header.ts';
import { isAllZeros } from './zeros.ts';

/** Receives one member's content. The bytes belong to the walker and must not be kept after the call. */
export interface MemberSink {
  write(bytes: Buffer): void;
  /** Called once, after all of the member's bytes. */
  end(): void;
}

export interface TarListener {
  /** Called when a member begins. Returns null to skip its content. */
  onMember(header: TarHeader): MemberSink | null;
  /** Called when a PAX header and a GNU long name describe the same member: readers differ in which one they use. */
  onMixedHeaders(name: string): void;
}

export type TarEnd =
  | { isComplete: true; hasTrailingData: boolean }
  | {
      isComplete: false;
      code: 'not-tar' | 'tar-damaged' | 'tar-unsupported' | 'tar-cut' | 'tar-end-missing';
      message: string;
    };

const notTar: TarEnd = { isComplete: false, code: 'not-tar', message: 'There is no tar inside' };

export class TarWalker {
  /** Number of members, as `tar tzf` lists them. */
  memberCount = 0;

  readonly #limits: ReadLimits;
  readonly #listener: TarListener;
  readonly #block = Buffer.alloc(blockSize);
  #blockFilled = 0;
  #bodyBytes = 0;
  #paddingBytes = 0;
  #sink: MemberSink | null = null;
  #meta: { type: string; data: Buffer; filled: number } | null = null;
  #pax: ReadonlyMap<string, string> | null = null;
  #longName: string | null = null;
  #longLink: string | null = null;
  #zeroBlockCount = 0;
  #hasTrailingData = false;
  #fault: TarFault | null = null;

  constructor(listener: TarListener, limits: ReadLimits) {
    this.#listener = listener;
    this.#limits = limits;
  }

  write(bytes: Buffer): void {
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#fault !== null) return;
      if (this.#zeroBlockCount >= 2) {
        this.#hasTrailingData ||= !isAllZeros(bytes.subarray(offset));
        return;
      }
      if (this.#bodyBytes > 0) {
        const length = Math.min(this.#bodyBytes, bytes.length - offset);
        this.#readContent(bytes.subarray(offset, offset + length));
        offset += length;
      } else if (this.#paddingBytes > 0) {
        const length = Math.min(this.#paddingBytes, bytes.length - offset);
        this.#paddingBytes -= length;
        offset += length;
      } else {
        offset += this.#readHeader(bytes, offset);
      }
    }
  }

  /** Returns how the tar ended; called after the last bytes. */
  end(): TarEnd {
    if (this.#fault !== null) {
      const { code, message } = this.#fault;
      return this.memberCount === 0 && code === 'tar-damaged' ? notTar : { isComplete: false, code, message };
    }
    if (this.#zeroBlockCount >= 2) return { isComplete: true, hasTrailingData: this.#hasTrailingData };
    if (this.#bodyBytes > 0 || this.#paddingBytes > 0 || this.#blockFilled > 0) {
      return { isComplete: false, code: 'tar-cut', message: 'The tar ends in the middle of a member' };
    }
    return this.memberCount === 0 && this.#meta === null
      ? notTar
      : { isComplete: false, code: 'tar-end-missing', message: 'The tar has no end marker' };
  }

  #readContent(bytes: Buffer): void {
    this.#bodyBytes -= bytes.length;
    if (this.#meta !== null) {
      this.#meta.filled += bytes.copy(this.#meta.data, this.#meta.filled);
    } else {
      this.#sink?.write(bytes);
    }
    if (this.#bodyBytes === 0) this.#endMember();
  }

  #endMember(): void {
    const sink = this.#sink;
    this.#sink = null;
    sink?.end();
    const meta = this.#meta;
    this.#meta = null;
    if (meta !== null)
      this.#catchFault(() => {
        this.#takeMeta(meta.type, meta.data);
      });
  }

  #readHeader(bytes: Buffer, offset: number): number {
    let block: Buffer = this.#block;
    let length = blockSize;
    if (this.#blockFilled === 0 && bytes.length - offset >= blockSize) {
      block = bytes.subarray(offset, offset + blockSize);
    } else {
      length = bytes.copy(this.#block, this.#blockFilled, offset, offset + blockSize - this.#blockFilled);
      this.#blockFilled += length;
      if (this.#blockFilled < blockSize) return length;
      this.#blockFilled = 0;
    }
    this.#catchFault(() => {
      this.#takeHeader(block);
    });
    return length;
  }

  #catchFault(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof TarFault)) throw error;
      this.#fault = error;
    }
  }

  #takeHeader(block: Buffer): void {
    if (isZeroBlock(block)) {
      // GNU tar ignores such a header; the member that it describes is missing.
      if (this.#pax !== null || this.#longName !== null || this.#longLink !== null) {
        throw new TarFault('tar-damaged', 'The last extended header has no member');
      }
      this.#zeroBlockCount++;
      return;
    }
    if (this.#zeroBlockCount > 0)
      throw new TarFault('tar-damaged', 'There is a lone zero block between members');
    const header = parseHeader(block);
    if (unsupportedTypes.has(header.type)) {
      throw new TarFault('tar-unsupported', `Members of type ${header.type} are not supported`);
    }
    if (metaTypes.has(header.type)) this.#beginMeta(header);
    else this.#beginMember(header);
    this.#paddingBytes = (blockSize - (this.#bodyBytes % blockSize)) % blockSize;
    if (this.#bodyBytes === 0) this.#endMember();
  }

  #beginMeta(header: TarHeader): void {
    if (header.size > this.#limits.metaBytes) throw new LimitExceeded('metaBytes', this.#limits.metaBytes);
    // A long name ends at the NUL in its last block, whatever its size field says, as in GNU tar.
    const isName = header.type === 'L' || header.type === 'K';
    this.#bodyBytes = isName ? Math.ceil(header.size / blockSize) * blockSize : header.size;
    this.#meta = { type: header.type, data: Buffer.alloc(this.#bodyBytes), filled: 0 };
  }

  #takeMeta(type: string, data: Buffer): void {
    if (type === 'x' || type === 'X') this.#pax = parsePax(data);
    else if (type === 'g') checkGlobalPax(parsePax(data));
    else {
      const end = data.indexOf(0);
      const text = data.toString('utf8', 0, end === -1 ? data.length : end);
      if (type === 'L') this.#longName = text;
      else this.#longLink = text;
    }
  }

  #beginMember(rawHeader: TarHeader): void {
    const hasMixedHeaders = this.#pax !== null && (this.#longName !== null || this.#longLink !== null);
    const namedHeader =
      this.#longName === null && this.#longLink === null
        ? rawHeader
        : {
            ...rawHeader,
            name: this.#longName ?? rawHeader.name,
            linkName: this.#longLink ?? rawHeader.linkName,
          };
    const header = this.#pax === null ? namedHeader : withPax(namedHeader, this.#pax);
    this.#pax = this.#longName = this.#longLink = null;
    this.#checkLimits(header.name);
    this.memberCount++;
    if (hasMixedHeaders) this.#listener.onMixedHeaders(header.name);
    // The next member follows a folder directly, whatever its size field says, as in GNU tar.
    this.#bodyBytes = header.type === '5' ? 0 : header.size;
    this.#sink = this.#listener.onMember(header);
  }

  #checkLimits(name: string): void {
    const { members, nameBytes, nameSegments } = this.#limits;
    if (this.memberCount >= members) throw new LimitExceeded('members', members);
    if (name.length > nameBytes / 4 && Buffer.byteLength(name) > nameBytes) {
      throw new LimitExceeded('nameBytes', nameBytes);
    }
    if (name.length > nameSegments && name.split('/').length > nameSegments + 1) {
      throw new LimitExceeded('nameSegments', nameSegments);
    }
  }
}
