/** @file What calls that ask an instance about its projects need. Types only; every failure is an `AppError`. */
import type { Finding, Inspection, ProjectCounts, Verdict } from '../../../src-preload/contract/archive.ts';
import type { Reconciliation } from '../../../src-preload/contract/import.ts';
import type { Instance } from '../../../src-preload/contract/instance.ts';
import type {
  FoundProject,
  GroupSummary,
  ProjectDetails,
  projectListKinds,
  ProjectQuery,
  ProjectUser,
  Starrer,
  Upload,
} from '../../../src-preload/contract/projects/project-details.ts';

/** Which part of a list: `cursor` is `next` of the part before, null for the first. */
export interface Place {
  cursor: string | null;
  limit: number;
}

/** `total` counts the whole list; null where the instance does not tell. */
export interface Part<Entry> {
  records: Entry[];
  next: string | null;
  total: number | null;
}

export interface GroupsWanted {
  search: string | null;
  withShared: boolean;
  sharedMinAccessLevel: number | null;
  sharedVisibleOnly: boolean;
  skipGroups: readonly number[];
}

/** `project` is a full path or an id. */
export interface ProjectReadPort {
  /** Throws `invalid-input` for what the list cannot be filtered by, before anything is asked. */
  find(
    list: { kind: (typeof projectListKinds)[number]; of: string },
    query: ProjectQuery,
    place: Place,
    signal: AbortSignal,
  ): Promise<Part<FoundProject>>;
  details(
    project: string,
    wanted: { license: boolean; statistics: boolean; customAttributes: boolean },
    signal: AbortSignal,
  ): Promise<ProjectDetails>;
  users(
    project: string,
    wanted: { search: string | null; skipUsers: readonly number[] },
    place: Place,
    signal: AbortSignal,
  ): Promise<Part<ProjectUser>>;
  groups(
    project: string,
    wanted: GroupsWanted,
    place: Place,
    signal: AbortSignal,
  ): Promise<Part<GroupSummary>>;
  shareLocations(
    project: string,
    search: string | null,
    place: Place,
    signal: AbortSignal,
  ): Promise<Part<GroupSummary>>;
  starrers(project: string, search: string | null, place: Place, signal: AbortSignal): Promise<Part<Starrer>>;
  languages(project: string, signal: AbortSignal): Promise<Record<string, number>>;
  /** Newest first. */
  uploads(project: string, place: Place, signal: AbortSignal): Promise<Part<Upload>>;
  /** GitLab's word for how the account's own export stands. */
  exportState(projectId: number, signal: AbortSignal): Promise<string>;
}

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
