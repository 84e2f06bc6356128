/**
 * @file The index of stored archives. The files are the truth: rows are written after them and can be rebuilt from
 * them, so ids are derived from the place and a rescan yields the same ones.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { conditionOf } from '../../src-preload/contract/archive-quality.ts';
import {
  archiveSummarySchema,
  inspectionSchema,
  manifestSchema,
  proofSchema,
  worthOf,
  sourceCountsSchema,
} from '../../src-preload/contract/archive.ts';
import type { ArchiveSummary, Manifest, Proof } from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { z } from '../../src-preload/contract/schema.ts';
import { isoTime, parseTime } from '../platform/clock.ts';
import type { Catalogue } from './database.ts';
import { fold } from './projects/fold.ts';
import { jsonColumn, readRow } from './rows.ts';

const summaryColumns = `id, root, path, instance_name AS instanceName, instance_url AS instanceUrl, project_id AS projectId,
  full_path AS fullPath, sha256, size_bytes AS sizeBytes, stored_at AS storedAt, verdict, proof, damaged, findings, pinned, incomplete`;
const flag = z.number().transform((stored) => stored === 1);
const summaryRow = archiveSummarySchema.omit({ absolutePath: true, absent: true, condition: true }).extend({
  root: z.number().int(),
  proof: jsonColumn.pipe(proofSchema.transform(worthOf).nullable()),
  damaged: jsonColumn.pipe(archiveSummarySchema.shape.damaged),
  pinned: flag,
  incomplete: flag,
  projectId: z
    .number()
    .int()
    .transform((stored) => (stored < 0 ? null : stored)),
});
const countedRow = z.object({
  inspection: jsonColumn.pipe(
    inspectionSchema.pick({ relations: true, notes: true, bundles: true, uploads: true, lfsObjects: true }),
  ),
  sourceCounts: jsonColumn.pipe(sourceCountsSchema.nullable()),
  /** Null for what a backup stored. */
  adoptedAt: z.string().nullable(),
});
const projectRow = z.object({ projectId: z.number().int(), fullPath: z.string() });
const manifestRow = z.object({ manifest: jsonColumn.pipe(manifestSchema) });
const numberRow = z.object({ number: z.number().int() });
const supersededRow = z.object({ superseded: z.number() });
const totalsRow = z.object({ count: z.number().int(), bytes: z.number() });
const absenceRow = z.object({
  root: z.number().int(),
  archives: z.number().int(),
  bytes: z.number(),
  projects: z.number().int(),
});
const ownerRow = z.object({ url: z.string(), id: z.number().int() });
/** As two searches: with an OR, SQLite finds no index for it. */
const ofPathOrId = (instance: string | null): string => `id IN (
  SELECT id FROM archives WHERE full_path = @fullPath ${instance === null ? '' : 'AND instance_name = @instance'}
  UNION SELECT a.id FROM json_each(@ids) owner
    JOIN archives a ON a.instance_url = owner.value ->> '$.url' AND a.project_id = owner.value ->> '$.id')`;
const holdingRow = z.object({ archives: z.number().int(), bytes: z.number() });

/** Id, absolute path and presence follow from the root's number and the path in it, which uses `/`. */
export type NewArchive = Omit<ArchiveSummary, 'id' | 'absolutePath' | 'absent' | 'condition'> & {
  root: number;
  /** Something that its source had is missing in it. */
  incomplete: boolean;
};

/** A row as it is kept: with the number of its root. */
export type IndexedArchive = ArchiveSummary & { root: number };

/** Where the roots are now. */
export interface RootPlaces {
  /** Absolute path of the root of that number. */
  pathOf(root: number): string;
  /** Whether that root was not there when it was last looked for. */
  isAbsent(root: number): boolean;
}

export class ArchiveIndex {
  readonly #catalogue: Catalogue;
  readonly #roots: RootPlaces;

  constructor(catalogue: Catalogue, roots: RootPlaces) {
    this.#catalogue = catalogue;
    this.#roots = roots;
  }

  /** Adds an archive that stands in the store, or replaces the row of the same place. */
  insert(archive: NewArchive, manifest: Manifest): IndexedArchive {
    const id = archiveId(archive.root, archive.path);
    const activity = parseTime(manifest.sourceCounts?.before.lastActivityAt);
    return this.#catalogue.transaction(() => {
      this.#catalogue.run(
        `INSERT OR REPLACE INTO archives (id, root, path, instance_name, instance_url, project_id, full_path, sha256,
             size_bytes, stored_at, verdict, proof, damaged, findings, pinned, incomplete, source_activity, path_key)
           VALUES (@id, @root, @path, @instanceName, @instanceUrl, @projectId, @fullPath, @sha256, @sizeBytes,
             @storedAt, @verdict, @proof, @damaged, @findings, @pinned, @incomplete, @sourceActivity, @pathKey)`,
        {
          ...archive,
          id,
          projectId: archive.projectId ?? unknownId(archive.fullPath),
          proof: toJson(archive.proof),
          damaged: toJson(archive.damaged),
          pinned: archive.pinned ? 1 : 0,
          incomplete: archive.incomplete ? 1 : 0,
          pathKey: fold(archive.fullPath),
          sourceActivity: activity === null ? null : isoTime(activity),
        },
      );
      this.#catalogue.run(
        'INSERT OR REPLACE INTO archive_manifests (archive, manifest) VALUES (?, ?)',
        id,
        JSON.stringify(manifest),
      );
      return this.get(id);
    });
  }

  /** Throws `archive-missing`. */
  get(id: string): IndexedArchive {
    const found = this.find(id);
    if (found === null) throw archiveMissing({ id });
    return found;
  }

  find(id: string): IndexedArchive | null {
    const row = this.#catalogue.get(`SELECT ${summaryColumns} FROM archives WHERE id = ?`, id);
    return row === undefined ? null : this.#read(row);
  }

  /** The manifest as it was when the row was written. Throws `archive-missing`. */
  manifest(id: string): Manifest {
    const row = this.#catalogue.get('SELECT manifest FROM archive_manifests WHERE archive = ?', id);
    if (row === undefined) throw archiveMissing({ id });
    return readRow(manifestRow, row, 'archive_manifests').manifest;
  }

  /**
   * Newest first. A project that is named by its path has its archives from under other paths as well, where its id is known.
   * `before` is the id of the last archive of the previous page; throws `archive-missing` for it.
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
    // Only what is asked for is named, so that SQLite finds the index for it.
    const where = [
      ...(instance === null ? [] : ['instance_name = @instance']),
      ...(fullPath === null ? [] : [ids.length === 0 ? 'full_path = @fullPath' : ofPathOrId(instance)]),
      ...(projectId === null ? [] : ['project_id = @projectId']),
      ...(last === null ? [] : ['(stored_at, id) < (@storedAt, @id)']),
    ];
    const rows = this.#catalogue.all(
      `SELECT ${summaryColumns} FROM archives ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
         ORDER BY stored_at DESC, id DESC LIMIT @limit`,
      {
        instance,
        fullPath,
        ids: JSON.stringify(ids),
        projectId,
        limit,
        storedAt: last?.storedAt ?? null,
        id: last?.id ?? null,
      },
    );
    return rows.map((row) => this.#read(row));
  }

  /** Projects that have this path now or had it at a backup: a renamed one has archives under other paths. */
  #idsOf(fullPath: string, instance: string | null): { url: string; id: number }[] {
    const rows = this.#catalogue.all(
      `SELECT instance_url AS url, project_id AS id FROM archives
         WHERE full_path = @fullPath AND project_id >= 0 ${instance === null ? '' : 'AND instance_name = @instance'}
       UNION SELECT url, id FROM project_rows
         WHERE path = @fullPath ${instance === null ? '' : 'AND instance = @instance'}`,
      { fullPath, instance },
    );
    return rows.map((row) => readRow(ownerRow, row, 'archives'));
  }

  /** The archives of one size that an instance's project has; the id counts where it is known, else the path. */
  ofSize(
    project: { instanceUrl: string; projectId: number | null; fullPath: string },
    sizeBytes: number,
  ): IndexedArchive[] {
    const rows = this.#catalogue.all(
      `SELECT ${summaryColumns} FROM archives
         WHERE instance_url = @instanceUrl AND project_id = @projectId AND size_bytes = @sizeBytes
         ORDER BY stored_at DESC, id DESC`,
      {
        instanceUrl: project.instanceUrl,
        projectId: project.projectId ?? unknownId(project.fullPath),
        sizeBytes,
      },
    );
    return rows.map((row) => this.#read(row));
  }

  /** Every archive of one project with a known id that one instance's backups stored under this path, with what was counted in it and before. */
  ofProject(project: {
    instanceName: string;
    instanceUrl: string;
    projectId: number | null;
    fullPath: string;
  }): (IndexedArchive & z.infer<typeof countedRow>)[] {
    const rows = this.#catalogue.all(
      `SELECT ${summaryColumns}, manifest -> '$.inspection' AS inspection, manifest -> '$.sourceCounts' AS sourceCounts,
           manifest ->> '$.adopted.at' AS adoptedAt
         FROM archives JOIN archive_manifests ON archive = id
         WHERE instance_url = @instanceUrl AND project_id = @projectId AND project_id >= 0
           AND instance_name = @instanceName AND full_path = @fullPath
         ORDER BY stored_at DESC, id DESC`,
      project,
    );
    return rows.map((row) => ({
      ...this.#read(row),
      ...readRow(countedRow, row, 'archives'),
    }));
  }

  /** Projects with a known id of which backups of an instance stored archives, by path; one that was moved is there under each of its paths. */
  projectsOf(instance: { name: string; url: string }): { projectId: number; fullPath: string }[] {
    const rows = this.#catalogue.all(
      `SELECT DISTINCT project_id AS projectId, full_path AS fullPath FROM archives
         WHERE instance_url = @url AND instance_name = @name AND project_id >= 0 ORDER BY path_key, full_path, project_id`,
      instance,
    );
    return rows.map((row) => readRow(projectRow, row, 'archives'));
  }

  /** How many archives of a project are kept, under whatever path. */
  countOf(instanceUrl: string, projectId: number): number {
    const [count] = this.#catalogue.column(
      'SELECT count(*) FROM archives WHERE instance_url = ? AND project_id = ?',
      instanceUrl,
      projectId,
    );
    return Number(count);
  }

  /** Whether an archive of the project is kept that can be read and of which nothing is known to be missing. */
  holdsGood(instanceUrl: string, projectId: number): boolean {
    const good = this.#catalogue.get(
      `SELECT 1 FROM archives WHERE instance_url = ? AND project_id = ? AND damaged IS NULL AND verdict <> 'unusable'
         AND NOT EXISTS (SELECT 1 FROM json_each(findings) WHERE value ->> '$.severity' = 'error')`,
      instanceUrl,
      projectId,
    );
    return good !== undefined;
  }

  /** The archives whose SHA-256 begins with `prefix`, newest first. Throws `invalid-input` below 8 hexadecimal digits. */
  findBySha(prefix: string): IndexedArchive[] {
    const digits = prefix.toLowerCase();
    if (!/^[0-9a-f]{8,64}$/.test(digits)) {
      throw new AppError('invalid-input', 'a SHA-256 prefix has 8 to 64 hexadecimal digits');
    }
    const rows = this.#catalogue.all(
      `SELECT ${summaryColumns} FROM archives WHERE sha256 >= @digits AND sha256 < @digits || 'g'
         ORDER BY stored_at DESC, id DESC`,
      { digits },
    );
    return rows.map((row) => this.#read(row));
  }

  /** Those that hold exactly these bytes, newest first. */
  ofSha(sha256: string): IndexedArchive[] {
    const rows = this.#catalogue.all(
      `SELECT ${summaryColumns} FROM archives WHERE sha256 = ? ORDER BY stored_at DESC, id DESC`,
      sha256,
    );
    return rows.map((row) => this.#read(row));
  }

  /**
   * The archive under this path relative to a root, or to the one given; null when none is indexed. Where a store was copied,
   * one whose root is there is preferred, then one of the later root.
   */
  findByPath(path: string, root: number | null = null): IndexedArchive | null {
    const found = this.allAtPath(path, root);
    return found.find(({ absent }) => !absent) ?? found[0] ?? null;
  }

  /** Every archive under this path relative to a root, or to the one given; one of a later root first. */
  allAtPath(path: string, root: number | null = null): IndexedArchive[] {
    const rows = this.#catalogue.all(
      `SELECT ${summaryColumns} FROM archives WHERE path = @path AND (@root IS NULL OR root = @root) ORDER BY root DESC`,
      { path, root },
    );
    return rows.map((row) => this.#read(row));
  }

  /** Projects of which archives are held, by path; each with its newest. `search` is a part of the path. */
  projects({ search, offset, limit }: { search: string | null; offset: number; limit: number }): {
    projects: { archives: number; bytes: number; newest: IndexedArchive }[];
    total: number;
  } {
    const needle = fold(search ?? '');
    const matching = `FROM archives INDEXED BY archives_newest
      WHERE is_newest = 1 ${needle === '' ? '' : 'AND instr(path_key, @needle) > 0'}`;
    const same = 'FROM archives b WHERE b.instance_url = n.instance_url AND b.project_id = n.project_id';
    const rows = this.#catalogue.all(
      `SELECT ${summaryColumns}, (SELECT count(*) ${same}) AS archives, (SELECT total(b.size_bytes) ${same}) AS bytes
         FROM archives n
         WHERE id IN (SELECT id ${matching} ORDER BY path_key, instance_url, id LIMIT @limit OFFSET @offset)
         ORDER BY path_key, instance_url, id`,
      { needle, offset, limit },
    );
    const total = this.#catalogue.get(`SELECT count(*) AS number ${matching}`, { needle });
    return {
      projects: rows.map((row) => {
        const { archives, bytes } = readRow(holdingRow, row, 'archives');
        return { archives, bytes, newest: this.#read(row) };
      }),
      total: readRow(numberRow, total, 'archives').number,
    };
  }

  /** Forgets all archives of the root of that number. */
  removeAllIn(root: number): void {
    this.#catalogue.run('DELETE FROM archives WHERE root = ?', root);
  }

  /** Whether any archive of the root of that number is indexed. */
  holdsIn(root: number): boolean {
    return this.#catalogue.get('SELECT 1 FROM archives WHERE root = ? LIMIT 1', root) !== undefined;
  }

  /** How many archives of the root of that number are indexed. */
  countIn(root: number): number {
    const row = this.#catalogue.get('SELECT count(*) AS number FROM archives WHERE root = ?', root);
    return readRow(numberRow, row, 'archives').number;
  }

  /** Of the archives whose folders are there, as they were last noted. */
  totals(): { count: number; bytes: number } {
    const all = 'SELECT count(*) AS count, total(size_bytes) AS bytes FROM archives';
    const isAnyAbsent = this.#catalogue.get('SELECT 1 FROM absent_roots LIMIT 1') !== undefined;
    // The index has no roots; without it every row would be read.
    const row = this.#catalogue.get(
      isAnyAbsent
        ? `${all} WHERE root NOT IN (SELECT root FROM absent_roots)`
        : `${all} INDEXED BY archives_by_project`,
    );
    return readRow(totalsRow, row, 'archives');
  }

  /** Keeps which archive folders are not there, from which the status of projects follows. @returns whether that is news. */
  noteAbsentRoots(numbers: ReadonlySet<number>): boolean {
    const known = new Set(this.#catalogue.column('SELECT root FROM absent_roots') as number[]);
    const came = [...known].filter((root) => !numbers.has(root));
    const went = [...numbers].filter((root) => !known.has(root));
    if (came.length + went.length === 0) return false;
    this.#catalogue.transaction(() => {
      for (const root of came) this.#catalogue.run('DELETE FROM absent_roots WHERE root = ?', root);
      // Another process may have noted it meanwhile.
      for (const root of went)
        this.#catalogue.run('INSERT OR IGNORE INTO absent_roots (root) VALUES (?)', root);
    });
    return true;
  }

  /** What stands in folders that are not there, as last noted; folders without archives are left out. */
  absences(): { root: number; archives: number; bytes: number; projects: number }[] {
    const rows = this.#catalogue.all(
      `SELECT r.root, count(*) AS archives, total(a.size_bytes) AS bytes,
           count(DISTINCT a.instance_url || ' ' || a.project_id) AS projects
         FROM absent_roots r JOIN archives a ON a.root = r.root GROUP BY r.root ORDER BY r.root`,
    );
    return rows.map((row) => readRow(absenceRow, row, 'archives'));
  }

  /**
   * Damaged and unusable archives, and how many there are: first those of projects of which no newer one is readable, then those
   * that a newer one has `superseded`; each newest first.
   */
  bad(limit: number): { archives: (IndexedArchive & { superseded: boolean })[]; total: number } {
    const bad = `FROM archives WHERE (damaged IS NOT NULL OR verdict = 'unusable')`;
    const superseded = `EXISTS (
      SELECT 1 FROM archives b WHERE b.instance_url = archives.instance_url AND b.project_id = archives.project_id
        AND (b.stored_at, b.id) > (archives.stored_at, archives.id) AND b.damaged IS NULL AND b.verdict <> 'unusable')`;
    const rows = this.#catalogue.all(
      `SELECT ${summaryColumns}, ${superseded} AS superseded ${bad}
         ORDER BY superseded, stored_at DESC, id DESC LIMIT ?`,
      limit,
    );
    const total = readRow(
      numberRow,
      this.#catalogue.get(`SELECT count(*) AS number ${bad}`),
      'archives',
    ).number;
    const archives = rows.map((row) => ({
      ...this.#read(row),
      superseded: readRow(supersededRow, row, 'archives').superseded === 1,
    }));
    return { archives, total };
  }

  /** Throws `archive-missing`. */
  updateProof(id: string, proof: Proof): void {
    this.#update(id, 'proof', proof);
  }

  /** `null` takes the mark away, after the file was put right. Throws `archive-missing`. */
  markDamaged(id: string, damaged: ArchiveSummary['damaged']): void {
    this.#update(id, 'damaged', damaged);
  }

  /** Throws `archive-missing`. */
  markPinned(id: string, pinned: boolean): void {
    const changed = this.#catalogue.run('UPDATE archives SET pinned = ? WHERE id = ?', pinned ? 1 : 0, id);
    if (changed === 0) throw archiveMissing({ id });
  }

  /** Forgets an archive whose file is gone; does nothing when it is not indexed. */
  remove(id: string): void {
    this.#catalogue.run('DELETE FROM archives WHERE id = ?', id);
  }

  #update(id: string, column: 'proof' | 'damaged', value: unknown): void {
    const changed = this.#catalogue.run(`UPDATE archives SET ${column} = ? WHERE id = ?`, toJson(value), id);
    if (changed === 0) throw archiveMissing({ id });
  }

  #read(row: unknown): IndexedArchive {
    const { incomplete, ...stored } = readRow(summaryRow, row, 'archives');
    const { verdict, root } = stored;
    return {
      ...stored,
      absolutePath: join(this.#roots.pathOf(root), stored.path),
      absent: this.#roots.isAbsent(root),
      condition: conditionOf({ verdict, incomplete, damaged: stored.damaged !== null }),
    };
  }
}

/** The first root's ids are those of catalogues that knew one root only. */
function archiveId(root: number, path: string): string {
  const place = root === 0 ? path : `${root}\n${path}`;
  return createHash('sha256').update(place).digest('hex').slice(0, 16);
}

/**
 * [Note: ids that are not known] The catalogue puts archives of one path whose project's id is not known together under a
 * number below zero, which no project of GitLab has; outside of the catalogue such an id is null.
 */
function unknownId(fullPath: string): number {
  return -1 - createHash('sha256').update(fold(fullPath)).digest().readUIntBE(0, 6);
}

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function archiveMissing(details: Record<string, string>): AppError {
  return new AppError('archive-missing', 'no such archive is indexed', { details });
}
