/**
 * @file Collects the LFS objects of an archive, and finds those that `lfs-objects.json` lists, but that the archive does
 * not contain. An import skips these silently.
 */
import { isObject } from '../../platform/objects.ts';
import type { FindingList } from '../findings.ts';
import type { MemberSink } from './tar-walker.ts';

/** Larger listings, of about a million objects, are not searched for missing ones. */
const maxListingBytes = 64 * 1024 * 1024;
const oidPattern = /^[0-9a-f]{64}$/;

export class LfsContent {
  count = 0;
  bytes = 0;
  readonly #sizes = new Map<string, number>();
  #listing: Buffer[] | null = [];
  #listingBytes = 0;

  /** Returns the oid of the member; null if its name is none. */
  addObject(member: string, size: number): string | null {
    this.count++;
    this.bytes += size;
    const oid = member.slice(member.lastIndexOf('/') + 1);
    if (!oidPattern.test(oid)) return null;
    this.#sizes.set(oid, size);
    return oid;
  }

  /** Returns a sink that receives a copy of `lfs-objects.json`. If there are two, GitLab reads the last one. */
  listingSink(): MemberSink {
    [this.#listing, this.#listingBytes] = [[], 0];
    return {
      write: (bytes) => {
        this.#listingBytes += bytes.length;
        if (this.#listingBytes > maxListingBytes) this.#listing = null;
        // The walker uses its buffer again.
        this.#listing?.push(Buffer.from(bytes));
      },
      end: () => undefined,
    };
  }

  /** Returns the objects of the archive, then the missing ones without a size. */
  finish(findings: FindingList): { name: string; size: number | null }[] {
    const missing = this.#listedOids().filter((oid) => !this.#sizes.has(oid));
    for (const oid of missing) {
      const message = 'The archive lists this LFS object, but does not contain it; GitLab silently skips it';
      findings.add('lfs-missing', message, `lfs-objects/${oid}`);
    }
    return [
      ...[...this.#sizes].map(([name, size]) => ({ name, size })),
      ...missing.map((name) => ({ name, size: null })),
    ];
  }

  #listedOids(): string[] {
    if (this.#listing === null) return [];
    try {
      const listing: unknown = JSON.parse(Buffer.concat(this.#listing).toString());
      return isObject(listing) ? Object.keys(listing).filter((oid) => oidPattern.test(oid)) : [];
    } catch {
      // Another finding reports a malformed document.
      return [];
    }
  }
}
