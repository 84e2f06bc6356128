/**
 * @file The index of stored archives. The files are the truth: rows are written after them and can be rebuilt from
 * them, so ids are derived from the path and a rescan yields the same ones.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { archiveSummarySchema, manifestSchema, proofSchema } from '../../src-preload/contract/archive.ts';
import type { ArchiveSummary, Manifest, Proof } from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { z } from '../../src-preload/contract/schema.ts';
import type { Catalogue } from './database.ts';
import { jsonColumn, readRow } from './rows.ts';

const summaryColumns = `id, path, instance_name AS instanceName, instance_url AS instanceUrl, project_id AS projectId,
  full_path AS fullPath, sha256, size_bytes AS sizeBytes, stored_at AS storedAt, verdict, proof, damaged, findings, pinned`;
const summaryRow = archiveSummarySchema.omit({ absolutePath: true, absent: true }).extend({
  proof: jsonColumn.pipe(proofSchema.nullable()),
  damaged: jsonColumn.pipe(archiveSummarySchema.shape.damaged),
  pinned: z.number().transform((stored) => stored === 1),
});
const manifestRow = z.object({ manifest: jsonColumn.pipe(manifestSchema) });

/** Id and absolute path follow from the path, which is relative to the archive root and uses `/`. */
export type NewArchive = Omit<ArchiveSummary, 'id' | 'absolutePath' | 'absent'>;

export class ArchiveIndex {
  readonly #catalogue: Catalogue;
  readonly #root: string;

  /** @param root absolute path of the archive root. */
  constructor(catalogue: Catalogue, root: string) {
    this.#catalogue = catalogue;
    this.#root = root;
  }

  /** Adds an archive that stands in the store, or replaces the row of the same path. */
  insert(archive: NewArchive, manifest: Manifest): ArchiveSummary {
    const id = archiveId(archive.path);
    this.#catalogue.run(
      `INSERT OR REPLACE INTO archives (id, path, instance_name, instance_url, project_id, full_path, sha256, size_bytes,
           stored_at, verdict, proof, damaged, findings, pinned, manifest)
         VALUES (@id, @path, @instanceName, @instanceUrl, @projectId, @fullPath, @sha256, @sizeBytes,
           @storedAt, @verdict, @proof, @damaged, @findings, @pinned, @manifest)`,
      {
        ...archive,
        id,
        proof: toJson(archive.proof),
        damaged: toJson(archive.damaged),
        pinned: archive.pinned ? 1 : 0,
        manifest: JSON.stringify(manifest),
      },
    );
    return this.get(id);
  }

  /** Throws `archive-missing`. */
  get(id: string): ArchiveSummary {
    const row = this.#catalogue.get(`SELECT ${summaryColumns} FROM archives WHERE id = ?`, id);
    if (row === undefined) throw archiveMissing({ id });
    return this.#read(row);
  }

  /** The manifest as it was when the row was written. Throws `archive-missing`. */
  manifest(id: string): Manifest {
    const row = this.#catalogue.get('SELECT manifest FROM archives WHERE id = ?', id);
    if (row === undefined) throw archiveMissing({ id });
    return readRow(manifestRow, row, 'archives').manifest;
  }

  /** Newest first. `before` is the id of the last archive of the previous page; throws `archive-missing` for it. */
  list(filter: {
    instance?: string | null | undefined;
    fullPath?: string | null | undefined;
    limit: number;
    before?: string | null | undefined;
  }): ArchiveSummary[] {
    const { instance = null, fullPath = null, limit, before = null } = filter;
    const last = before === null ? null : this.get(before);
    const rows = this.#catalogue.all(
      `SELECT ${summaryColumns} FROM archives
         WHERE (@instance IS NULL OR instance_name = @instance)
           AND (@fullPath IS NULL OR full_path = @fullPath)
           AND (@storedAt IS NULL OR (stored_at, id) < (@storedAt, @id))
         ORDER BY stored_at DESC, id DESC LIMIT @limit`,
      { instance, fullPath, limit, storedAt: last?.storedAt ?? null, id: last?.id ?? null },
    );
    return rows.map((row) => this.#read(row));
  }

  /**
   * The archive whose SHA-256 begins with `prefix`, the newest where one file is stored twice. Throws `invalid-input`
   * below 8 hexadecimal digits, `archive-missing`, and `archive-ambiguous` when archives of different content match.
   */
  findBySha(prefix: string): ArchiveSummary {
    const digits = prefix.toLowerCase();
    if (!/^[0-9a-f]{8,64}$/.test(digits)) {
      throw new AppError('invalid-input', 'a SHA-256 prefix has 8 to 64 hexadecimal digits');
    }
    const rows = this.#catalogue.all(
      `SELECT ${summaryColumns} FROM archives WHERE sha256 >= @digits AND sha256 < @digits || 'g'
         ORDER BY stored_at DESC, id DESC`,
      { digits },
    );
    const [newest, ...others] = rows.map((row) => this.#read(row));
    if (newest === undefined) throw archiveMissing({ sha256: digits });
    if (others.some((other) => other.sha256 !== newest.sha256)) {
      throw new AppError('archive-ambiguous', 'several archives match', { details: { sha256: digits } });
    }
    return newest;
  }

  /** Null when no archive is indexed under this path relative to the root. */
  findByPath(path: string): ArchiveSummary | null {
    const row = this.#catalogue.get(`SELECT ${summaryColumns} FROM archives WHERE path = ?`, path);
    return row === undefined ? null : this.#read(row);
  }

  /** Throws `archive-missing`. */
  updateProof(id: string, proof: Proof): void {
    this.#update(id, 'proof', proof);
  }

  /** `null` takes the mark away, after the file was put right. Throws `archive-missing`. */
  markDamaged(id: string, damaged: ArchiveSummary['damaged']): void {
    this.#update(id, 'damaged', damaged);
  }

  /** Forgets an archive whose file is gone; does nothing when it is not indexed. */
  remove(id: string): void {
    this.#catalogue.run('DELETE FROM archives WHERE id = ?', id);
  }

  #update(id: string, column: 'proof' | 'damaged', value: unknown): void {
    const changed = this.#catalogue.run(`UPDATE archives SET ${column} = ? WHERE id = ?`, toJson(value), id);
    if (changed === 0) throw archiveMissing({ id });
  }

  #read(row: unknown): ArchiveSummary {
    const stored = readRow(summaryRow, row, 'archives');
    return { ...stored, absolutePath: join(this.#root, stored.path), absent: false };
  }
}

function archiveId(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function archiveMissing(details: Record<string, string>): AppError {
  return new AppError('archive-missing', 'no such archive is indexed', { details });
}
