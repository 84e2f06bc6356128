/** @file The ports of an instance and a store for jobs, with scripted replies, without a network or a disk. */
import { countedRelations } from '../../../src-contract/relations.ts';
import { lacksRecords } from '../../../src-contract/archives/archive-quality.ts';
import type { Inspection, Manifest, ProjectCounts, Proof } from '../../../src-contract/archives/archive.ts';
import type { ImportStatus } from '../../../src-contract/transfers/import.ts';
import { presetPaces, type Pace } from '../../../src-contract/instances/instance.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { RelationImport } from '../../../src-contract/transfers/transfer.ts';
import type {
  AuthoredRecord,
  RelationTarget,
} from '../../../src-contract/transfers/relation-target-schema.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { countsOf as countsIn, minSourceCounts } from '../../../src-main/archive/compare.ts';
import { isoTime, type Clock } from '../../../src-main/platform/clock.ts';
import type { DownloadStart } from '../../../src-main/gitlab/transfers/transfers.ts';
import { FakeChanges } from './fake-changes.ts';
import type {
  ArchiveKey,
  ArchivePort,
  DownloadSink,
  ExportState,
  InstancePort,
  PendingArchivePort,
  RelationUploadRequest,
  RemoteImportRequest,
  SecretsPort,
  StoredArchiveRef,
  UploadRequest,
} from '../../../src-main/jobs/ports.ts';

/** Returns the given replies one after the other; the last one stays. An error is thrown. */
export function sequence<T>(...answers: (T | AppError)[]): () => T {
  let next = 0;
  return () => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    if (answer instanceof AppError) throw answer;
    return answer as T;
  };
}

export const countsOf = (each: number, changes: Partial<ProjectCounts> = {}): ProjectCounts =>
  ({ ...Object.fromEntries(countedRelations.map((name) => [name, each])), ...changes }) as ProjectCounts;

export function projectOf(changes: Partial<Project> = {}): Project {
  return {
    id: 7,
    fullPath: 'group/project',
    name: 'Project',
    description: null,
    visibility: 'private',
    archived: false,
    defaultBranch: 'main',
    emptyRepository: false,
    webUrl: 'https://gitlab.example/group/project',
    createdAt: null,
    lastActivityAt: '2026-11-20T00:00:00Z',
    creatorId: null,
    importStatus: 'none',
    importType: null,
    accessLevel: 40,
    repositorySizeBytes: null,
    markedForDeletionOn: null,
    ...changes,
  };
}

export function importOf(changes: Partial<ImportStatus> = {}): ImportStatus {
  return {
    projectId: 90,
    fullPath: 'group/copy',
    state: 'finished',
    importType: 'gitlab_project',
    error: null,
    correlationId: null,
    failures: [],
    stats: null,
    ...changes,
  };
}

export function relationImportOf(changes: Partial<RelationImport> = {}): RelationImport {
  return {
    id: 11,
    projectPath: 'group/project',
    relation: 'issues',
    status: 'created',
    createdAt: null,
    updatedAt: null,
    ...changes,
  };
}

/** A port without secrets, for tests whose jobs need none. */
export const noSecrets: SecretsPort = {
  importUrl: () => {
    throw new AppError('secret-lost', 'Nothing is kept.');
  },
  storage: () => Promise.reject(new AppError('storage-missing', 'There is no storage.')),
};

export class FakeInstance implements InstancePort {
  readonly name = 'source';
  readonly url = 'https://gitlab.example';
  readonly username = 'me';
  readonly pace: Pace;
  /** Every call, with the time of the wall clock and the project it is about. */
  readonly calls: { what: string; at: number; about: number | string }[] = [];
  readonly #clock: Clock;

  /** The error of every request while the instance is unreachable; null if it is reachable. */
  unreachableError: AppError | null = null;
  version: string | null = '18.5.0';
  clockSkewMs = 0;
  onState: (projectId: number) => ExportState = () => 'none';
  onRequest: (projectId: number) => void = () => undefined;
  onDownload: (projectId: number) => { facts?: Partial<DownloadStart>; chunks?: (string | Buffer)[] } =
    () => ({});
  onProject: (idOrPath: number | string) => Project = () => projectOf();
  /** All projects that the account can see. */
  onProjects: () => Project[] = () => [];
  onCounts: () => ProjectCounts = () => countsOf(2);
  onImport: (request: UploadRequest) => ImportStatus = () => importOf({ state: 'scheduled' });
  onImportStatus: (projectId: number) => ImportStatus = () => importOf();
  onImportRemote: (request: RemoteImportRequest) => ImportStatus = () => importOf({ state: 'scheduled' });
  onImportRelation: (request: RelationUploadRequest) => RelationImport = () => relationImportOf();
  onRelationImports: () => RelationImport[] = () => [];
  onRelationTarget: () => RelationTarget = () => ({
    account: { id: 3, username: 'me', administrator: false },
    attributes: {},
    members: [{ id: 3, username: 'me', level: 40 }],
  });
  onRecordAuthors: (iids: readonly number[]) => ReadonlyMap<number, string | null> | null = () => null;
  readonly changes: FakeChanges;

  constructor(clock: Clock, pace: Partial<Pace> = {}) {
    this.#clock = clock;
    this.pace = { ...presetPaces.gitlab, ...pace };
    this.changes = new FakeChanges((what, about, answer) => this.#answer(what, about, answer));
  }

  /** Returns the times of all calls of one kind. */
  times(what: string, about?: number | string): number[] {
    return this.calls
      .filter((call) => call.what === what && (about === undefined || call.about === about))
      .map((call) => call.at);
  }

  serverInfo(): Promise<{ version: string | null; clockSkewMs: number | null }> {
    return this.#answer('server', '', () => ({ version: this.version, clockSkewMs: this.clockSkewMs }));
  }

  userId(): Promise<number> {
    return this.#answer('user', '', () => 3);
  }

  project(idOrPath: number | string): Promise<Project> {
    return this.#answer('project', idOrPath, () => this.onProject(idOrPath));
  }

  highestProjectId(): Promise<number> {
    return this.#answer('highest id', '', () => 50);
  }

  async *projectsAfter(id: number): AsyncGenerator<Project> {
    const projects = await this.#answer('projects after', id, this.onProjects);
    yield* projects.filter((project) => project.id > id);
  }

  namespaceExists(): Promise<boolean> {
    return this.#answer('namespace', '', () => true);
  }

  counts(projectId: number): Promise<ProjectCounts> {
    return this.#answer('counts', projectId, this.onCounts);
  }

  requestExport(projectId: number): Promise<void> {
    return this.#answer('request', projectId, () => {
      this.onRequest(projectId);
    });
  }

  exportState(projectId: number): Promise<ExportState> {
    return this.#answer('state', projectId, () => this.onState(projectId));
  }

  async downloadExport(projectId: number, sink: DownloadSink, signal: AbortSignal): Promise<void> {
    const { facts, chunks } = await this.#answer('download', projectId, () => this.onDownload(projectId));
    await sink.onStart({ totalBytes: null, lastModified: this.#clock.now(), ...facts });
    for (const chunk of chunks ?? ['archive']) {
      signal.throwIfAborted();
      await sink.onChunk(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    }
  }

  importFile(request: UploadRequest): Promise<ImportStatus> {
    return this.#answer('import', `${request.namespace}/${request.path}`, () => this.onImport(request));
  }

  importRemote(request: RemoteImportRequest): Promise<ImportStatus> {
    const about = `${request.namespace}/${request.path}`;
    return this.#answer('import', about, () => this.onImportRemote(request));
  }

  importRelation(request: RelationUploadRequest): Promise<RelationImport> {
    return this.#answer('import relation', request.fullPath, () => this.onImportRelation(request));
  }

  relationImports(projectId: number): Promise<RelationImport[]> {
    return this.#answer('relation imports', projectId, this.onRelationImports);
  }

  targetSnapshot(projectId: number): Promise<RelationTarget> {
    return this.#answer('relation target', projectId, this.onRelationTarget);
  }

  recordAuthors(
    projectId: number,
    _relation: string,
    iids: readonly number[],
  ): Promise<ReadonlyMap<number, string | null> | null> {
    return this.#answer('record authors', projectId, () => this.onRecordAuthors(iids));
  }

  importStatus(projectId: number): Promise<ImportStatus> {
    return this.#answer('import status', projectId, () => this.onImportStatus(projectId));
  }

  async #answer<T>(what: string, about: number | string, answer: () => T): Promise<T> {
    this.calls.push({ what, at: this.#clock.now(), about });
    return Promise.resolve().then(() => {
      if (this.unreachableError !== null) throw this.unreachableError;
      return answer();
    });
  }
}

export const soundInspection: Inspection = {
  verdict: 'sound',
  layout: 'ndjson',
  version: '0.2.4',
  gitlabVersion: '18.5.0',
  sha256: 'a'.repeat(64),
  sizeBytes: 7,
  unpackedBytes: 70,
  relations: { issues: 2, merge_requests: 2, milestones: 2, labels: 2, releases: 2, ci_pipelines: 2 },
  notes: { issues: 2, merge_requests: 2 },
  bundles: [{ member: 'project.bundle', branches: 2, tags: 2, otherRefs: 0, objects: 1 }],
  uploads: 0,
  lfsObjects: 0,
  members: 9,
  findings: [],
};

/** Stores manifests only. */
export class FakeArchives implements ArchivePort {
  readonly stored: { key: ArchiveKey; manifest: Manifest }[] = [];
  /** The reasons why files were moved to the trash folder. */
  readonly trash: string[] = [];
  readonly proofs: Proof[] = [];
  /** Archives of the project from before the test. */
  earlierArchives: Awaited<ReturnType<ArchivePort['archivesOf']>> = [];
  readonly discarded: string[] = [];
  onDiscard: (archiveId: string) => boolean = () => true;
  /** Number of archives that were started and neither committed nor discarded. */
  startedCount = 0;
  pending = 0;
  onAuthors: () => { records: AuthoredRecord[]; restCount: number } = () => ({ records: [], restCount: 0 });
  onInspect: () => Inspection = () => soundInspection;
  onBegin: (expectedBytes: number | null) => void = () => undefined;

  authoredRecords(): Promise<{ records: AuthoredRecord[]; restCount: number }> {
    return Promise.resolve(this.onAuthors());
  }

  findCommitted(key: ArchiveKey, jobId: string): Promise<StoredArchiveRef | null> {
    const found = this.stored.find(
      (archive) => archive.key.receivedAt === key.receivedAt && archive.manifest.jobId === jobId,
    );
    return Promise.resolve(found === undefined ? null : this.#ref(found.manifest));
  }

  createPending(key: ArchiveKey, expectedBytes: number | null): Promise<PendingArchivePort> {
    return Promise.resolve().then(() => {
      this.onBegin(expectedBytes);
      this.startedCount += 1;
      this.pending += 1;
      let open = true;
      const end = (): void => {
        if (open) this.pending -= 1;
        open = false;
      };
      const inspection = this.onInspect();
      return {
        write: () => Promise.resolve(),
        finish: () => Promise.resolve(inspection),
        commit: (fields) => {
          end();
          const { sha256, sizeBytes } = inspection;
          const more = { schemaVersion: 1, file: 'archive', storedAt: isoTime(key.receivedAt) } as const;
          const manifest: Manifest = { ...more, ...fields, sha256, sizeBytes, inspection };
          this.stored.push({ key, manifest });
          return Promise.resolve(this.#ref(manifest));
        },
        discard: (trashReason) => {
          if (open && trashReason !== null) this.trash.push(trashReason);
          end();
          return Promise.resolve();
        },
      };
    });
  }

  inspect(): Promise<Inspection> {
    return Promise.resolve(this.onInspect());
  }

  manifestOf(): Promise<Manifest | null> {
    return Promise.resolve(this.stored.at(-1)?.manifest ?? null);
  }

  records(_path: string, wanted: { relation: string; line: number }[]): Promise<null[]> {
    return Promise.resolve(wanted.map(() => null));
  }

  addProof(_archiveId: string, proof: Proof): Promise<void> {
    this.proofs.push(proof);
    return Promise.resolve();
  }

  folder(root: string | null): string {
    return root ?? '/archives';
  }

  archivesOf(): ReturnType<ArchivePort['archivesOf']> {
    const stored = this.stored.map(({ manifest }, at) => ({
      id: String(at + 1),
      path: `new/${at + 1}`,
      storedAt: manifest.storedAt,
      sizeBytes: manifest.sizeBytes,
      counts: countsIn(manifest.inspection),
      sourceCounts: minSourceCounts(manifest.sourceCounts),
      source: manifest.sourceCounts,
      root: '/archives',
      readable: manifest.inspection.findings.every(({ severity }) => severity !== 'error'),
      mayBeReadable: true,
      condition: lacksRecords(manifest.findings) ? ('incomplete' as const) : ('complete' as const),
      level: 'L2' as const,
      damaged: false,
      pinned: false,
      inUse: false,
      takenInAt: null,
    }));
    return Promise.resolve([
      ...stored,
      ...this.earlierArchives.filter(({ id }) => !this.discarded.includes(id)),
    ]);
  }

  moveToTrash(archiveId: string): Promise<boolean> {
    return Promise.resolve().then(() => {
      const moved = this.onDiscard(archiveId);
      if (moved) this.discarded.push(archiveId);
      return moved;
    });
  }

  #ref(manifest: Manifest): StoredArchiveRef {
    return { id: String(this.stored.length), path: '/archives/archive', manifest };
  }
}
