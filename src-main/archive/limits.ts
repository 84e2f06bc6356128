/**
 * @file The limits for reading one archive. Crossing a limit ends the reading with `archive-limit`; the one exception
 * is an over-long record, which is a finding, because GitLab refuses such an archive too. Imports nothing, so that a
 * worker starts quickly.
 */

export interface ReadLimits {
  /** Bytes after inflating; GitLab's own default for imports is 25 GiB. */
  unpackedBytes: number;
  /** Maximum of unpacked divided by packed bytes, checked after `ratioFromBytes` were unpacked. */
  ratio: number;
  ratioFromBytes: number;
  members: number;
  nameBytes: number;
  nameSegments: number;
  /** Size of one extended header (PAX, GNU long name). */
  metaBytes: number;
  /** One record; GitLab refuses more than 50 MiB (gitlab-facts 5.3). */
  recordBytes: number;
}

const MiB = 1024 * 1024;

export const defaultReadLimits: ReadLimits = {
  unpackedBytes: 25 * 1024 * MiB,
  ratio: 250,
  ratioFromBytes: 64 * MiB,
  members: 2_000_000,
  nameBytes: 4096,
  nameSegments: 64,
  metaBytes: MiB,
  recordBytes: 50 * MiB,
};

/** Thrown past a limit. Callers outside this folder receive an `AppError` with the code `archive-limit`. */
export class LimitExceeded extends Error {
  readonly limit: keyof ReadLimits;
  readonly allowed: number;

  constructor(limit: keyof ReadLimits, allowed: number) {
    super(`The archive exceeds the reading limit ${limit} (${allowed}).`);
    this.limit = limit;
    this.allowed = allowed;
  }
}
