/** @file Calls about imports: start one from an archive, and look at any. */
import { basename } from 'node:path';
import type { Finding } from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import type { ImportInput } from '../../src-preload/contract/job.ts';
import { reading } from './archive-handlers.ts';
import { knownInstance } from './instance-handlers.ts';
import type { BridgePorts, Handlers, ResolvedArchive } from './ports.ts';

/** What a file of our own or of GitLab's making is called without its ending. */
const nameOf = (path: string): string => basename(path).replace(/(_export)?\.(tar\.gz|tgz|gz)$/, '');

const mostShown = 3;

function inShort(findings: Finding[]): string {
  const shown = findings.slice(0, mostShown).map(({ message, where }) => {
    const place = where === null ? '' : ` (${where})`;
    return `${message.replace(/\.$/, '')}${place}.`;
  });
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

function targetPath(archive: ResolvedArchive, asked: string | null): string {
  const path = asked ?? archive.stored?.fullPath.split('/').at(-1) ?? nameOf(archive.path);
  if (!/^[\p{L}\p{N}_.][\p{L}\p{N}_.-]*$/u.test(path)) {
    throw new AppError(
      'invalid-input',
      `"${path}" is not a project path: use letters, digits, "_", "-" and ".", without a slash.`,
    );
  }
  return path;
}

export function importHandlers(ports: BridgePorts): Pick<Handlers, 'import.start' | 'import.status'> {
  return {
    'import.start': async (request, context) => {
      const instance = await knownInstance(ports, request.instance);
      const archive = await ports.archives.resolve(request.archive);
      if (archive.stored !== null && archive.stored.damaged !== null) {
        const { path, damaged } = archive.stored;
        throw new AppError('archive-damaged', `The archive ${path} is damaged. ${damaged.reason}`);
      }
      const path = targetPath(archive, request.path);
      const inspection = await ports.archives.inspect(archive.path, context.signal, reading(context));
      if (inspection.verdict === 'unusable') {
        const worst = inspection.findings.find((finding) => finding.severity === 'error');
        throw new AppError(
          'archive-corrupt',
          `${archive.path}: ${worst?.message ?? 'it cannot be read to its end.'}`,
        );
      }
      if (inspection.verdict === 'suspicious' && !request.allowSuspicious) {
        const findings = inspection.findings.filter((finding) => finding.severity !== 'info');
        throw new AppError('archive-unsafe', `${archive.path}: ${inShort(findings)}`, {
          details: { findings: findings.length },
        });
      }
      const remote = ports.instances.connect(instance);
      // Always the full path, also for a namespace given by its id: the target is looked up by it afterwards.
      const namespace =
        request.namespace === null
          ? (await remote.user(context.signal)).username
          : await remote.namespace(request.namespace, context.signal);
      const target = `${namespace}/${path}`;
      const { runId, jobs, refused } = ports.jobs.enqueue({
        kind: 'import',
        request,
        jobs: [
          {
            instance: instance.name,
            project: target,
            input: {
              archivePath: archive.path,
              sha256: inspection.sha256,
              sizeBytes: inspection.sizeBytes,
              namespace,
              path,
              name: request.name,
              overwrite: request.overwrite,
              overrideParams: request.overrideParams,
              archiveId: archive.stored?.id ?? null,
            } satisfies ImportInput,
          },
        ],
      });
      const [busy] = refused;
      if (busy !== undefined) throw busy.error;
      const [job] = jobs;
      if (job === undefined) throw new AppError('internal', 'The import was not enqueued.');
      return { runId, jobId: job.id, target };
    },

    'import.status': async (request, { signal }) => {
      const instance = await knownInstance(ports, request.instance ?? '');
      const remote = ports.instances.connect(instance);
      const project = await remote.project(request.project, signal);
      const status = await remote.importStatus(project.id, signal);
      if (request.archive === null) {
        const failures = status.failures.map((failure) => ({ failure, record: null }));
        return { instance: instance.name, status, failures, reconciliation: null };
      }
      const { path } = await ports.archives.resolve(request.archive);
      const failures = await ports.archives.explain(path, status.failures, signal);
      const reconciliation =
        status.state === 'finished'
          ? await ports.archives.reconcile(
              path,
              await remote.counts(project.id, signal),
              failures.length,
              signal,
            )
          : null;
      return { instance: instance.name, status, failures, reconciliation };
    },
  };
}
