/** @file What the handlers need of stored archives, of files that are archives, and of the trash. Types only. */
import type { Some } from '../runs/run-ports.ts';
import type {
  ArchiveSummary,
  Inspection,
  Manifest,
  ProjectCounts,
  StateFile,
} from '../../../src-contract/archive.ts';
import type { CallReply, ParsedRequest } from '../../../src-contract/calls.ts';
import type { ExplainedFailure, Failure, Reconciliation } from '../../../src-contract/import.ts';
import type { Instance } from '../../../src-contract/instance.ts';
import type { Retention } from '../../../src-contract/plans/plan.ts';
import type { RecordView } from '../../../src-contract/record.ts';

/** An archive as it was referred to: a stored one with its summary, or any file. `path` is absolute. */
export interface ResolvedArchive {
  path: string;
  stored: ArchiveSummary | null;
  /** Stored ones that the reference means as well: copies that have the same bytes, or the same path in another root. */
  others: ArchiveSummary[];
}

/** An archive folder that is not there, and what stood in it. */
export interface ArchiveAbsence {
  path: string;
  /** Something stands in its place, such as an empty mount point. */
  replaced: boolean;
  archives: number;
  bytes: number;
  projects: number;
}

/** What proving one archive again told. */
export type VerifiedArchive = Omit<CallReply<'archive.verify'>, 'copies'>;

/** Files to adopt, each with the project it is of as far as that is known. */
export interface Adoption {
  instance: Instance;
  files: { file: string; project: AdoptedProject }[];
  prove: boolean;
}

export interface AdoptedProject {
  projectId: number | null;
  fullPath: string;
  name: string;
}

/** A project that is known. */
export type Identity = AdoptedProject & { projectId: number };

export interface ArchivesPort {
  list(filter: {
    instance: string | null;
    project: string | null;
    before: string | null;
    limit: number;
  }): Promise<ArchiveSummary[]>;
  /** Projects of which archives are held, by path. */
  projects(filter: ParsedRequest<'archive.projects'>): Promise<{
    projects: { archives: number; bytes: number; newest: ArchiveSummary }[];
    total: number;
  }>;
  /**
   * A file path, a path in the store, an id, or at least 8 digits of a SHA-256. Of several copies it is one that is there now,
   * and of these the newest. Throws `archive-missing`, and `archive-ambiguous` where the digits begin different hashes.
   */
  resolve(reference: string): Promise<ResolvedArchive>;
  /** Whether what stands at this path, or would, is really in one of the archive folders. */
  isInStore(path: string): Promise<boolean>;
  /** Where it really stands on disk: an existing file below one of the roots; throws `archive-missing`, `archive-unsafe`. */
  realPlace(stored: ArchiveSummary): Promise<string>;
  /** Of those whose folders are there. */
  totals(): { count: number; bytes: number };
  /** Archive folders with archives that are not there now. */
  absences(): Promise<ArchiveAbsence[]>;
  /** Damaged and unusable archives of projects of which no newer one is readable, newest first. */
  bad(limit: number): Some<ArchiveSummary & { superseded: boolean }>;
  /** Where new archives go, and how much is free there; null while that cannot be told. */
  space(): Promise<{ path: string; freeBytes: number | null }>;
  describe(stored: ArchiveSummary): Promise<{ manifest: Manifest; state: StateFile }>;
  inspect(
    path: string,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<Inspection>;
  /** Reads one stored archive again and keeps what was found: a proof, or that it is damaged. */
  verify(
    stored: ArchiveSummary,
    level: 'L1' | 'L2',
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<VerifiedArchive>;
  /** Writes a minimal archive of chosen records, and the file of their lines; replaces neither. */
  trim(
    path: string,
    relations: ParsedRequest<'archive.trim'>['relations'],
    to: string,
    signal: AbortSignal,
    onProgress: (doneBytes: number, totalBytes: number) => void,
  ): Promise<CallReply<'archive.trim'>>;
  record(path: string, relation: string, line: number, signal: AbortSignal): Promise<RecordView>;
  explain(path: string, failures: Failure[], signal: AbortSignal): Promise<ExplainedFailure[]>;
  /** Source (where its manifest knows it), archive and target compared; `failures` is how many are listed. */
  reconcile(
    path: string,
    target: ProjectCounts,
    failures: number,
    signal: AbortSignal,
  ): Promise<Reconciliation>;
  rescan(signal: AbortSignal, onProgress: (done: number) => void): Promise<CallReply<'archive.rescan'>>;
  /** Others that hold the same bytes, newest first. */
  alike(stored: ArchiveSummary): ArchiveSummary[];
  /** Settles the project of an adopted archive; throws `invalid-input` where the manifest knows it. */
  identify(stored: ArchiveSummary, instance: Instance, project: Identity): Promise<void>;
  /** Absolute paths of what is called as exports are, right in this folder. */
  exportsIn(folder: string): Promise<string[]>;
  /** A null note leaves the one that is there. */
  setPinned(stored: ArchiveSummary, pinned: boolean, note: string | null): Promise<void>;
  /** What became of each file, in their order; `onProgress` hears bytes of all. */
  adopt(
    adoption: Adoption,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<CallReply<'archive.adopt'>['files']>;
}

/** Archives that were given up, until they are removed for good. */
export interface TrashPort {
  list(): Promise<CallReply<'archive.trash'>>;
  /** Gives an archive up. @returns until when it can be brought back. Throws `invalid-input` for a pinned one, `job-busy`. */
  put(stored: ArchiveSummary): Promise<string>;
  /** By its path in the store, or at least 8 digits of its SHA-256. @returns its id. Throws `archive-missing`, `archive-ambiguous`. */
  restore(reference: string): Promise<string>;
  /** What all of the trash folders hold. */
  bytes(): Promise<number>;
  /** Removes all of it for good. @returns how many bytes that were. */
  empty(): Promise<number>;
}

/** Pruning of all that a plan is about. Both throw `plan-missing`, `instance-unknown`. */
export interface PruningPort {
  preview(planId: string, retention: Retention): Promise<CallReply<'plan.prunePreview'>>;
  /** Moves to the trash what the plan would not keep now, and of that only what a person was `shown`, by id. */
  prune(planId: string, shown: string[], signal: AbortSignal): Promise<CallReply<'archive.prune'>>;
}
