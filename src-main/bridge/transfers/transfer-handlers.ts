/** @file Calls about exports and imports beyond backups: pushes, archives that GitLab fetches, single relations. */
import { AppError } from '../../../src-contract/errors.ts';
import type { ChangeInput } from '../../../src-contract/projects/change.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { ImportInput, ImportSource, RelationImportInput } from '../../../src-contract/runs/job.ts';
import { readOverrides } from '../../../src-contract/transfers/override-params.ts';
import { readOptions } from '../replies.ts';
import type { Confirmations } from '../host/confirmations.ts';
import { assertKeepsMembers } from '../../../src-contract/transfers/relation-members.ts';
import {
  checkedPath,
  resolveNamespace,
  assertImportable,
  resolveUndamagedArchive,
} from './import-handlers.ts';
import type { CallContext, Handlers } from '../handler.ts';
import { inspectArchiveFile } from '../../services/archives/archive-file.ts';
import type { Services } from '../../services/services.ts';
import { estimateExportBytes, uploadUrlWarnings } from '../../services/transfers/upload-url-warnings.ts';
import { stripUrlSecrets } from '../../services/transfers/secret-addresses.ts';

/** The archive to compare with an import from an address that GitLab fetches itself. */
type AtHand = Pick<ImportInput, 'archivePath' | 'sha256' | 'sizeBytes' | 'archiveId'>;

async function archiveAtHand(
  services: Services,
  reference: string | null,
  context: CallContext,
): Promise<AtHand> {
  if (reference === null) return { archivePath: null, sha256: null, sizeBytes: null, archiveId: null };
  const { path, stored } = await resolveUndamagedArchive(services, reference);
  const { sha256, sizeBytes } = await inspectArchiveFile(path, readOptions(context));
  return { archivePath: path, sha256, sizeBytes, archiveId: stored?.id ?? null };
}

interface RemoteRequest {
  namespace: string | null;
  path: string;
  name: string | null;
  overrideParams: Record<string, string>;
  archive: string | null;
}

export function transferHandlers(services: Services, confirmations: Confirmations) {
  /** Enqueues an import. `source` is called last, because it may store a secret. */
  const importFrom = async (
    instance: Instance,
    request: RemoteRequest & { overwrite: boolean },
    confirmation: string | null,
    source: () => ImportSource,
    context: CallContext,
  ) => {
    readOverrides(request.overrideParams);
    await services.checks.assertMayWrite(instance, context.signal);
    const path = checkedPath(request.path);
    const namespace = await resolveNamespace(services, instance, request.namespace, context.signal);
    const { name, overwrite, overrideParams } = request;
    const target = `${namespace}/${path}`;
    if (overwrite) {
      const destroyed = { action: 'import.overwrite', instance: instance.name, project: target } as const;
      confirmations.consume(confirmation, destroyed);
    }
    const atHand = await archiveAtHand(services, request.archive, context);
    const from = source();
    const input: ImportInput = {
      source: from,
      ...atHand,
      namespace,
      path,
      name,
      overwrite,
      overrideParams,
    };
    const secret = from.kind === 'url' ? from.secret : null;
    const asked = {
      ...request,
      instance: instance.name,
      source: from.kind === 'url' ? { kind: from.kind, address: from.address } : from,
    };
    const draft = { instance: instance.name, project: target, input };
    const enqueued = services.jobs.enqueueOne('import', asked, draft);
    services.secretAddresses.storeUnderKeyOf(enqueued.job, secret);
    return { ...enqueued, target };
  };

  return {
    'export.start': async ({ instance: name, project, description, push }, { signal }) => {
      const instance = services.instances.get(name);
      await services.checks.assertMayWrite(instance, signal);
      const pushTo = push === null ? null : { address: stripUrlSecrets(push.url), method: push.method };
      const wanted = { license: false, statistics: push !== null, customAttributes: false };
      const remote = services.connections.connect(instance);
      const details = await remote.projectReads.details(project, wanted, signal);
      const { id: projectId, fullPath } = details.project;
      const secret = push === null ? null : services.secretAddresses.store(push.url.trim());
      const change = { kind: 'export', description, pushTo } as const;
      const input: ChangeInput = { change, projectId, secret };
      const asked = { instance: name, project: fullPath, change };
      const draft = { instance: name, project: fullPath, input };
      const enqueued = services.jobs.enqueueOne('change', asked, draft);
      services.secretAddresses.storeUnderKeyOf(enqueued.job, secret);
      const warnings =
        push === null
          ? []
          : uploadUrlWarnings(push.url, estimateExportBytes(details.statistics), services.clock.now());
      return { ...enqueued, warnings };
    },

    'import.url': async ({ instance: name, url, confirmation, ...request }, context) => {
      const address = stripUrlSecrets(url);
      const source = (): ImportSource => ({
        kind: 'url',
        address,
        secret: services.secretAddresses.store(url.trim()),
      });
      return importFrom(services.instances.get(name), request, confirmation, source, context);
    },

    'import.s3': async ({ instance: name, storage, key, ...request }, context) => {
      if (!services.storages.list().some((known) => known.name === storage)) {
        throw new AppError('storage-missing', `There is no storage "${storage}".`, {
          details: { storage, reference: storage },
        });
      }
      const source = (): ImportSource => ({ kind: 's3', storage, key });
      const asked = { ...request, overwrite: false };
      return importFrom(services.instances.get(name), asked, null, source, context);
    },

    'import.relation': async (request, context) => {
      const { instance: name, relation, removeMembers } = request;
      const instance = services.instances.get(name);
      await services.checks.assertMayWrite(instance, context.signal);
      const remote = services.connections.connect(instance);
      const { id: projectId, fullPath } = await remote.project(request.project, context.signal);
      const { path, stored } = await resolveUndamagedArchive(services, request.archive);
      const target = await remote.targetSnapshot(projectId, context.signal);
      assertKeepsMembers(target, fullPath, removeMembers);
      const inspection = await inspectArchiveFile(path, readOptions(context));
      // Suspicious findings are allowed: they may concern records that are not sent.
      assertImportable(path, inspection, true);
      const sent = await services.relationArchives.make(path, relation, context.signal);
      const archiveId = stored?.id ?? null;
      const about = { projectId, fullPath, relation, ...(removeMembers && { removeMembers }) };
      const input: RelationImportInput = { ...about, ...sent, archiveId };
      const asked = { instance: name, ...about, sha256: sent.sha256 };
      const draft = { instance: name, project: fullPath, input };
      return services.jobs.enqueueOne('relation-import', asked, draft);
    },

    'import.relations': async ({ instance, project }, { signal }) => {
      const remote = services.connections.forInstance(instance);
      const { id } = await remote.project(project, signal);
      return { relationImports: await remote.relationImports(id, signal) };
    },
  } satisfies Partial<Handlers>;
}
