/** @file Lists every failure of a migrated project with its record, for its passport. */
import type { StoredJob } from '../../../../src-contract/runs/job.ts';
import { importResultSchema } from '../../../../src-contract/runs/job-schema.ts';
import { recordAbsenceOf } from '../../../../src-contract/migrations/failure.ts';
import { meaningOf } from '../../../../src-contract/migrations/failure-meanings.ts';
import type { Passport } from '../../../../src-contract/migrations/passport-schema.ts';
import type { ArchiveContents } from '../../archives/archive-contents.ts';
import type { StoredArchives } from '../../archives/stored-archives.ts';
import type { StoredFailure } from '../../../catalogue/migrations/import-failures.ts';
import { toImportFailure } from '../failures.ts';
import { redactRecord } from './secrets.ts';

/** The maximum text of a record in a passport, in characters. */
const maxTextLength = 2000;

/** Takes records from the results of the imports, else reads them from the archives that are available. */
export async function failedRecords(
  archives: Pick<StoredArchives, 'resolve'>,
  contents: Pick<ArchiveContents, 'findFailedRecords'>,
  failures: readonly StoredFailure[],
  imports: readonly StoredJob[],
  signal: AbortSignal,
): Promise<Passport['failures']['records']> {
  const results = imports.flatMap((job) => importResultSchema.safeParse(job.result).data?.failures ?? []);
  const records = new Map(results.map(({ failure, record }) => [failure.id, record]));
  const missing = failures.filter(({ id }) => (records.get(id) ?? null) === null);
  // A project that was exported again has failures of more than one archive.
  const byArchive = Map.groupBy(missing, ({ archiveId, archivePath }) => archiveId ?? archivePath);
  const readIds = new Set<number>();
  for (const [reference, group] of byArchive) {
    if (reference === null) continue;
    // Without the archive, the failures themselves are still known.
    const explanations = await archives
      .resolve(reference)
      .then(({ path }) => contents.findFailedRecords(path, group, signal))
      .catch(() => []);
    signal.throwIfAborted();
    for (const { failure, record } of explanations) {
      records.set(failure.id, record);
      readIds.add(failure.id);
    }
  }
  return failures.map((failure) => {
    const record = records.get(failure.id) ?? null;
    const text = record === null ? null : redactRecord(record.text);
    const { meaning, advice } = meaningOf(failure.exceptionClass);
    return {
      ...toImportFailure(failure),
      meaning,
      advice,
      text: text?.slice(0, maxTextLength) ?? null,
      textCut: text !== null && (record?.truncated === true || text.length > maxTextLength),
      recordAbsence: record === null ? recordAbsenceOf(failure, readIds.has(failure.id)) : null,
    };
  });
}
