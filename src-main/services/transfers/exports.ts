/** @file An account's own export of a project: requests it, and saves its file outside the store. */
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { ChangeInput } from '../../../src-contract/projects/change.ts';
import type { Clock } from '../../platform/clock.ts';
import type { JobRequestDeps } from '../runs/job-request-deps.ts';
import type { EnqueuedJob } from '../runs/job-service.ts';
import { Service } from '../service.ts';
import { countingSink } from './downloaded-file.ts';
import type { Downloads } from './downloads.ts';
import type { PacedDownloads } from './paced-downloads.ts';
import { stripUrlSecrets } from './secret-addresses.ts';
import { estimateExportBytes, uploadUrlWarnings } from './upload-url-warnings.ts';

interface Deps extends JobRequestDeps {
  downloads: Downloads;
  pacedDownloads: PacedDownloads;
  clock: Clock;
}

export class Exports extends Service<Deps> {
  /** Enqueues the request for an export; with `push`, GitLab uploads it to that address, which may be secret. */
  async start(
    { instance: name, project, description, push }: ParsedRequest<'export.start'>,
    signal: AbortSignal,
  ): Promise<EnqueuedJob & { warnings: string[] }> {
    const { instances, checks, connections, jobService, secretAddresses, clock } = this.deps;
    const instance = instances.get(name);
    await checks.assertMayWrite(instance, signal);
    const pushTo = push === null ? null : { address: stripUrlSecrets(push.url), method: push.method };
    const options = { license: false, statistics: push !== null, customAttributes: false };
    const details = await connections.connect(instance).projectReads.details(project, options, signal);
    const { id: projectId, fullPath } = details.project;
    const secret = push === null ? null : secretAddresses.store(push.url.trim());
    const change = { kind: 'export', description, pushTo } as const;
    const input: ChangeInput = { change, projectId, secret };
    const request = { instance: name, project: fullPath, change };
    const enqueued = jobService.enqueueOne('change', request, { instance: name, project: fullPath, input });
    secretAddresses.storeUnderKeyOf(enqueued.job, secret);
    const warnings =
      push === null ? [] : uploadUrlWarnings(push.url, estimateExportBytes(details.statistics), clock.now());
    return { ...enqueued, warnings };
  }

  /** Downloads the newest export to a file. Throws `export-gone`, with `none` if this account never requested one. */
  async download(
    { instance: name, project, to }: ParsedRequest<'export.download'>,
    { signal, onBytes }: { signal: AbortSignal; onBytes: (done: number, total: number | null) => void },
  ): ReturnType<Downloads['saveArchive']> {
    const { instances, connections, downloads, pacedDownloads } = this.deps;
    const instance = instances.get(name);
    const remote = connections.connect(instance);
    const { id, fullPath } = await remote.project(project, signal);
    const file = `${fullPath.replaceAll('/', '-')}_export.tar.gz`;
    return downloads.saveArchive({ path: to, name: file }, async (sink) => {
      try {
        await pacedDownloads.fetchExport(instance, { id, fullPath }, countingSink(sink, onBytes), signal);
      } catch (thrown) {
        const error = AppError.from(thrown);
        // GitLab responds in the same way for an expired export and for one that never existed.
        if (error.code !== 'export-gone' || error.retry !== 'never') throw error;
        if ((await remote.projectReads.exportState(id, signal)) !== 'none') throw error;
        throw new AppError('export-gone', `There is no export of ${fullPath} by this account.`, {
          details: { ...error.details, none: true },
        });
      }
    });
  }
}
