/** @file Calls about imports: start an import from an archive, and show the status of any import. */
import type { RemoteInstance } from '../../services/instances/remote/remote-instance.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { Finding, Inspection } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { ImportInput } from '../../../src-contract/runs/job.ts';
import { assertLayoutAccepted } from '../../../src-contract/archives/legacy-layout.ts';
import { readOverrides } from '../../../src-contract/transfers/override-params.ts';
import { isProjectPath, suggestProjectPath } from '../../../src-contract/projects/project.ts';
import { readOptions } from '../replies.ts';
import type { Confirmations } from '../host/confirmations.ts';
import type { ResolvedArchive } from '../../services/archives/stored-archives.ts';
import type { Handlers } from '../handler.ts';
import { inspectArchiveFile } from '../../services/archives/archive-file.ts';
import type { Services } from '../../services/services.ts';
import { isHttpUrl, projectAddress } from '../../services/projects/project-address.ts';

const maxShown = 3;

function inShort(findings: Finding[]): string {
  const shown = findings.slice(0, maxShown).map(({ message, where }) => {
    const place = where === null ? '' : ` (${where})`;
    return `${message.replace(/\.$/, '')}${place}.`;
  });
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

/** Finds the archive of a reference. Throws `archive-missing`, `archive-ambiguous` and `archive-damaged`. */
export async function resolveUndamagedArchive(
  services: Services,
  reference: string,
): Promise<ResolvedArchive> {
  const archive = await services.archives.resolve(reference);
  if (archive.stored === null || archive.stored.damaged === null) return archive;
  const { path, damaged } = archive.stored;
  throw new AppError('archive-damaged', `The archive ${path} is damaged. ${damaged.reason}`);
}

/** Returns the path. Throws `invalid-input` if it cannot be the last part of a project's address. */
export function checkedPath(path: string): string {
  if (!isProjectPath(path)) {
    throw new AppError(
      'invalid-input',
      `"${path}" is not a project path: use letters, digits, "_", "-" and ".", and begin with a letter, a digit or "_".`,
    );
  }
  return path;
}

const targetPath = (archive: ResolvedArchive, asked: string | null): string =>
  checkedPath(asked ?? archive.stored?.fullPath.split('/').at(-1) ?? suggestProjectPath(archive.path));

/**
 * Returns the full path of a namespace, also if it was given by id: the target is found by path later. Null means the
 * account's own namespace.
 */
export async function resolveNamespace(
  services: Services,
  instance: Instance,
  typed: string | null,
  signal: AbortSignal,
): Promise<string> {
  const remote = services.connections.connect(instance);
  return typed === null ? (await remote.user(signal)).username : remote.namespacePath(typed, signal);
}

/** Throws `archive-corrupt` and `archive-unsafe`. */
export function assertImportable(path: string, inspection: Inspection, allowSuspicious: boolean): void {
  if (inspection.verdict === 'unusable') {
    const worst = inspection.findings.find((finding) => finding.severity === 'error');
    throw new AppError('archive-corrupt', `${path}: ${worst?.message ?? 'it cannot be read to its end.'}`);
  }
  if (inspection.verdict === 'suspicious' && !allowSuspicious) {
    const findings = inspection.findings.filter((finding) => finding.severity !== 'info');
    throw new AppError('archive-unsafe', `${path}: ${inShort(findings)}`, {
      details: { findings: findings.length },
    });
  }
}

/** Throws `layout-refused`. The server version is requested only if the layout depends on it. */
async function assertTakenBy(
  services: Services,
  instance: Instance,
  inspection: Inspection,
  signal: AbortSignal,
): Promise<void> {
  if (inspection.layout !== 'legacy') return;
  assertLayoutAccepted(inspection, (await services.connections.connect(instance).serverInfo(signal)).version);
}

/** Finds the instance and the project: by instance name and path, or by the address of the project page. */
function resolveProjectReference(
  services: Services,
  name: string | null,
  typed: string,
): { instance: Instance; project: string } {
  if (name !== null && !isHttpUrl(typed)) return { instance: services.instances.get(name), project: typed };
  const known = name === null ? services.instances.list() : [services.instances.get(name)];
  const found = projectAddress(typed, known);
  if (found !== null) return found;
  const url = isHttpUrl(typed) ? URL.parse(typed.trim()) : null;
  if (url === null) {
    throw new AppError('invalid-input', 'Without an instance, give the address of the project page.');
  }
  if (known.some((instance) => URL.parse(instance.url)?.host === url.host)) {
    throw new AppError('invalid-input', 'This is not the address of a project page.');
  }
  throw new AppError('instance-unknown', `No instance at ${url.host} is registered.`, {
    details: { name: url.host },
  });
}

/**
 * Returns the project and the first account of its host that can see it. If none can, throws the error of the first
 * account.
 */
async function firstWith(
  services: Services,
  { instance: name, project: typed }: { instance: string | null; project: string },
  signal: AbortSignal,
): Promise<{ instance: Instance; remote: RemoteInstance; project: Project }> {
  const { instance: first, project: idOrPath } = resolveProjectReference(services, name, typed);
  const known = name === null ? services.instances.list() : [];
  const others = known.filter(({ name: other, url }) => url === first.url && other !== first.name);
  let failure: unknown = null;
  for (const instance of [first, ...others]) {
    const remote = services.connections.connect(instance);
    try {
      return { instance, remote, project: await remote.project(idOrPath, signal) };
    } catch (thrown) {
      signal.throwIfAborted();
      failure ??= thrown;
    }
  }
  throw failure;
}

async function inspectionOf(
  services: Services,
  path: string,
  stored: ResolvedArchive['stored'],
  signal: AbortSignal,
): Promise<Inspection> {
  if (stored !== null) return (await services.archives.describe(stored)).manifest.inspection;
  return inspectArchiveFile(path, { signal });
}

/** Returns the name of the archived project, or null for an import with its own path, which gets another name. */
async function nameOf(
  services: Services,
  { stored }: ResolvedArchive,
  path: string | null,
): Promise<string | null> {
  if (path !== null || stored === null) return null;
  const { name } = (await services.archives.describe(stored)).manifest.project;
  return name === '' || stored.projectId === null ? null : name;
}

export function importHandlers(services: Services, confirmations: Confirmations) {
  return {
    'import.markUndelivered': ({ job, by }) => ({ target: services.jobs.markUndelivered(job, by).project }),

    'import.start': async (request, context) => {
      readOverrides(request.overrideParams);
      const instance = services.instances.get(request.instance);
      await services.checks.assertMayWrite(instance, context.signal);
      const archive = await resolveUndamagedArchive(services, request.archive);
      const path = targetPath(archive, request.path);
      const namespaceOf = (): Promise<string> =>
        resolveNamespace(services, instance, request.namespace, context.signal);
      let namespace: string | null = null;
      if (request.overwrite) {
        // Checked before the archive is read: reading may take longer than a confirmation is valid.
        namespace = await namespaceOf();
        const project = `${namespace}/${path}`;
        const target = { action: 'import.overwrite', instance: instance.name, project } as const;
        confirmations.consume(request.confirmation, target);
      }
      const inspection = await inspectArchiveFile(archive.path, readOptions(context));
      assertImportable(archive.path, inspection, request.allowSuspicious);
      await assertTakenBy(services, instance, inspection, context.signal);
      namespace ??= await namespaceOf();
      const target = `${namespace}/${path}`;
      const input: ImportInput = {
        source: { kind: 'file' },
        archivePath: archive.path,
        sha256: inspection.sha256,
        sizeBytes: inspection.sizeBytes,
        namespace,
        path,
        name: request.name ?? (await nameOf(services, archive, request.path)),
        overwrite: request.overwrite,
        overrideParams: request.overrideParams,
        archiveId: archive.stored?.id ?? null,
      };
      // The confirmation is left out of the request that is compared: an interrupted run can resume with a new one.
      const asked = { ...request, confirmation: null };
      const draft = { instance: instance.name, project: target, input };
      return { ...services.jobs.enqueueOne('import', asked, draft), target };
    },

    'import.status': async (request, { signal }) => {
      const { instance, remote, project } = await firstWith(services, request, signal);
      const status = await remote.importStatus(project.id, signal);
      if (request.archive === null) {
        const failures = status.failures.map((failure) => ({ failure, record: null }));
        return { instance: instance.name, status, failures, reconciliation: null };
      }
      const { path, stored } = await services.archives.resolve(request.archive);
      const failures = await services.contents.explain(path, status.failures, signal);
      const reconciliation =
        status.state === 'finished'
          ? await services.importComparison.compare(
              {
                ...{ instance: instance.name, projectId: project.id, failures: status.failures, name: null },
                archive: { path, inspection: await inspectionOf(services, path, stored, signal) },
                reconcileCounts: (target) =>
                  services.contents.reconcile(path, target, failures.length, signal),
              },
              signal,
            )
          : null;
      return { instance: instance.name, status, failures, reconciliation };
    },
  } satisfies Partial<Handlers>;
}
