/** @file Counts a git bundle's refs and verifies its pack's checksum during the pass, without git. */
import { createHash, type Hash } from 'node:crypto';
import type { z } from '../../../src-contract/schema.ts';
import type { bundleSchema } from '../../../src-contract/archives/archive-schema.ts';
import type { FindingList } from '../findings.ts';
import type { MemberSink } from './tar-walker.ts';

export type Bundle = z.infer<typeof bundleSchema>;

const maxLineLength = 64 * 1024;
const packHeaderBytes = 12;

export class BundleSink implements MemberSink {
  readonly #bundle: Bundle;
  readonly #findings: FindingList;
  /** Bytes of an unfinished header line, later of the unfinished pack header. */
  #kept: Buffer = Buffer.alloc(0);
  #lines = 0;
  #inPack = false;
  #algorithm: 'sha1' | 'sha256' = 'sha1';
  #hash: Hash | null = null;
  /** The last bytes seen. They may be the checksum, which does not cover itself. */
  #tail: Buffer = Buffer.alloc(0);
  #fault: string | null = null;

  /** The list that receives the bundle after its last byte. */
  readonly #bundles: Bundle[];

  readonly #refs: MemberSink | null;

  /** @param refs receives a line of JSON with name and SHA for each ref; null if nobody needs them. */
  constructor(member: string, bundles: Bundle[], findings: FindingList, refs: MemberSink | null = null) {
    this.#refs = refs;
    this.#bundle = { member, branches: 0, tags: 0, otherRefs: 0, objects: null };
    this.#bundles = bundles;
    this.#findings = findings;
  }

  write(bytes: Buffer): void {
    const rest = this.#inPack ? bytes : this.#header(bytes);
    if (rest.length > 0 && this.#fault === null) this.#pack(rest);
  }

  end(): void {
    this.#refs?.end();
    this.#fault ??= this.#checksumFault();
    this.#bundles.push(this.#fault === null ? this.#bundle : { ...this.#bundle, objects: null });
    if (this.#fault !== null) this.#findings.add('bundle-damaged', this.#fault, this.#bundle.member);
  }

  /** Consumes header lines, and returns the bytes after the empty line that ends the header. */
  #header(bytes: Buffer): Buffer {
    let at = 0;
    while (this.#fault === null) {
      const newline = bytes.indexOf(10, at);
      if (newline === -1) {
        this.#kept = Buffer.concat([this.#kept, bytes.subarray(at)]);
        if (this.#kept.length > maxLineLength) this.#fault = 'The bundle has no readable header';
        break;
      }
      const line = Buffer.concat([this.#kept, bytes.subarray(at, newline)]).toString();
      this.#kept = Buffer.alloc(0);
      at = newline + 1;
      if (line === '' && this.#lines > 0) {
        this.#inPack = true;
        this.#hash = createHash(this.#algorithm);
        return bytes.subarray(at);
      }
      this.#headerLine(line);
      this.#lines++;
    }
    return Buffer.alloc(0);
  }

  #headerLine(line: string): void {
    if (this.#lines === 0) {
      if (line !== '# v2 git bundle' && line !== '# v3 git bundle') this.#fault = 'This is not a git bundle';
    } else if (line.startsWith('@')) {
      if (line === '@object-format=sha256') this.#algorithm = 'sha256';
    } else if (!line.startsWith('-')) {
      const [, sha, name] = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (.+)$/.exec(line) ?? [];
      if (name === undefined) {
        this.#fault = 'The bundle has an unreadable ref';
        return;
      }
      this.#refs?.write(Buffer.from(`${JSON.stringify({ name, sha })}\n`));
      if (name.startsWith('refs/heads/')) this.#bundle.branches++;
      else if (name.startsWith('refs/tags/')) this.#bundle.tags++;
      else this.#bundle.otherRefs++;
    }
  }

  #pack(bytes: Buffer): void {
    if (this.#bundle.objects === null) {
      this.#kept = Buffer.concat([this.#kept, bytes.subarray(0, packHeaderBytes - this.#kept.length)]);
      if (this.#kept.length === packHeaderBytes) this.#packHeader(this.#kept);
    }
    const size = this.#algorithm === 'sha1' ? 20 : 32;
    if (bytes.length >= size) {
      this.#hash?.update(this.#tail).update(bytes.subarray(0, -size));
      this.#tail = Buffer.from(bytes.subarray(-size));
    } else {
      const both = Buffer.concat([this.#tail, bytes]);
      const covered = Math.max(0, both.length - size);
      this.#hash?.update(both.subarray(0, covered));
      this.#tail = both.subarray(covered);
    }
  }

  #packHeader(header: Buffer): void {
    const version = header.readUInt32BE(4);
    if (header.toString('latin1', 0, 4) !== 'PACK' || (version !== 2 && version !== 3)) {
      this.#fault = 'The bundle holds no pack';
    } else this.#bundle.objects = header.readUInt32BE(8);
  }

  #checksumFault(): string | null {
    if (this.#hash === null || this.#bundle.objects === null) return 'The bundle is truncated';
    return this.#hash.digest().equals(this.#tail) ? null : 'The pack does not match its checksum';
  }
}
