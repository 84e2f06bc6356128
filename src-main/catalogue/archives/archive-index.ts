/** @file The index of stored archives. The files are the truth: rows are written after them and can be rebuilt. */
import {
  inspectionSchema,
  manifestSchema,
  sourceCountsSchema,
} from '../../../src-contract/archives/archive-schema.ts';
import type { ArchiveSummary, Manifest, Proof } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { z } from '../../../src-contract/schema.ts';
import type { Catalogue } from '../database.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { jsonColumn, readRow, whereClause } from '../rows.ts';
import {
  archiveColumns,
  insertArchiveSql,
  archiveFromRow,
  toJson,
  toRow,
  placeholderIdOf,
  type IndexedArchive,
  type NewArchive,
  type RootLocations,
} from './archive-rows.ts';

const countedRow = z.object({
  inspection: jsonColumn.pipe(
    inspectionSchema.pick({ relations: true, notes: true, bundles: true, uploads: true, lfsObjects: true }),
  ),
  sourceCounts: jsonColumn.pipe(sourceCountsSchema.nullable()),
  takenInAt: z.string().nullable(),
});
const manifestRow = z.object({ manifest: jsonColumn.pipe(manifestSchema) });
const supersededRow = z.object({ superseded: z.number() });
const projectKeyRow = z.object({ url: z.string(), id: z.number().int() });
const newestFirst = 'ORDER BY stored_at DESC, id DESC';
/** Two searches, because SQLite finds no index for an OR. */
const pathOrIdCondition = (instance: string | null): string => `id IN (
  SELECT id FROM archives WHERE full_path = @fullPath ${instance === null ? '' : 'AND instance_name = @instance'}
  UNION SELECT a.id FROM json_each(@ids) owner
    JOIN archives a ON a.instance_url = owner.value ->> '$.url' AND a.project_id = owner.value ->> '$.id')`;

/** Every method that reads an archive throws `catalogue-damaged` for an invalid row. */
export class ArchiveIndex extends CatalogueTable {
  readonly #roots: RootLocations;

  constructor(catalogue: Catalogue, roots: RootLocations) {
    super(catalogue);
    this.#roots = roots;
  }

  insert(archive: NewArchive, manifest: Manifest): IndexedArchive {
    const row = toRow(archive, manifest);
    return this.catalogue.transaction(() => {
      this.catalogue.run(insertArchiveSql, row);
      this.catalogue.run(
        'INSERT OR REPLACE INTO archive_manifests (archive, manifest) VALUES (?, ?)',
        row.id,
        JSON.stringify(manifest),
      );
      return this.get(row.id);
    });
  }

  get(id: string): IndexedArchive {
    const found = this.find(id);
    if (found === null) throw archiveMissing({ id });
    return found;
  }

  find(id: string): IndexedArchive | null {
    const row = this.catalogue.get(`SELECT ${archiveColumns} FROM archives WHERE id = ?`, id);
    return row === undefined ? null : this.#read(row);
  }

  /** Returns the manifest as it was when the row was written. Throws `archive-missing`. */
  manifest(id: string): Manifest {
    const sql = 'SELECT manifest FROM archive_manifests WHERE archive = ?';
    const row = this.catalogue.row('archive_manifests', manifestRow, sql, id);
    if (row === null) throw archiveMissing({ id });
    return row.manifest;
  }

  /**
   * Returns archives, newest first. A path also finds archives of the same project under other paths. `before` is an
   * archive's id.
   */
  list(filter: {
    instance?: string | null | undefined;
    fullPath?: string | null | undefined;
    projectId?: number | null | undefined;
    limit: number;
    before?: string | null | undefined;
  }): IndexedArchive[] {
    const { instance = null, fullPath = null, projectId = null, limit, before = null } = filter;
    const ids = fullPath === null ? [] : this.#idsOf(fullPath, instance);
    const last = before === null ? null : this.get(before);
    // Contains only the given filters, so that SQLite finds the index for them.
    const where = [
      ...(instance === null ? [] : ['instance_name = @instance']),
      ...(fullPath === null
        ? []
        : [ids.length === 0 ? 'full_path = @fullPath' : pathOrIdCondition(instance)]),
      ...(projectId === null ? [] : ['project_id = @projectId']),
      ...(last === null ? [] : ['(stored_at, id) < (@storedAt, @id)']),
    ];
    return this.#list(`FROM archives ${whereClause(where)} ${newestFirst} LIMIT @limit`, {
      ...{ instance, fullPath, ids: JSON.stringify(ids), projectId, limit },
      ...{ storedAt: last?.storedAt ?? null, id: last?.id ?? null },
    });
  }

  /**
   * Returns projects that have this path now or had it at a backup. A renamed project has archives under other paths.
   */
  #idsOf(fullPath: string, instance: string | null): { url: string; id: number }[] {
    return this.catalogue.rows(
      'archives',
      projectKeyRow,
      `SELECT instance_url AS url, project_id AS id FROM archives
         WHERE full_path = @fullPath AND project_id >= 0 ${instance === null ? '' : 'AND instance_name = @instance'}
       UNION SELECT url, id FROM project_rows
         WHERE path = @fullPath ${instance === null ? '' : 'AND instance = @instance'}`,
      { fullPath, instance },
    );
  }

  findBySize(
    { instanceUrl, projectId, fullPath }: Pick<ArchiveSummary, 'instanceUrl' | 'projectId' | 'fullPath'>,
    sizeBytes: number,
  ): IndexedArchive[] {
    return this.#list(
      `FROM archives WHERE instance_url = @instanceUrl AND project_id = @projectId AND size_bytes = @sizeBytes ${newestFirst}`,
      { instanceUrl, projectId: projectId ?? placeholderIdOf(fullPath), sizeBytes },
    );
  }

  /** Returns the archives of a project that backups of this instance stored under this path, with their counts. */
  listForProject(
    project: Pick<ArchiveSummary, 'instanceName' | 'instanceUrl' | 'projectId' | 'fullPath'>,
  ): (IndexedArchive & z.infer<typeof countedRow>)[] {
    const rows = this.catalogue.all(
      `SELECT ${archiveColumns}, manifest -> '$.inspection' AS inspection, manifest -> '$.sourceCounts' AS sourceCounts,
           coalesce(manifest ->> '$.adopted.at', manifest ->> '$.receivedAt') AS takenInAt
         FROM archives JOIN archive_manifests ON archive = id
         WHERE instance_url = @instanceUrl AND project_id = @projectId AND project_id >= 0
           AND instance_name = @instanceName AND full_path = @fullPath
         ${newestFirst}`,
      project,
    );
    return rows.map((row) => ({ ...this.#read(row), ...readRow(countedRow, row, 'archives') }));
  }

  /** Returns archives, newest first. Throws `invalid-input` for a prefix of less than 8 hexadecimal digits. */
  findBySha(prefix: string): IndexedArchive[] {
    const digits = prefix.toLowerCase();
    if (!/^[0-9a-f]{8,64}$/.test(digits)) {
      throw new AppError('invalid-input', 'A SHA-256 prefix has 8 to 64 hexadecimal digits.');
    }
    const from = `FROM archives WHERE sha256 >= @digits AND sha256 < @digits || 'g' ${newestFirst}`;
    return this.#list(from, { digits });
  }

  findByFullSha(sha256: string): IndexedArchive[] {
    return this.#list(`FROM archives WHERE sha256 = @sha256 ${newestFirst}`, { sha256 });
  }

  /** Returns the archive at this path in the given root, or in any root. Prefers roots that exist, then newer roots. */
  findByPath(path: string, root: number | null = null): IndexedArchive | null {
    const found = this.allAtPath(path, root);
    return found.find(({ absent }) => !absent) ?? found[0] ?? null;
  }

  allAtPath(path: string, root: number | null = null): IndexedArchive[] {
    const from = `FROM archives WHERE path = @path AND (@root IS NULL OR root = @root) ORDER BY root DESC`;
    return this.#list(from, { path, root });
  }

  /**
   * Returns damaged and unusable archives, newest first. Those that a newer readable archive has `superseded` come
   * last.
   */
  listBad(limit: number): { archives: (IndexedArchive & { superseded: boolean })[]; total: number } {
    const fromBad = `FROM archives WHERE (damaged IS NOT NULL OR verdict = 'unusable')`;
    const superseded = `EXISTS (
      SELECT 1 FROM archives b WHERE b.instance_url = archives.instance_url AND b.project_id = archives.project_id
        AND (b.stored_at, b.id) > (archives.stored_at, archives.id) AND b.damaged IS NULL AND b.verdict <> 'unusable')`;
    const rows = this.catalogue.all(
      `SELECT ${archiveColumns}, ${superseded} AS superseded ${fromBad}
         ORDER BY superseded, stored_at DESC, id DESC LIMIT ?`,
      limit,
    );
    const archives = rows.map((row) => ({
      ...this.#read(row),
      superseded: readRow(supersededRow, row, 'archives').superseded === 1,
    }));
    return { archives, total: this.catalogue.count(`SELECT count(*) ${fromBad}`) };
  }

  /** Throws `archive-missing`. */
  updateProof(id: string, proof: Proof): void {
    this.#update(id, 'proof', toJson(proof));
  }

  /** Stores what a complete reading found. Throws `archive-missing`. */
  updateReading(id: string, reading: Pick<NewArchive, 'verdict' | 'incomplete' | 'findings'>): void {
    const { verdict, incomplete, findings } = reading;
    const sql = 'UPDATE archives SET verdict = ?, incomplete = ?, findings = ? WHERE id = ?';
    const changed = this.catalogue.run(sql, verdict, incomplete ? 1 : 0, findings, id);
    if (changed === 0) throw archiveMissing({ id });
  }

  /** `null`: the file was repaired. Throws `archive-missing`. */
  markDamaged(id: string, damaged: ArchiveSummary['damaged']): void {
    this.#update(id, 'damaged', toJson(damaged));
  }

  /** Throws `archive-missing`. */
  markPinned(id: string, pinned: boolean): void {
    this.#update(id, 'pinned', pinned ? 1 : 0);
  }

  remove(id: string): void {
    this.catalogue.run('DELETE FROM archives WHERE id = ?', id);
  }

  #update(id: string, column: 'proof' | 'damaged' | 'pinned', value: string | number | null): void {
    const changed = this.catalogue.run(`UPDATE archives SET ${column} = ? WHERE id = ?`, value, id);
    if (changed === 0) throw archiveMissing({ id });
  }

  #list(from: string, parameters: Record<string, unknown>): IndexedArchive[] {
    return this.catalogue.all(`SELECT ${archiveColumns} ${from}`, parameters).map((row) => this.#read(row));
  }

  #read(row: unknown): IndexedArchive {
    return archiveFromRow(row, this.#roots);
  }
}

function archiveMissing(details: Record<string, string>): AppError {
  return new AppError('archive-missing', 'No such archive is indexed.', { details });
}
