/**
 * @file Walks a tar that arrives in pieces and passes each member's bytes to a sink, without keeping them. Strict: a
 * wrong checksum, a truncated tar and a missing end marker are faults. Checks the structure only, never names or
 * content.
 */
import { LimitExceeded, type ReadLimits } from '../limits.ts';
import {
  blockSize,
  checkGlobalPax,
  isZeroBlock,
  metaTypes,
  parseHeader,
  parsePax,
  TarFault,
  unsupportedTypes,
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
  member(header: TarHeader): MemberSink | null;
  /** Called when a PAX header and a GNU long name describe the same member: readers differ in which one they use. */
  mixedHeaders(name: string): void;
}

export type TarEnd =
  | { ended: true; hasTrailingData: boolean }
  | {
      ended: false;
      code: 'not-tar' | 'tar-damaged' | 'tar-unsupported' | 'tar-cut' | 'tar-end-missing';
      message: string;
    };

const notTar: TarEnd = { ended: false, code: 'not-tar', message: 'There is no tar inside' };

export class TarWalker {
  /** Number of members, as `tar tzf` lists them. */
  members = 0;

  readonly #limits: ReadLimits;
  readonly #listener: TarListener;
  readonly #block = Buffer.alloc(blockSize);
  #blockFilled = 0;
  #body = 0;
  #padding = 0;
  #sink: MemberSink | null = null;
  #meta: { type: string; data: Buffer; filled: number } | null = null;
  #pax: ReadonlyMap<string, string> | null = null;
  #longName: string | null = null;
  #longLink: string | null = null;
  #zeroBlocks = 0;
  #trailing = false;
  #fault: TarFault | null = null;

  constructor(listener: TarListener, limits: ReadLimits) {
    this.#listener = listener;
    this.#limits = limits;
  }

  write(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#fault !== null) return;
      if (this.#zeroBlocks >= 2) {
        this.#trailing ||= !isAllZeros(bytes.subarray(at));
        return;
      }
      if (this.#body > 0) {
        const taken = Math.min(this.#body, bytes.length - at);
        this.#content(bytes.subarray(at, at + taken));
        at += taken;
      } else if (this.#padding > 0) {
        const taken = Math.min(this.#padding, bytes.length - at);
        this.#padding -= taken;
        at += taken;
      } else {
        at += this.#header(bytes, at);
      }
    }
  }

  /** Returns how the tar ended; called after the last bytes. */
  end(): TarEnd {
    if (this.#fault !== null) {
      const { code, message } = this.#fault;
      return this.members === 0 && code === 'tar-damaged' ? notTar : { ended: false, code, message };
    }
    if (this.#zeroBlocks >= 2) return { ended: true, hasTrailingData: this.#trailing };
    if (this.#body > 0 || this.#padding > 0 || this.#blockFilled > 0) {
      return { ended: false, code: 'tar-cut', message: 'The tar ends in the middle of a member' };
    }
    return this.members === 0 && this.#meta === null
      ? notTar
      : { ended: false, code: 'tar-end-missing', message: 'The tar has no end marker' };
  }

  #content(bytes: Buffer): void {
    this.#body -= bytes.length;
    if (this.#meta !== null) {
      this.#meta.filled += bytes.copy(this.#meta.data, this.#meta.filled);
    } else {
      this.#sink?.write(bytes);
    }
    if (this.#body === 0) this.#memberEnds();
  }

  #memberEnds(): void {
    const sink = this.#sink;
    this.#sink = null;
    sink?.end();
    const meta = this.#meta;
    this.#meta = null;
    if (meta !== null)
      this.#guarded(() => {
        this.#takeMeta(meta.type, meta.data);
      });
  }

  #header(bytes: Buffer, at: number): number {
    let block: Buffer = this.#block;
    let taken = blockSize;
    if (this.#blockFilled === 0 && bytes.length - at >= blockSize) {
      block = bytes.subarray(at, at + blockSize);
    } else {
      taken = bytes.copy(this.#block, this.#blockFilled, at, at + blockSize - this.#blockFilled);
      this.#blockFilled += taken;
      if (this.#blockFilled < blockSize) return taken;
      this.#blockFilled = 0;
    }
    this.#guarded(() => {
      this.#takeHeader(block);
    });
    return taken;
  }

  #guarded(work: () => void): void {
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
      this.#zeroBlocks++;
      return;
    }
    if (this.#zeroBlocks > 0) throw new TarFault('tar-damaged', 'There is a lone zero block between members');
    const stored = parseHeader(block);
    if (unsupportedTypes.has(stored.type)) {
      throw new TarFault('tar-unsupported', `Members of type ${stored.type} are not supported`);
    }
    if (metaTypes.has(stored.type)) this.#beginMeta(stored);
    else this.#beginMember(stored);
    this.#padding = (blockSize - (this.#body % blockSize)) % blockSize;
    if (this.#body === 0) this.#memberEnds();
  }

  #beginMeta(header: TarHeader): void {
    if (header.size > this.#limits.metaBytes) throw new LimitExceeded('metaBytes', this.#limits.metaBytes);
    // A long name ends at the NUL in its last block, whatever its size field says, as in GNU tar.
    const isName = header.type === 'L' || header.type === 'K';
    this.#body = isName ? Math.ceil(header.size / blockSize) * blockSize : header.size;
    this.#meta = { type: header.type, data: Buffer.alloc(this.#body), filled: 0 };
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

  #beginMember(stored: TarHeader): void {
    const mixed = this.#pax !== null && (this.#longName !== null || this.#longLink !== null);
    const named =
      this.#longName === null && this.#longLink === null
        ? stored
        : { ...stored, name: this.#longName ?? stored.name, linkName: this.#longLink ?? stored.linkName };
    const header = this.#pax === null ? named : withPax(named, this.#pax);
    this.#pax = this.#longName = this.#longLink = null;
    this.#checkLimits(header.name);
    this.members++;
    if (mixed) this.#listener.mixedHeaders(header.name);
    // The next member follows a folder directly, whatever its size field says, as in GNU tar.
    this.#body = header.type === '5' ? 0 : header.size;
    this.#sink = this.#listener.member(header);
  }

  #checkLimits(name: string): void {
    const { members, nameBytes, nameSegments } = this.#limits;
    if (this.members >= members) throw new LimitExceeded('members', members);
    if (name.length > nameBytes / 4 && Buffer.byteLength(name) > nameBytes) {
      throw new LimitExceeded('nameBytes', nameBytes);
    }
    if (name.length > nameSegments && name.split('/').length > nameSegments + 1) {
      throw new LimitExceeded('nameSegments', nameSegments);
    }
  }
}
