/** @file Creates trimmed archives for imports of one relation. Each archive exists until its job has ended. */
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoredJob, RelationImportInput } from '../../../src-contract/runs/job.ts';
import { relationImportInputSchema } from '../../../src-contract/runs/job-schema.ts';
import { trimArchive, trimFromIndex, type RecordSelection, type TrimResult } from '../../archive/trim.ts';
import { moveFile } from '../../platform/disk/durable-file.ts';
import { realDisk } from '../../platform/disk/real-disk.ts';
import { makePrivateFolder } from '../../platform/private-folder.ts';
import type { SharedDeps } from '../shared-deps.ts';
import type { RecordAccess } from '../archives/record-access.ts';

export type RelationArchives = ReturnType<typeof createRelationArchives>;

type NewArchive = Pick<RelationImportInput, 'archivePath' | 'sha256' | 'sizeBytes'>;

/** A younger archive is not swept, because it may not have its job yet. */
const minAgeMs = 3_600_000;

/**
 * Creates archives of one relation. An import of such an archive changes nothing else in the project. The archive is
 * deleted when its job ends.
 */
export function createRelationArchives(
  deps: Pick<SharedDeps, 'clock' | 'jobs' | 'paths'> & { records: RecordAccess },
) {
  const { jobs, records, clock } = deps;
  const folder = join(deps.paths.dataFolder, 'retries');

  const isUsed = (path: string): boolean =>
    jobs.openJobs().some((job) => relationImportInputSchema.safeParse(job.input).data?.archivePath === path);

  const createArchive = async (trim: (part: string) => Promise<TrimResult>): Promise<NewArchive> => {
    makePrivateFolder(folder);
    const part = join(folder, `${randomUUID()}.part`);
    const { sha256, sizeBytes } = await trim(part);
    // The same records create the same file, so a second request for the same work joins the first.
    const archivePath = join(folder, `${sha256}.tar.gz`);
    await moveFile(realDisk, part, archivePath);
    return { archivePath, sha256, sizeBytes };
  };

  return {
    /** Creates an archive of all records of the relation. Throws the errors of `trimArchive`. */
    make: (path: string, relation: string, signal: AbortSignal) =>
      createArchive((part) => trimArchive(path, [{ relation, lines: null }], part, { signal })),
    /**
     * Creates an archive from the index of a stored archive, without opening the archive. The third argument has the
     * contents of the files VERSION and GITLAB_VERSION; null if unknown.
     */
    makeFromIndex: (
      path: string,
      choice: RecordSelection,
      { version, gitlabVersion }: { version: string | null; gitlabVersion: string | null },
      signal: AbortSignal,
    ) =>
      createArchive(async (part) => {
        const trimmed = await records.withIndex(path, signal, async (index): Promise<TrimResult | null> => {
          if (version === null || index.layout !== 'ndjson') return null;
          return trimFromIndex(index, { version, gitlabVersion }, [choice], part, signal);
        });
        return trimmed ?? trimArchive(path, [choice], part, { signal });
      }),
    /**
     * Returns the number of lines that a relation has in a stored archive, 0 if it has no such relation. Returns null
     * without a reliable index.
     */
    countLines: (path: string, relation: string, signal: AbortSignal) =>
      records.withIndex(path, signal, (index) => Promise.resolve(index.relation(relation)?.lines ?? 0)),
    /** Removes the archive unless an open job needs it. */
    async removeIfUnused(archivePath: string) {
      if (dirname(archivePath) === folder && !isUsed(archivePath)) await rm(archivePath, { force: true });
    },
    onJobEnded(job: StoredJob) {
      const { archivePath } = relationImportInputSchema.safeParse(job.input).data ?? {};
      if (archivePath === undefined || dirname(archivePath) !== folder || isUsed(archivePath)) return;
      // If this fails, `sweep` removes the file later.
      rm(archivePath, { force: true }).catch(() => undefined);
    },
    /** Removes archives of ended jobs that remain, for example after a crash. */
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        if (found === null || clock.now() - found.mtimeMs < minAgeMs || isUsed(path)) continue;
        await rm(path, { recursive: true, force: true });
      }
    },
  };
}
