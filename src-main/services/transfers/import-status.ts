/** @file Reads the status of any import, and compares the imported project with its archive if one is given. */
import type { Inspection } from '../../../src-contract/archives/archive.ts';
import type { CallReply, ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { importInputSchema, importResultSchema } from '../../../src-contract/runs/job-schema.ts';
import type { JobSearch } from '../../catalogue/runs/job-search.ts';
import { comparisonHistory } from '../../jobs/migrations/comparing/comparison-history.ts';
import type { ImportComparisonPort } from '../../jobs/ports.ts';
import { parseTime, type Clock } from '../../platform/clock.ts';
import type { ArchiveContents } from '../archives/archive-contents.ts';
import { inspectArchiveFile } from '../archives/archive-file.ts';
import type { ResolvedArchive, StoredArchives } from '../archives/stored-archives.ts';
import type { Connections } from '../instances/connections.ts';
import type { Instances } from '../instances/instances.ts';
import type { RemoteInstance } from '../instances/remote/remote-instance.ts';
import { isHttpUrl, projectAddress } from '../projects/project-address.ts';
import { Service } from '../service.ts';

export interface ImportStatusDeps {
  instances: Instances;
  connections: Connections;
  archives: StoredArchives;
  contents: ArchiveContents;
  importComparison: ImportComparisonPort;
  jobSearch: Pick<JobSearch, 'importsInto'>;
  clock: Clock;
}

/** A project by instance name and path or id, or by the address of its page. */
type ProjectReference = Pick<ParsedRequest<'import.status'>, 'instance' | 'project'>;

interface FoundProject {
  instance: Instance;
  remote: RemoteInstance;
  project: Project;
}

export class ImportStatusReader extends Service<ImportStatusDeps> {
  async read(
    { archive: reference, ...projectReference }: ParsedRequest<'import.status'>,
    signal: AbortSignal,
  ): Promise<CallReply<'import.status'>> {
    const { archives, contents, importComparison, clock } = this.deps;
    const { instance, remote, project } = await this.#findProject(projectReference, signal);
    const status = await remote.importStatus(project.id, signal);
    if (reference === null) {
      const failures = status.failures.map((failure) => ({ failure, record: null }));
      return { instance: instance.name, status, failures, reconciliation: null };
    }
    // The instance created the project before it imported the archive.
    const createdAt = parseTime(project.createdAt) ?? 0;
    const { path, stored } = await archives.resolve(reference);
    const failures = await contents.findFailedRecords(path, status.failures, signal);
    const history = comparisonHistory(null, createdAt, clock.now());
    const reconciliation =
      status.state === 'finished'
        ? await importComparison.compare(
            {
              ...{ instance: instance.name, projectId: project.id, failures: status.failures, name: null },
              overrides: this.#overridesOf(instance, project),
              ...{ history, settingsMayBeEdited: !history.isPrompt },
              // GitLab does not show when the import ended.
              ...{ depth: 'contents', importedAt: createdAt },
              archive: { path, inspection: await this.#inspectionOf(path, stored, signal) },
              compareCounts: (target) => contents.compareCounts(path, target, signal),
            },
            () => undefined,
            signal,
          )
        : null;
    return { instance: instance.name, status, failures, reconciliation };
  }

  /**
   * Returns the settings that the import of the project replaced; null if no job of this program made the import. Only
   * the job knows them, because GitLab does not show them.
   */
  #overridesOf({ url }: Instance, { id, webUrl, fullPath }: Project): Record<string, string> | null {
    const { instances, jobSearch } = this.deps;
    const accounts = instances.list().filter((instance) => instance.url === url);
    const imports = accounts.flatMap(({ name }) => jobSearch.importsInto(name, id));
    // The name of an instance may have belonged to another server, with another project of the same id.
    const serverUrls = [webUrl.slice(0, -fullPath.length), `${url.replace(/\/$/, '')}/`];
    for (const { input, result } of imports) {
      const imported = importResultSchema.safeParse(result).data;
      if (imported === undefined) continue;
      if (serverUrls.some((serverUrl) => imported.webUrl === `${serverUrl}${imported.fullPath}`))
        return importInputSchema.safeParse(input).data?.overrideParams ?? null;
    }
    return null;
  }

  async #inspectionOf(
    path: string,
    stored: ResolvedArchive['stored'],
    signal: AbortSignal,
  ): Promise<Inspection> {
    if (stored === null) return inspectArchiveFile(path, { signal });
    return (await this.deps.archives.describe(stored)).manifest.inspection;
  }

  /**
   * Returns the project and the first account of its host that can see it. If none can, throws the error of the first
   * account.
   */
  async #findProject(reference: ProjectReference, signal: AbortSignal): Promise<FoundProject> {
    const { instances, connections } = this.deps;
    const { instance: first, project: idOrPath } = this.#resolve(reference);
    const candidates = reference.instance === null ? instances.list() : [];
    const others = candidates.filter(({ name, url }) => url === first.url && name !== first.name);
    let failure: unknown = null;
    for (const instance of [first, ...others]) {
      const remote = connections.connect(instance);
      try {
        return { instance, remote, project: await remote.project(idOrPath, signal) };
      } catch (thrown) {
        signal.throwIfAborted();
        failure ??= thrown;
      }
    }
    throw failure;
  }

  #resolve({ instance: name, project: pathOrUrl }: ProjectReference): {
    instance: Instance;
    project: string;
  } {
    const { instances } = this.deps;
    if (name !== null && !isHttpUrl(pathOrUrl)) return { instance: instances.get(name), project: pathOrUrl };
    const candidates = name === null ? instances.list() : [instances.get(name)];
    const found = projectAddress(pathOrUrl, candidates);
    if (found !== null) return found;
    const url = isHttpUrl(pathOrUrl) ? URL.parse(pathOrUrl.trim()) : null;
    if (url === null) {
      throw new AppError('invalid-input', 'Without an instance, give the address of the project page.');
    }
    if (candidates.some((instance) => URL.parse(instance.url)?.host === url.host)) {
      throw new AppError('invalid-input', 'This is not the address of a project page.');
    }
    throw new AppError('instance-unknown', `No instance at ${url.host} is registered.`, {
      details: { name: url.host },
    });
  }
}
