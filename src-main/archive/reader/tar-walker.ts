/**
 * @file Walks a tar that arrives in pieces and hands each member's bytes to a sink, without keeping them. Strict: a wrong
 * checksum, a cut, a missing end marker are faults. It judges the structure only, never names or content.
 */
import { LimitCrossed, type ReadLimits } from '../limits.ts';
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
import { areZeros } from './zeros.ts';

/** Receives one member's content. The bytes belong to the walker: they must not be kept after the call. */
export interface MemberSink {
  write(bytes: Buffer): void;
  /** Called once, when all of the member's bytes were written. */
  end(): void;
}

export interface TarListener {
  /** A member begins; null when its content is of no interest. */
  member(header: TarHeader): MemberSink | null;
  /** A PAX header and a GNU long name spoke about the same member: readers differ in which one they believe. */
  mixedHeaders(name: string): void;
}

export type TarEnd =
  | { ended: true; trailing: boolean }
  | {
      ended: false;
      code: 'not-tar' | 'tar-damaged' | 'tar-unsupported' | 'tar-cut' | 'tar-end-missing';
      message: string;
    };

const notTar: TarEnd = { ended: false, code: 'not-tar', message: 'There is no tar inside' };

/** Types whose data describes the next member. */
const metaTypes = new Set(['L', 'K', 'x', 'X', 'g']);
/** Continuation and old sparse members: what is stored is not the member's content. */
const unsupportedTypes = new Set(['S', 'M']);

export class TarWalker {
  /** Members as `tar tzf` lists them. */
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
        this.#trailing ||= !areZeros(bytes.subarray(at));
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

  /** What the tar turned out to be; call it when no more bytes come. */
  end(): TarEnd {
    if (this.#fault !== null) {
      const { code, message } = this.#fault;
      return this.members === 0 && code === 'tar-damaged' ? notTar : { ended: false, code, message };
    }
    if (this.#zeroBlocks >= 2) return { ended: true, trailing: this.#trailing };
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
      // GNU tar passes over such a header; the member that it was written for is not there.
      if (this.#pax !== null || this.#longName !== null || this.#longLink !== null) {
        throw new TarFault('tar-damaged', 'An extended header stands before the end, without its member');
      }
      this.#zeroBlocks++;
      return;
    }
    if (this.#zeroBlocks > 0) throw new TarFault('tar-damaged', 'A lone zero block stands between members');
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
    if (header.size > this.#limits.metaBytes) throw new LimitCrossed('metaBytes', this.#limits.metaBytes);
    // As GNU tar: a long name goes on to its NUL in the last block, whatever its size field says.
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
    // As GNU tar: what follows a folder is the next member, whatever its size field says.
    this.#body = header.type === '5' ? 0 : header.size;
    this.#sink = this.#listener.member(header);
  }

  #checkLimits(name: string): void {
    const { members, nameBytes, nameSegments } = this.#limits;
    if (this.members >= members) throw new LimitCrossed('members', members);
    if (name.length > nameBytes / 4 && Buffer.byteLength(name) > nameBytes) {
      throw new LimitCrossed('nameBytes', nameBytes);
    }
    if (name.length > nameSegments && name.split('/').length > nameSegments + 1) {
      throw new LimitCrossed('nameSegments', nameSegments);
    }
  }
}
