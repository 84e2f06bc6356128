/**
 * @file Collects the LFS objects of an archive, and compares them with `lfs-objects.json`. An import silently skips an
 * object without a file, and fails at a file that is not listed (gitlab-facts 11.1).
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
  /** Whether `lfs-objects.json` exists. Archives of old versions of GitLab have none, and need none. */
  #hasListing = false;
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
    [this.#hasListing, this.#listing, this.#listingBytes] = [true, [], 0];
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
    const listed = this.#listedOids();
    const missing = [...(listed ?? [])].filter((oid) => !this.#sizes.has(oid));
    for (const oid of missing) {
      const message = 'The archive lists this LFS object, but does not contain it; GitLab silently skips it';
      findings.add('lfs-missing', message, `lfs-objects/${oid}`);
    }
    for (const oid of this.#sizes.keys()) {
      if (listed === null || listed.has(oid)) continue;
      const message = 'The archive does not list this LFS object in lfs-objects.json, so the import fails';
      findings.add('lfs-unlisted', message, `lfs-objects/${oid}`);
    }
    return [
      ...[...this.#sizes].map(([name, size]) => ({ name, size })),
      ...missing.map((name) => ({ name, size: null })),
    ];
  }

  /** Returns null if there is no listing, or one that was not read. */
  #listedOids(): Set<string> | null {
    if (!this.#hasListing || this.#listing === null) return null;
    try {
      const listing: unknown = JSON.parse(Buffer.concat(this.#listing).toString());
      if (!isObject(listing)) return new Set();
      // GitLab fails at an object without a list of its repositories, too.
      const oids = Object.keys(listing).filter((oid) => Array.isArray(listing[oid]));
      return new Set(oids.filter((oid) => oidPattern.test(oid)));
    } catch {
      // Another finding reports a malformed document.
      return null;
    }
  }
}
