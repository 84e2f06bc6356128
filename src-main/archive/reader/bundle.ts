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
  #unfinished: Buffer = Buffer.alloc(0);
  #lineCount = 0;
  #inPack = false;
  #algorithm: 'sha1' | 'sha256' = 'sha1';
  #hash: Hash | null = null;
  /** The last bytes seen. They may be the checksum, which does not cover itself. */
  #tail: Buffer = Buffer.alloc(0);
  #fault: string | null = null;

  /** The list that receives the bundle after its last byte. */
  readonly #bundles: Bundle[];

  readonly #refSink: MemberSink | null;

  /** @param refSink receives a line of JSON with name and SHA for each ref; null if nobody needs them. */
  constructor(member: string, bundles: Bundle[], findings: FindingList, refSink: MemberSink | null = null) {
    this.#refSink = refSink;
    this.#bundle = { member, branches: 0, tags: 0, otherRefs: 0, objects: null };
    this.#bundles = bundles;
    this.#findings = findings;
  }

  write(bytes: Buffer): void {
    const rest = this.#inPack ? bytes : this.#readHeader(bytes);
    if (rest.length > 0 && this.#fault === null) this.#readPack(rest);
  }

  end(): void {
    this.#refSink?.end();
    this.#fault ??= this.#checksumFault();
    this.#bundles.push(this.#fault === null ? this.#bundle : { ...this.#bundle, objects: null });
    if (this.#fault !== null) this.#findings.add('bundle-damaged', this.#fault, this.#bundle.member);
  }

  /** Consumes header lines, and returns the bytes after the empty line that ends the header. */
  #readHeader(bytes: Buffer): Buffer {
    let offset = 0;
    while (this.#fault === null) {
      const newline = bytes.indexOf(10, offset);
      if (newline === -1) {
        this.#unfinished = Buffer.concat([this.#unfinished, bytes.subarray(offset)]);
        if (this.#unfinished.length > maxLineLength) this.#fault = 'The bundle has no readable header';
        break;
      }
      const line = Buffer.concat([this.#unfinished, bytes.subarray(offset, newline)]).toString();
      this.#unfinished = Buffer.alloc(0);
      offset = newline + 1;
      if (line === '' && this.#lineCount > 0) {
        this.#inPack = true;
        this.#hash = createHash(this.#algorithm);
        return bytes.subarray(offset);
      }
      this.#readHeaderLine(line);
      this.#lineCount++;
    }
    return Buffer.alloc(0);
  }

  #readHeaderLine(line: string): void {
    if (this.#lineCount === 0) {
      if (line !== '# v2 git bundle' && line !== '# v3 git bundle') this.#fault = 'This is not a git bundle';
    } else if (line.startsWith('@')) {
      if (line === '@object-format=sha256') this.#algorithm = 'sha256';
    } else if (!line.startsWith('-')) {
      const [, sha, name] = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (.+)$/.exec(line) ?? [];
      if (name === undefined) {
        this.#fault = 'The bundle has an unreadable ref';
        return;
      }
      this.#refSink?.write(Buffer.from(`${JSON.stringify({ name, sha })}\n`));
      if (name.startsWith('refs/heads/')) this.#bundle.branches++;
      else if (name.startsWith('refs/tags/')) this.#bundle.tags++;
      else this.#bundle.otherRefs++;
    }
  }

  #readPack(bytes: Buffer): void {
    if (this.#bundle.objects === null) {
      this.#unfinished = Buffer.concat([
        this.#unfinished,
        bytes.subarray(0, packHeaderBytes - this.#unfinished.length),
      ]);
      if (this.#unfinished.length === packHeaderBytes) this.#readPackHeader(this.#unfinished);
    }
    const size = this.#algorithm === 'sha1' ? 20 : 32;
    if (bytes.length >= size) {
      this.#hash?.update(this.#tail).update(bytes.subarray(0, -size));
      this.#tail = Buffer.from(bytes.subarray(-size));
    } else {
      const joined = Buffer.concat([this.#tail, bytes]);
      const coveredLength = Math.max(0, joined.length - size);
      this.#hash?.update(joined.subarray(0, coveredLength));
      this.#tail = joined.subarray(coveredLength);
    }
  }

  #readPackHeader(header: Buffer): void {
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
