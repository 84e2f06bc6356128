/**
 * @file Downloads an export into the archive folder. An interrupted download resumes within this attempt. After a
 * restart it starts from the first byte, because the inspection of the bytes is in memory.
 */
import type { Finding } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { compareWithSource } from '../../archive/compare.ts';
import { pauseDownload } from './download-pause.ts';
import { countedSchema, inputOf, preparedOf } from './export-outputs.ts';
import type { DownloadInterruption, DownloadStart } from '../../gitlab/transfers/transfers.ts';
import type { ArchiveKey, ManifestFields, PendingArchivePort, StoredArchiveRef } from '../ports.ts';
import { isOutage } from '../running/retry.ts';
import { waitForTurn, type StepContext, type WaitOutcome } from '../running/step.ts';

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
  const { key, fields } = described(context, notBefore);
  if (context.attempt > 1) {
    const recovered = await context.ports.archives.findCommitted(key, context.job.id);
    if (recovered !== null) return storedAs(recovered);
  }
  const wait = waitForTurn(context, 'download', context.memo);
  if (wait !== null) return wait;
  const arrival = new ArchiveDownload(context, key, notBefore);
  try {
    return storedAs(await arrival.keep(fields));
  } catch (thrown) {
    const begun = arrival.hasBegun;
    // An incomplete file that cannot be removed now is removed later. This failure must not hide the original error.
    await arrival.giveUp().catch(() => undefined);
    const error = AppError.from(thrown);
    // A network error after the first bytes is no outage of the instance. Each retry counts as a download.
    throw begun && isOutage(error) ? error.withDetails({ begun: true }) : thrown;
  }
}

function described(
  context: StepContext,
  notBefore: number | null,
): { key: ArchiveKey; fields: ManifestFields } {
  const { instance, appVersion } = context.ports;
  const input = inputOf(context);
  const prepared = preparedOf(context);
  const after = countedSchema.safeParse(context.outputs['count']);
  // An export that this job did not request predates the count. Its archive needs an earlier time, so that the names
  // differ.
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
        notBefore === null || !after.success ? null : { before: prepared.before, after: after.data },
      findings: [],
    },
  };
}

class ArchiveDownload {
  readonly #context: StepContext;
  readonly #key: ArchiveKey;
  /** Epoch milliseconds by the server's clock; null accepts a file of any age. */
  readonly #oldest: number | null;
  #pending: PendingArchivePort | null = null;
  #totalBytes: number | null = null;
  #bytes = 0;
  #wasCut = false;

  constructor(context: StepContext, key: ArchiveKey, notBefore: number | null) {
    this.#context = context;
    this.#key = key;
    const { clockSkewMs } = preparedOf(context);
    this.#oldest = notBefore === null ? null : notBefore + clockSkewMs - clockToleranceMs;
  }

  async keep(fields: ManifestFields): Promise<StoredArchiveRef> {
    const { ports, signal } = this.#context;
    await this.#context.waitToSend('download');
    await ports.instance.downloadExport(
      this.#key.projectId,
      {
        onStart: (facts) => this.#begin(facts),
        onChunk: (chunk) => this.#take(chunk),
        beforeResume: (cut) => this.#pause(cut),
      },
      signal,
    );
    const pending = this.#begun();
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
          retry: this.#totalBytes === null || this.#wasCut ? 'later' : 'never',
          details: { finding: worst?.code ?? null, inTrash: true },
        },
      );
    }
    return pending.commit({ ...fields, findings: compareWithSource(inspection, fields.sourceCounts) });
  }

  get hasBegun(): boolean {
    return this.#pending !== null;
  }

  async giveUp(): Promise<void> {
    await this.#pending?.discard(null);
    this.#pending = null;
  }

  async #begin({ totalBytes, lastModified }: DownloadStart): Promise<void> {
    this.#context.release('download');
    if (this.#oldest !== null && lastModified !== null && lastModified < this.#oldest) {
      throw new AppError('export-gone', 'The instance serves an older export.');
    }
    if (this.#pending !== null) {
      this.#context.log('The downloaded bytes cannot be used; starting again.');
      await this.giveUp();
    }
    this.#totalBytes = totalBytes;
    this.#bytes = 0;
    this.#wasCut = false;
    const { ports } = this.#context;
    const { planId } = inputOf(this.#context);
    const root = planId === null ? null : ports.archiveRootOf(planId);
    this.#pending = await ports.archives.createPending(this.#key, totalBytes, root);
  }

  async #take(chunk: Uint8Array): Promise<void> {
    await this.#begun().write(chunk);
    this.#bytes += chunk.byteLength;
    this.#context.reportProgress({ unit: 'bytes', done: this.#bytes, total: this.#totalBytes });
  }

  /** Waits for a turn, because a resume counts as a download (gitlab-facts 4). The unfinished archive stays open. */
  async #pause(cut: DownloadInterruption): Promise<void> {
    const { clock, signal, ports } = this.#context;
    this.#context.release('download');
    this.#wasCut = true;
    this.#context.log(
      cut.bytes === 0
        ? 'The file changed during the download; starting again.'
        : `The download was interrupted after ${cut.bytes} bytes; resuming from there.`,
    );
    const turns = {
      reserve: () => this.#context.reserve('download'),
      waitToSend: () => this.#context.waitToSend('download'),
    };
    await pauseDownload(cut, { clock, signal, pace: ports.instance.pace, turns });
  }

  #begun(): PendingArchivePort {
    if (this.#pending === null) throw new AppError('internal', 'Bytes arrived before the file was started.');
    return this.#pending;
  }
}

function storedAs(ref: StoredArchiveRef): StoredExport {
  return { kind: 'stored', ref, findings: [...ref.manifest.findings, ...ref.manifest.inspection.findings] };
}
