/**
 * @file Records the archives that backups acknowledged while their processes are killed: an archive counts as soon as
 * it has a row. Reads a copy of the catalogue, so that the next process finds the catalogue as the killed one left it.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Manifest } from '../../../src-contract/archives/archive.ts';
import { manifestSchema } from '../../../src-contract/archives/archive-schema.ts';
import type { IndexedArchive } from '../../../src-main/catalogue/archives/archive-rows.ts';
import { ArchiveIndex } from '../../../src-main/catalogue/archives/archive-index.ts';
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { createDataPaths } from '../../../src-main/platform/paths.ts';
import { filesBelow } from '../files-below.ts';

/** The violations, each as a sentence. */
export interface Violations {
  /** Archives that were acknowledged and are now missing or changed. */
  lost: string[];
  /** Archives that a job stored in addition to another. */
  doubled: string[];
  /**
   * Files that belong to no archive, and archives that lack a part or their row; checked only while no job is running.
   */
  orphaned: string[];
}

export class BackupLedger {
  readonly #catalogue: string;
  readonly #root: string;
  /** Hashes of the acknowledged archives, by path. */
  readonly #acknowledged = new Map<string, string>();
  readonly #lost = new Set<string>();

  constructor(dataDir: string) {
    const paths = createDataPaths(dataDir);
    [this.#catalogue, this.#root] = [paths.catalogue, paths.archives];
  }

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Between two processes: records the archives acknowledged so far, and checks that all of them still exist. */
  recordArchives(): void {
    const rows = new Map(this.#rows().map((row) => [row.path, row.sha256]));
    for (const [path, sha256] of rows) {
      if (!this.#acknowledged.has(path)) this.#acknowledged.set(path, sha256);
    }
    for (const [path, sha256] of this.#acknowledged) {
      if (rows.get(path) !== sha256) this.#lost.add(`${path} lost its row`);
      for (const file of [path, `${path}.manifest.json`]) {
        if (!existsSync(join(this.#root, file))) this.#lost.add(`${file} is gone`);
      }
    }
  }

  /** After the last process has ended by itself: checks every byte. */
  findViolations(): Violations {
    this.recordArchives();
    const rows = new Set(this.#rows().map((row) => row.path));
    const files = filesBelow(this.#root).filter((file) => !file.startsWith('.trash/'));
    const archives = new Set(files.filter((file) => file.endsWith('.tar.gz')));
    const makers = new Map<string, string>();
    const wrongs: Violations = { lost: [...this.#lost], doubled: [], orphaned: [] };
    for (const archive of archives) {
      const manifest = this.#manifest(archive);
      if (manifest === null) wrongs.orphaned.push(`${archive} has no manifest`);
      if (!rows.has(archive)) wrongs.orphaned.push(`${archive} has no row`);
      const sha256 = this.#acknowledged.get(archive) ?? manifest?.sha256;
      const content = createHash('sha256')
        .update(readFileSync(join(this.#root, archive)))
        .digest('hex');
      if (content !== sha256 || content !== manifest?.sha256) wrongs.lost.push(`${archive} has changed`);
      if (manifest === null || manifest.jobId === null) continue;
      const other = makers.get(manifest.jobId);
      if (other !== undefined) wrongs.doubled.push(`${archive} and ${other} belong to one job`);
      makers.set(manifest.jobId, archive);
    }
    for (const file of files) {
      const archive = file.replace(/\.(?:manifest|state)\.json$/, '');
      const isKnown = archives.has(archive) || ['.lock', '.packhorse-root'].includes(basename(file));
      if (!isKnown) wrongs.orphaned.push(`${file} belongs to no archive`);
    }
    for (const row of rows) if (!archives.has(row)) wrongs.orphaned.push(`the row of ${row} has no archive`);
    return wrongs;
  }

  #manifest(archive: string): Manifest | null {
    const path = join(this.#root, `${archive}.manifest.json`);
    return existsSync(path) ? manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
  }

  #rows(): IndexedArchive[] {
    const folder = mkdtempSync(join(tmpdir(), 'packhorse-ledger-'));
    const path = join(folder, basename(this.#catalogue));
    try {
      for (const part of ['', '-wal']) {
        if (existsSync(this.#catalogue + part)) cpSync(this.#catalogue + part, path + part);
      }
      const catalogue = openCatalogue({ path, clock: systemClock });
      try {
        const index = new ArchiveIndex(catalogue, { pathOf: () => this.#root, isAbsent: () => false });
        const rows: IndexedArchive[] = [];
        for (let before: string | undefined; ;) {
          const page = index.list({ limit: 500, before });
          rows.push(...page);
          before = page.at(-1)?.id;
          if (before === undefined) return rows;
        }
      } finally {
        catalogue.close();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}
