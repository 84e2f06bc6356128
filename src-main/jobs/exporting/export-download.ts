/**
 * @file Downloads an export into the archive folder. An interrupted download resumes within this attempt. After a
 * restart it starts from the first byte, because the inspection of the bytes is in memory.
 */
import type { Finding } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { compareWithSource } from '../../archive/compare.ts';
import { estimateExportTime, exportTimeBytes } from '../../archive/export-time.ts';
import { isoTime } from '../../platform/clock.ts';
import { waitBeforeResume } from './download-pause.ts';
import { countedSchema, inputOf, preparedOf } from './export-outputs.ts';
import type { DownloadInterruption, DownloadStart } from '../../gitlab/transfers/transfers.ts';
import type { ArchiveKey, ManifestFields, PendingArchivePort, StoredArchiveRef } from '../ports.ts';
import { isOutage } from '../running/retry.ts';
import { reserveOrWait, type StepContext, type WaitOutcome } from '../running/step.ts';

/** The clocks of a server and of its file storage may differ by this much. */
const clockToleranceMs = 5_000;

export interface StoredExport {
  kind: 'stored';
  ref: StoredArchiveRef;
  findings: Finding[];
}

/**
 * Downloads an export and stores it. If `notBefore` is null, accepts a file of any age, because this job did not
 * request it.
 */
export async function download(
  context: StepContext,
  notBefore: number | null,
): Promise<StoredExport | WaitOutcome> {
  const { key, fields } = describeArchive(context, notBefore);
  if (context.attempt > 1) {
    const recovered = await context.ports.archives.findCommitted(key, context.job.id);
    if (recovered !== null) return toStoredExport(recovered);
  }
  const wait = reserveOrWait(context, 'download', context.memo);
  if (wait !== null) return wait;
  const archiveDownload = new ArchiveDownload(context, key, notBefore);
  try {
    return toStoredExport(await archiveDownload.store(fields));
  } catch (thrown) {
    const hasStarted = archiveDownload.hasStarted;
    // An incomplete file that cannot be removed now is removed later. This failure must not hide the original error.
    await archiveDownload.giveUp().catch(() => undefined);
    const error = AppError.from(thrown);
    // A network error after the first bytes is no outage of the instance. Each retry counts as a download.
    throw hasStarted && isOutage(error) ? error.withDetails({ begun: true }) : thrown;
  }
}

function describeArchive(
  context: StepContext,
  notBefore: number | null,
): { key: ArchiveKey; fields: ManifestFields } {
  const { instance, appVersion } = context.ports;
  const input = inputOf(context);
  const prepared = preparedOf(context);
  const after = countedSchema.safeParse(context.outputs['count']);
  // An export that this job did not request predates the count. Its archive gets an earlier time, so that its name
  // differs from that of the requested export.
  const at = notBefore ?? Date.parse(prepared.before.at) - 1;
  const fullPath = prepared.fullPath ?? input.fullPath;
  return {
    key: { instanceUrl: instance.url, projectId: input.projectId, fullPath, receivedAt: at },
    fields: {
      instance: { name: instance.name, url: instance.url, username: instance.username },
      project: { id: input.projectId, fullPath, name: prepared.projectName },
      serverVersion: prepared.serverVersion,
      jobId: context.job.id,
      appVersion,
      sourceCounts:
        notBefore === null || !after.success
          ? null
          : { before: prepared.before, after: after.data, clockSkewMs: prepared.clockSkewMs },
      findings: [],
    },
  };
}

class ArchiveDownload {
  readonly #context: StepContext;
  readonly #key: ArchiveKey;
  /** Epoch milliseconds by the server's clock; null accepts a file of any age. */
  readonly #minModifiedAt: number | null;
  #pending: PendingArchivePort | null = null;
  #totalBytes: number | null = null;
  /** Epoch milliseconds; null if the server did not report it. */
  #modifiedAt: number | null = null;
  #firstBytes = Buffer.alloc(0);
  #bytes = 0;
  #wasInterrupted = false;

  constructor(context: StepContext, key: ArchiveKey, notBefore: number | null) {
    this.#context = context;
    this.#key = key;
    const { clockSkewMs } = preparedOf(context);
    this.#minModifiedAt = notBefore === null ? null : notBefore + clockSkewMs - clockToleranceMs;
  }

  async store(fields: ManifestFields): Promise<StoredArchiveRef> {
    const { ports, signal } = this.#context;
    await this.#context.waitToSend('download');
    await ports.instance.downloadExport(
      this.#key.projectId,
      {
        onStart: (facts) => this.#begin(facts),
        onChunk: (chunk) => this.#writeChunk(chunk),
        beforeResume: (interruption) => this.#pause(interruption),
      },
      signal,
    );
    const pending = this.#requirePending();
    const inspection = await pending.finish();
    if (inspection.verdict === 'unusable') {
      const worst = inspection.findings.find((finding) => finding.severity === 'error');
      await pending.discard(worst?.message ?? 'The archive cannot be read to its end.');
      throw new AppError(
        'archive-corrupt',
        `The downloaded archive cannot be used: ${worst?.message ?? 'it is damaged.'}`,
        // A file that was downloaded completely, without interruption and with a known length, is itself damaged. In
        // all other cases, a new download may be good.
        {
          retry: this.#totalBytes === null || this.#wasInterrupted ? 'later' : 'never',
          details: { finding: worst?.code ?? null, inTrash: true },
        },
      );
    }
    return pending.commit({
      ...fields,
      ...(this.#minModifiedAt === null && this.#earlierExportTimes()),
      findings: compareWithSource(inspection, fields.sourceCounts),
    });
  }

  /**
   * Returns the times of an export that this job did not request. The archive may lack everything that changed since
   * the export, so its `storedAt` is the time of its members or else of the file on the server, as for an adopted
   * archive. Without a known time, it is just before the job counted the source.
   */
  #earlierExportTimes(): Pick<ManifestFields, 'storedAt' | 'receivedAt'> {
    const latest = this.#key.receivedAt;
    const estimate = estimateExportTime(this.#firstBytes, this.#modifiedAt, latest);
    return { storedAt: isoTime(estimate?.epochMs ?? latest), receivedAt: isoTime(this.#context.clock.now()) };
  }

  get hasStarted(): boolean {
    return this.#pending !== null;
  }

  async giveUp(): Promise<void> {
    await this.#pending?.discard(null);
    this.#pending = null;
  }

  async #begin({ totalBytes, lastModified }: DownloadStart): Promise<void> {
    this.#context.release('download');
    if (this.#minModifiedAt !== null && lastModified !== null && lastModified < this.#minModifiedAt) {
      throw new AppError('export-gone', 'The instance serves an older export.');
    }
    if (this.#pending !== null) {
      this.#context.log('The downloaded bytes cannot be used; starting again.');
      await this.giveUp();
    }
    this.#totalBytes = totalBytes;
    this.#modifiedAt = lastModified;
    this.#firstBytes = Buffer.alloc(0);
    this.#bytes = 0;
    this.#wasInterrupted = false;
    const { ports } = this.#context;
    const { planId } = inputOf(this.#context);
    const root = planId === null ? null : ports.archiveRootOf(planId);
    this.#pending = await ports.archives.createPending(this.#key, totalBytes, root);
  }

  async #writeChunk(chunk: Uint8Array): Promise<void> {
    const missing = exportTimeBytes - this.#firstBytes.length;
    if (missing > 0) this.#firstBytes = Buffer.concat([this.#firstBytes, chunk.subarray(0, missing)]);
    await this.#requirePending().write(chunk);
    this.#bytes += chunk.byteLength;
    this.#context.reportProgress({ unit: 'bytes', done: this.#bytes, total: this.#totalBytes });
  }

  /** Waits for a slot, because a resume counts as a download (gitlab-facts 4). The unfinished archive stays open. */
  async #pause(interruption: DownloadInterruption): Promise<void> {
    const { clock, signal, ports } = this.#context;
    this.#context.release('download');
    this.#wasInterrupted = true;
    this.#context.log(
      interruption.bytes === 0
        ? 'The file changed during the download; starting again.'
        : `The download was interrupted after ${interruption.bytes} bytes; resuming from there.`,
    );
    const slots = {
      reserve: () => this.#context.reserve('download'),
      waitToSend: () => this.#context.waitToSend('download'),
    };
    await waitBeforeResume(interruption, { clock, signal, pace: ports.instance.pace, slots });
  }

  #requirePending(): PendingArchivePort {
    if (this.#pending === null) throw new AppError('internal', 'Bytes arrived before the file was started.');
    return this.#pending;
  }
}

function toStoredExport(ref: StoredArchiveRef): StoredExport {
  return { kind: 'stored', ref, findings: [...ref.manifest.findings, ...ref.manifest.inspection.findings] };
}
