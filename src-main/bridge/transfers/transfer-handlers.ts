/** @file Calls about exports and imports beyond backups: pushes, archives that GitLab fetches, single relations. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { ChangeInput } from '../../../src-preload/contract/projects/change.ts';
import type { Instance } from '../../../src-preload/contract/instance.ts';
import type { ImportInput, ImportSource, RelationImportInput } from '../../../src-preload/contract/job.ts';
import { readOverrides } from '../../../src-preload/contract/projects/override-params.ts';
import { reading } from '../archives/archive-handlers.ts';
import type { Confirmations } from '../host/confirmations.ts';
import { assertKeepsMembers } from '../../../src-preload/contract/projects/relation-members.ts';
import { enqueueOne } from '../runs/enqueue-one.ts';
import { checkedPath, namespaceAt, refuseUnfit, soundArchive } from './import-handlers.ts';
import { knownInstance } from '../instances/instance-handlers.ts';
import { mustMayWrite } from '../instances/may-write.ts';
import type { BridgePorts, CallContext, Handlers } from '../ports.ts';
import { exportedBytes, pushWarnings } from '../../services/transfers/push-warnings.ts';
import { keepSecret, keepUnderKeyOf, plainAddress } from '../host/secret-addresses.ts';

type TransferCalls = 'export.start' | 'import.url' | 'import.s3' | 'import.relation' | 'import.relations';

/** What an import that GitLab does itself is compared with. */
type AtHand = Pick<ImportInput, 'archivePath' | 'sha256' | 'sizeBytes' | 'archiveId'>;

async function archiveAtHand(
  ports: BridgePorts,
  reference: string | null,
  context: CallContext,
): Promise<AtHand> {
  if (reference === null) return { archivePath: null, sha256: null, sizeBytes: null, archiveId: null };
  const { path, stored } = await soundArchive(ports, reference);
  const { sha256, sizeBytes } = await ports.archives.inspect(path, context.signal, reading(context));
  return { archivePath: path, sha256, sizeBytes, archiveId: stored?.id ?? null };
}

interface RemoteRequest {
  namespace: string | null;
  path: string;
  name: string | null;
  overrideParams: Record<string, string>;
  archive: string | null;
}

export function transferHandlers(
  ports: BridgePorts,
  confirmations: Confirmations,
): Pick<Handlers, TransferCalls> {
  /** `source` is made last, because it may keep a secret. */
  const importFrom = async (
    instance: Instance,
    request: RemoteRequest & { overwrite: boolean },
    confirmation: string | null,
    source: () => ImportSource,
    context: CallContext,
  ) => {
    readOverrides(request.overrideParams);
    await mustMayWrite(ports, instance, context.signal);
    const path = checkedPath(request.path);
    const namespace = await namespaceAt(ports, instance, request.namespace, context.signal);
    const { name, overwrite, overrideParams } = request;
    const target = `${namespace}/${path}`;
    if (overwrite) {
      const destroyed = { action: 'import.overwrite', instance: instance.name, project: target } as const;
      confirmations.use(confirmation, destroyed);
    }
    const atHand = await archiveAtHand(ports, request.archive, context);
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
    const { runId, job } = enqueueOne(ports, 'import', asked, draft);
    keepUnderKeyOf(ports, job, secret);
    return { runId, jobId: job.id, target };
  };

  return {
    'export.start': async ({ instance: name, project, description, push }, { signal }) => {
      const instance = await knownInstance(ports, name);
      await mustMayWrite(ports, instance, signal);
      const pushTo = push === null ? null : { address: plainAddress(push.url), method: push.method };
      const wanted = { license: false, statistics: push !== null, customAttributes: false };
      const remote = ports.instances.connect(instance);
      const details = await remote.reads.details(project, wanted, signal);
      const { id: projectId, fullPath } = details.project;
      const secret = push === null ? null : keepSecret(ports, push.url.trim());
      const change = { kind: 'export', description, pushTo } as const;
      const input: ChangeInput = { change, projectId, secret };
      const asked = { instance: name, project: fullPath, change };
      const draft = { instance: name, project: fullPath, input };
      const { runId, job } = enqueueOne(ports, 'change', asked, draft);
      keepUnderKeyOf(ports, job, secret);
      const warnings =
        push === null ? [] : pushWarnings(push.url, exportedBytes(details.statistics), ports.now());
      return { runId, jobId: job.id, warnings };
    },

    'import.url': async ({ instance: name, url, confirmation, ...request }, context) => {
      const address = plainAddress(url);
      const source = (): ImportSource => ({ kind: 'url', address, secret: keepSecret(ports, url.trim()) });
      return importFrom(await knownInstance(ports, name), request, confirmation, source, context);
    },

    'import.s3': async ({ instance: name, storage, key, ...request }, context) => {
      if (!ports.storages.list().some((known) => known.name === storage)) {
        throw new AppError('storage-missing', `There is no storage "${storage}".`, {
          details: { storage, reference: storage },
        });
      }
      const source = (): ImportSource => ({ kind: 's3', storage, key });
      const asked = { ...request, overwrite: false };
      return importFrom(await knownInstance(ports, name), asked, null, source, context);
    },

    'import.relation': async (request, context) => {
      const { instance: name, relation, removeMembers } = request;
      const instance = await knownInstance(ports, name);
      await mustMayWrite(ports, instance, context.signal);
      const remote = ports.instances.connect(instance);
      const { id: projectId, fullPath } = await remote.project(request.project, context.signal);
      const { path, stored } = await soundArchive(ports, request.archive);
      const target = await remote.relationTarget(projectId, context.signal);
      assertKeepsMembers(target, fullPath, removeMembers);
      const inspection = await ports.archives.inspect(path, context.signal, reading(context));
      // What looks suspicious may not be among the records that are sent.
      refuseUnfit(path, inspection, true);
      const sent = await ports.relationArchives.make(path, relation, context.signal);
      const archiveId = stored?.id ?? null;
      const about = { projectId, fullPath, relation, ...(removeMembers && { removeMembers }) };
      const input: RelationImportInput = { ...about, ...sent, archiveId };
      const asked = { instance: name, ...about, sha256: sent.sha256 };
      const draft = { instance: name, project: fullPath, input };
      const { runId, job } = enqueueOne(ports, 'relation-import', asked, draft);
      return { runId, jobId: job.id };
    },

    'import.relations': async ({ instance, project }, { signal }) => {
      const remote = ports.instances.connect(await knownInstance(ports, instance));
      const { id } = await remote.project(project, signal);
      return { relationImports: await remote.relationImports(id, signal) };
    },
  };
}
