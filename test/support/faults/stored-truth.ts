/** @file Reads the content of a data folder that no process uses: files, manifests, catalogue rows, jobs. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Manifest } from '../../../src-contract/archives/archive.ts';
import { manifestSchema } from '../../../src-contract/archives/archive-schema.ts';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import { ArchiveIndex } from '../../../src-main/catalogue/archives/archive-index.ts';
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import { JobSearch } from '../../../src-main/catalogue/runs/job-search.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { createDataPaths } from '../../../src-main/platform/paths.ts';
import { filesBelow } from '../files-below.ts';

export interface StoredState {
  /** Relative paths of the archives, sorted. */
  archives: string[];
  manifests: Manifest[];
  /** Files of incomplete downloads. */
  parts: string[];
  trash: string[];
  jobs: StoredJob[];
}

/** Returns the content. Also asserts that each archive matches its manifest and its row, and that no other files exist. */
export function readStoredState(
  dataDir: string,
  archiveRoot = createDataPaths(dataDir).archives,
): StoredState {
  const all = filesBelow(archiveRoot);
  const trash = all.filter((file) => file.startsWith('.trash/'));
  // A killed process may leave its lock; the next one takes it over. The mark identifies an archive folder.
  const others = ['.lock', '.packhorse-root'];
  const files = all.filter((file) => !file.startsWith('.trash/') && !others.includes(file));
  const parts = files.filter((file) => file.endsWith('.part'));
  const archives = files.filter((file) => file.endsWith('.tar.gz'));
  const manifestFiles = files.filter((file) => file.endsWith('.manifest.json'));
  const states = files.filter((file) => file.endsWith('.state.json'));
  const known = [...parts, ...archives, ...manifestFiles, ...states].sort();
  expect(files, 'something half-written').toEqual(known);
  expect(manifestFiles, 'an archive without its manifest, or the reverse').toEqual(
    archives.map((file) => `${file}.manifest.json`),
  );
  const manifests = manifestFiles.map((file) =>
    manifestSchema.parse(JSON.parse(readFileSync(join(archiveRoot, file), 'utf8'))),
  );
  for (const [at, file] of archives.entries()) {
    const sha256 = createHash('sha256')
      .update(readFileSync(join(archiveRoot, file)))
      .digest('hex');
    expect(manifests[at]?.sha256, file).toBe(sha256);
  }
  const catalogue = openCatalogue({ path: createDataPaths(dataDir).catalogue, clock: systemClock });
  try {
    const rows = new ArchiveIndex(catalogue, { pathOf: () => archiveRoot, isAbsent: () => false }).list({
      limit: 500,
    });
    expect(rows.map((row) => row.path).sort(), 'rows and archives differ').toEqual(archives);
    return { archives, manifests, parts, trash, jobs: new JobSearch(catalogue).find({ limit: 500 }) };
  } finally {
    catalogue.close();
  }
}
