/** @file What calls that ask an instance about its projects need. Types only; every failure is an `AppError`. */
import type { Finding, Inspection, ProjectCounts, Verdict } from '../../../src-contract/archive.ts';
import type { Reconciliation } from '../../../src-contract/import.ts';
import type { Instance } from '../../../src-contract/instance.ts';

/** Where the bytes of a file go, one call at a time. */
export interface FileSink {
  /** Before its first bytes; again where it has to be begun anew: what came before is then worth nothing. */
  begin(totalBytes: number | null): Promise<void>;
  write(chunk: Uint8Array): Promise<void>;
}

/** Hands over the bytes of a file, each call awaited, and resolves when all were. */
type Fetch = (sink: FileSink) => Promise<void>;

/** Fetches files from an instance, within its limits and over breaks of the connection. */
export interface ArrivalsPort {
  /** What arrived of an import, compared with the archive by name; `numbers` compares the counts. */
  compare(
    imported: {
      instance: string;
      projectId: number;
      archive: { path: string; inspection: Inspection };
      /** Name that was asked for; null: not known. */
      name: string | null;
      failures: readonly { relation: string | null; line: number | null }[];
      numbers: (target: ProjectCounts) => Promise<Reconciliation>;
    },
    signal: AbortSignal,
  ): Promise<Reconciliation>;
}

export interface TransfersPort {
  /** The account's own export, which has to be finished. Waits for its turn, at most some 90 s, else `rate-limited`. */
  fetchExport(
    instance: Instance,
    project: { id: number; fullPath: string },
    sink: FileSink,
    signal: AbortSignal,
  ): Promise<void>;
  /** A file that was uploaded for the texts of a project, given by full path or id. */
  fetchUpload(
    instance: Instance,
    upload: { project: string; uploadId: number },
    sink: FileSink,
    signal: AbortSignal,
  ): Promise<void>;
}

/** Archives of one relation that change nothing else of the project that gets them; each goes when its job has ended. */
export interface RelationArchivesPort {
  /** All records of the relation. Throws what `trimArchive` throws. */
  make(
    path: string,
    relation: string,
    signal: AbortSignal,
  ): Promise<{ archivePath: string; sha256: string; sizeBytes: number }>;
}

/** Where a file goes: an existing folder or a file, absolute; null: the folder for downloads. `name` is used in a folder. */
export interface Destination {
  to: string | null;
  name: string;
}

/** Files saved outside the store because a person wants them. What breaks off leaves nothing. */
export interface DownloadsPort {
  /** Never replaces a file: in a folder another name is found, else `already-exists`. */
  save(destination: Destination, fetch: Fetch): Promise<{ path: string; sizeBytes: number }>;
  /** As `save`, reading the archive to its end on the way; one that is unusable is `archive-corrupt` and not kept. */
  saveArchive(
    destination: Destination,
    fetch: Fetch,
  ): Promise<{ path: string; sizeBytes: number; sha256: string; verdict: Verdict; findings: Finding[] }>;
}
