/** @file Starts imports: from an archive of this machine, from an address that GitLab fetches, and of one relation. */
import { assertLayoutAccepted } from '../../../src-contract/archives/legacy-layout.ts';
import type { Inspection } from '../../../src-contract/archives/archive.ts';
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import { suggestProjectPath } from '../../../src-contract/projects/project.ts';
import type { ImportInput, ImportSource, RelationImportInput } from '../../../src-contract/runs/job.ts';
import { importForecast } from '../../../src-contract/transfers/comparison-forecast.ts';
import type { ComparisonForecast } from '../../../src-contract/transfers/import.ts';
import { readOverrides } from '../../../src-contract/transfers/override-params.ts';
import { assertKeepsMembers } from '../../../src-contract/transfers/relation-members.ts';
import type { InspectFileOptions } from '../../archive/inspect.ts';
import { inspectArchiveFile } from '../archives/archive-file.ts';
import type { ResolvedArchive, StoredArchives } from '../archives/stored-archives.ts';
import type { Storages } from '../instances/storages.ts';
import { resolveNamespace } from '../projects/namespaces.ts';
import type { JobRequestDeps } from '../runs/job-request-deps.ts';
import type { EnqueuedJob } from '../runs/job-service.ts';
import { Service } from '../service.ts';
import { assertImportable, requireProjectPath } from './importable.ts';
import type { RelationArchives } from './relation-archives.ts';
import { stripUrlSecrets } from './secret-addresses.ts';

export interface ImportDeps extends JobRequestDeps {
  archives: StoredArchives;
  storages: Storages;
  relationArchives: Pick<RelationArchives, 'make'>;
}

/** How the archive is read, and how the replacement of a project is confirmed. */
export interface ImportContext {
  readOptions: InspectFileOptions & { signal: AbortSignal };
  /** Throws `confirmation-missing` unless the replacement of the project at this full path was confirmed. */
  requireConfirmation(instance: string, project: string): void;
}

type StartedImport = EnqueuedJob & { target: string; comparison: ComparisonForecast | null };

export class Imports extends Service<ImportDeps> {
  /** Reads the whole archive, and enqueues its import. Throws the errors of the checks before anything is sent. */
  async start(request: ParsedRequest<'import.start'>, context: ImportContext): Promise<StartedImport> {
    const { instances, checks, archives, connections, jobService } = this.deps;
    const { signal } = context.readOptions;
    readOverrides(request.overrideParams);
    const instance = instances.get(request.instance);
    await checks.assertMayWrite(instance, signal);
    const archive = await archives.resolveUndamaged(request.archive);
    const path = requireProjectPath(
      request.path ?? archive.stored?.fullPath.split('/').at(-1) ?? suggestProjectPath(archive.path),
    );
    const fetchNamespace = (): Promise<string> =>
      resolveNamespace(connections, instance, request.namespace, signal);
    let namespace: string | null = null;
    if (request.overwrite) {
      // Checked before the archive is read: reading may take longer than a confirmation is valid.
      namespace = await fetchNamespace();
      context.requireConfirmation(instance.name, `${namespace}/${path}`);
    }
    const inspection = await inspectArchiveFile(archive.path, context.readOptions);
    assertImportable(archive.path, inspection, request.allowSuspicious);
    await this.#assertLayoutAccepted(instance, inspection, signal);
    namespace ??= await fetchNamespace();
    const target = `${namespace}/${path}`;
    const input: ImportInput = {
      source: { kind: 'file' },
      archivePath: archive.path,
      sha256: inspection.sha256,
      sizeBytes: inspection.sizeBytes,
      namespace,
      path,
      name: request.name ?? (await this.#archivedName(archive, request.path)),
      overwrite: request.overwrite,
      overrideParams: request.overrideParams,
      archiveId: archive.stored?.id ?? null,
      compare: request.compare,
    };
    // The stored request omits the confirmation, so a request with a new one resumes an interrupted run.
    const runRequest = { ...request, confirmation: null };
    const draft = { instance: instance.name, project: target, input };
    const comparison = importForecast(request.compare, inspection);
    return { ...jobService.enqueueOne('import', runRequest, draft), target, comparison };
  }

  /** Enqueues an import of an archive that GitLab fetches from an address, which may be secret. */
  startFromUrl(
    { instance, url, confirmation: _, ...request }: ParsedRequest<'import.url'>,
    context: ImportContext,
  ): Promise<StartedImport> {
    const address = stripUrlSecrets(url);
    const { secretAddresses } = this.deps;
    const createSource = (): ImportSource => ({
      kind: 'url',
      address,
      secret: secretAddresses.store(url.trim()),
    });
    return this.#startRemote(instance, request, createSource, context);
  }

  /** Enqueues an import of an archive that GitLab fetches from a storage. Throws `storage-missing`. */
  async startFromStorage(
    { instance, storage, key, ...request }: ParsedRequest<'import.s3'>,
    context: ImportContext,
  ): Promise<StartedImport> {
    if (!this.deps.storages.list().some((known) => known.name === storage)) {
      throw new AppError('storage-missing', `There is no storage "${storage}".`, {
        details: { storage, reference: storage },
      });
    }
    const createSource = (): ImportSource => ({ kind: 's3', storage, key });
    return this.#startRemote(instance, { ...request, overwrite: false }, createSource, context);
  }

  /**
   * Enqueues an import of one relation of an archive. Throws `members-at-risk` if it would remove members that the target
   * has and the archive lacks, unless that was requested.
   */
  async startRelation(
    { instance: name, project, archive, relation, removeMembers }: ParsedRequest<'import.relation'>,
    readOptions: ImportContext['readOptions'],
  ): Promise<EnqueuedJob> {
    const { instances, checks, connections, archives, relationArchives, jobService } = this.deps;
    const instance = instances.get(name);
    await checks.assertMayWrite(instance, readOptions.signal);
    const remote = connections.connect(instance);
    const { id: projectId, fullPath } = await remote.project(project, readOptions.signal);
    const { path, stored } = await archives.resolveUndamaged(archive);
    const target = await remote.targetSnapshot(projectId, readOptions.signal);
    assertKeepsMembers(target, fullPath, removeMembers);
    const inspection = await inspectArchiveFile(path, readOptions);
    // Suspicious findings are allowed: they may concern records that are not sent.
    assertImportable(path, inspection, true);
    const relationArchive = await relationArchives.make(path, relation, readOptions.signal);
    const archiveId = stored?.id ?? null;
    const commonInput = { projectId, fullPath, relation, ...(removeMembers && { removeMembers }) };
    const input: RelationImportInput = { ...commonInput, ...relationArchive, archiveId };
    const runRequest = { instance: name, ...commonInput, sha256: relationArchive.sha256 };
    return jobService.enqueueOne('relation-import', runRequest, { instance: name, project: fullPath, input });
  }

  /** Enqueues an import. Calls `createSource` after all checks, because it may store a secret. */
  async #startRemote(
    name: string,
    request: Omit<ParsedRequest<'import.url'>, 'instance' | 'url' | 'confirmation'>,
    createSource: () => ImportSource,
    context: ImportContext,
  ): Promise<StartedImport> {
    const { instances, checks, connections, jobService, secretAddresses } = this.deps;
    const { readOptions } = context;
    const instance = instances.get(name);
    readOverrides(request.overrideParams);
    await checks.assertMayWrite(instance, readOptions.signal);
    const path = requireProjectPath(request.path);
    const namespace = await resolveNamespace(connections, instance, request.namespace, readOptions.signal);
    const target = `${namespace}/${path}`;
    if (request.overwrite) context.requireConfirmation(name, target);
    const { inspection, ...localArchive } = await this.#readArchive(request.archive, readOptions);
    const importSource = createSource();
    const input: ImportInput = {
      source: importSource,
      ...localArchive,
      namespace,
      path,
      name: request.name,
      overwrite: request.overwrite,
      overrideParams: request.overrideParams,
      compare: request.compare,
    };
    const runRequest = {
      ...request,
      instance: name,
      source:
        importSource.kind === 'url'
          ? { kind: importSource.kind, address: importSource.address }
          : importSource,
    };
    const enqueued = jobService.enqueueOne('import', runRequest, { instance: name, project: target, input });
    secretAddresses.storeUnderKeyOf(enqueued.job, importSource.kind === 'url' ? importSource.secret : null);
    const comparison = inspection === null ? null : importForecast(request.compare, inspection);
    return { ...enqueued, target, comparison };
  }

  /** Reads the local archive that an import from an address is compared with. */
  async #readArchive(
    reference: string | null,
    readOptions: InspectFileOptions,
  ): Promise<
    Pick<ImportInput, 'archivePath' | 'sha256' | 'sizeBytes' | 'archiveId'> & {
      inspection: Inspection | null;
    }
  > {
    if (reference === null)
      return { archivePath: null, sha256: null, sizeBytes: null, archiveId: null, inspection: null };
    const { path, stored } = await this.deps.archives.resolveUndamaged(reference);
    const inspection = await inspectArchiveFile(path, readOptions);
    const { sha256, sizeBytes } = inspection;
    return { archivePath: path, sha256, sizeBytes, archiveId: stored?.id ?? null, inspection };
  }

  /** Throws `layout-refused`. The server version is requested only if the layout depends on it. */
  async #assertLayoutAccepted(
    instance: Instance,
    inspection: Inspection,
    signal: AbortSignal,
  ): Promise<void> {
    if (inspection.layout !== 'legacy') return;
    const { version } = await this.deps.connections.connect(instance).serverInfo(signal);
    assertLayoutAccepted(inspection, version);
  }

  /** Returns the name of the archived project. Null if the request has a path: the import then gets another name. */
  async #archivedName({ stored }: ResolvedArchive, path: string | null): Promise<string | null> {
    if (path !== null || stored === null) return null;
    const { name } = (await this.deps.archives.describe(stored)).manifest.project;
    return name === '' || stored.projectId === null ? null : name;
  }
}
