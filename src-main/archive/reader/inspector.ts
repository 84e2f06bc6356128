/** @file Inspects unpacked bytes: walks the tar and reads its content, within limits. No threads, files or gzip. */
import type { Inspection } from '../../../src-contract/archives/archive.ts';
import { verdictOf, type FindingCode } from '../findings.ts';
import type { ReadLimits } from '../limits.ts';
import type { RecordIndexWriter } from '../records/index-writer.ts';
import { ExportContent } from './export-content.ts';
import { TarWalker } from './tar-walker.ts';

/** How the packed stream ended; null if every gzip member was complete. */
export type GzipFault = { code: FindingCode; message: string } | null;

export type ContentInspection = Omit<Inspection, 'sha256' | 'sizeBytes'>;

export class Inspector {
  #unpackedBytes = 0;
  readonly #content: ExportContent;
  readonly #walker: TarWalker;

  constructor(limits: ReadLimits, index: RecordIndexWriter | null = null) {
    this.#content = new ExportContent(limits, index);
    this.#walker = new TarWalker(this.#content, limits);
  }

  write(bytes: Buffer): void {
    this.#unpackedBytes += bytes.length;
    this.#walker.write(bytes);
  }

  finish(fault: GzipFault): ContentInspection {
    const { findings } = this.#content;
    if (fault !== null) findings.add(fault.code, fault.message);
    const end = this.#walker.end();
    // A damaged gzip stream explains why the tar is truncated: one finding is clearer than two.
    if (!end.isComplete && fault === null) findings.add(end.code, end.message);
    if (end.isComplete && end.hasTrailingData) {
      findings.add('trailing-data', 'There is further data after the end of the tar');
    }
    const content = this.#content.finish(end.isComplete);
    return {
      verdict: verdictOf(content.findings),
      unpackedBytes: this.#unpackedBytes,
      members: this.#walker.memberCount,
      ...content,
    };
  }
}
