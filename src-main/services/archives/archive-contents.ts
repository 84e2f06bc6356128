/** @file Reads the contents of archive files, stored or not: records, and the facts to compare with an import. */
import type { ProjectCounts } from '../../../src-contract/archives/archive.ts';
import type { FailureWithRecord, Failure, Reconciliation } from '../../../src-contract/transfers/import.ts';
import { inspectFile } from '../../archive/inspect.ts';
import { matchRecords } from '../../jobs/importing/match-records.ts';
import { compareCounts } from '../../jobs/importing/reconcile.ts';
import { isoTime, type Clock } from '../../platform/clock.ts';
import { Service } from '../service.ts';
import { manifestBeside } from './archive-file.ts';
import type { ArchiveRegister } from './archive-register.ts';
import type { ArchiveRoots } from './folders/archive-roots.ts';
import type { RecordAccess } from './record-access.ts';

export interface ArchiveContentDeps {
  roots: ArchiveRoots;
  register: Pick<ArchiveRegister, 'findByAbsolutePath'>;
  records: RecordAccess;
  clock: Clock;
}

export class ArchiveContents extends Service<ArchiveContentDeps> {
  findFailedRecords(path: string, failures: Failure[], signal: AbortSignal): Promise<FailureWithRecord[]> {
    return matchRecords(this.deps.records, path, failures, signal);
  }

  /** Compares the counts of source (if the manifest has them), archive and target. */
  async compareCounts(path: string, target: ProjectCounts, signal: AbortSignal): Promise<Reconciliation> {
    const { roots, register, clock } = this.deps;
    const archive = register.findByAbsolutePath(path);
    const storedManifest =
      archive === null ? null : await roots.byNumber(archive.root).store.readManifest(archive.path);
    const inspection = storedManifest?.inspection ?? (await inspectFile(path, { signal }));
    const manifest = storedManifest ?? (await manifestBeside(path, inspection.sha256));
    return compareCounts(manifest?.sourceCounts ?? null, inspection, target, isoTime(clock.now()));
  }
}
