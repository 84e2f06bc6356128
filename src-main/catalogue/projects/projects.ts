/** @file The project lists of the instances as last refreshed, with the holdings of each project. */
import { maintainerAccessLevel, mayExport, backupStatuses } from '../../../src-contract/projects/project.ts';
import { projectSchema } from '../../../src-contract/projects/project-schema.ts';
import type {
  ProjectBackupSummary,
  BackupStatusInput,
  Project,
  ProjectRow,
  BackupStatus,
} from '../../../src-contract/projects/project.ts';
import { z } from '../../../src-contract/schema.ts';
import { isoTime, parseTime } from '../../platform/clock.ts';
import type { Catalogue } from '../database.ts';
import { foldCase } from './fold.ts';
import { newCopiesSql } from './new-copies.ts';
import { backupSummariesOf, backupStatusOf } from './project-holdings.ts';
import { ProjectPages, type ProjectFilter } from './project-pages.ts';

const listRow = z.object({ instance: z.string(), refreshedAt: z.number() });
const newCopyRow = z.object({ instance: z.string(), id: z.number().int() });
const countRow = z.object({
  instance: z.string(),
  standing: z.number().int(),
  projects: z.number().int(),
});
/** The catalogue stores a status as its index in `backupStatuses`. */
const statusIndexOf = (status: BackupStatus): number => backupStatuses.indexOf(status);
const identityRow = projectSchema.pick({ id: true, fullPath: true });
const namedRow = projectSchema.pick({ id: true, fullPath: true, name: true });

/** A list that is being stored, and the ids of projects that were found to be gone meanwhile. */
interface Refresh {
  instance: string;
  removedIds: Set<number>;
}

export class ProjectListStore {
  readonly #catalogue: Catalogue;
  readonly #pages: ProjectPages;
  readonly #refreshes = new Set<Refresh>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#pages = new ProjectPages(catalogue);
  }

  /**
   * Stores the pages as they arrive, a few in one transaction; all pages are durable once the last one is. Projects
   * that were not listed are dropped only after the last page, so a refresh that breaks off loses nothing, and a
   * parallel one drops no project that another has seen.
   * @returns the number of projects in the list.
   */
  async replace(
    instance: { name: string; url: string },
    pages: AsyncIterable<readonly Project[]> | Iterable<readonly Project[]>,
    at: number,
  ): Promise<number> {
    const { name } = instance;
    const seenAt = this.#nextSeenAt(name, at);
    const refresh: Refresh = { instance: name, removedIds: new Set() };
    this.#refreshes.add(refresh);
    try {
      for await (const batch of batchPages(pages)) {
        this.#catalogue.nonDurableTransaction(() => {
          const present = batch.filter(({ id }) => !refresh.removedIds.has(id));
          this.#storeAll(instance, present, seenAt);
        });
      }
    } finally {
      this.#refreshes.delete(refresh);
    }
    return this.#catalogue.transaction(() => {
      const fromUnseen = 'FROM projects WHERE instance = @name AND seen_at < @seenAt';
      const deleteRows = `DELETE FROM project_rows WHERE instance = @name AND id IN (SELECT id ${fromUnseen})`;
      for (const sql of [deleteRows, `DELETE ${fromUnseen}`]) this.#catalogue.run(sql, { name, seenAt });
      this.#catalogue.run(noteRefreshedSql, name, at);
      return this.count(name);
    });
  }

  /**
   * Stores projects that were listed for another purpose. `isComplete` is true if they are all projects of the account.
   */
  merge(
    instance: { name: string; url: string },
    projects: readonly Project[],
    at: number,
    isComplete: boolean,
  ): void {
    const seenAt = this.#nextSeenAt(instance.name, at);
    for (let from = 0; from < projects.length; from += maxBatchSize) {
      this.#catalogue.nonDurableTransaction(() => {
        this.#storeAll(instance, projects.slice(from, from + maxBatchSize), seenAt);
      });
    }
    if (isComplete)
      this.#catalogue.transaction(() => this.#catalogue.run(noteRefreshedSql, instance.name, at));
  }

  listExportable(instance: string): Pick<Project, 'id' | 'fullPath'>[] {
    return this.#catalogue.rows(
      'projects',
      identityRow,
      `SELECT id, full_path AS fullPath FROM projects
         WHERE instance = ? AND coalesce(project ->> '$.accessLevel', 0) >= ?`,
      instance,
      maintainerAccessLevel,
    );
  }

  page(filter: ProjectFilter): { projects: ProjectRow[]; total: number } {
    return this.#pages.page(filter);
  }

  /** Returns the time of each list's last complete refresh, in epoch milliseconds. Omits lists without a refresh. */
  refreshTimes(): Map<string, number> {
    const sql = 'SELECT instance, refreshed_at AS refreshedAt FROM project_lists';
    const lists = this.#catalogue.rows('project_lists', listRow, sql);
    return new Map(lists.map(({ instance, refreshedAt }) => [instance, refreshedAt]));
  }

  statusCounts(): { instance: string; backupStatus: BackupStatus; projects: number }[] {
    const sql =
      'SELECT instance, standing, count(*) AS projects FROM project_rows GROUP BY instance, standing';
    return this.#catalogue
      .rows('project_rows', countRow, sql)
      .map(({ standing, ...read }) => ({ ...read, backupStatus: backupStatusOf(standing) }));
  }

  /** Returns projects without an archive that were imported after `importedSince` from a complete, present archive. */
  newCopies(importedSince: number): { instance: string; id: number }[] {
    const sql = newCopiesSql('p.instance, p.id');
    return this.#catalogue.rows('project_rows', newCopyRow, sql, { importedSince });
  }

  /**
   * `failedHeld` counts projects that have an archive, but whose newest backup failed. `oldestArchive` is the earliest
   * time of a newest archive, among projects that changed after it or whose newest backup failed.
   */
  backupCoverage(
    instance: string,
    importedSince: number,
  ): { failedHeld: number; newCopies: number; oldestArchive: string | null } {
    const failedHeld = this.#catalogue.count(
      `SELECT count(*) FROM project_rows
         WHERE instance = ? AND standing = ${statusIndexOf('failed')} AND newest IS NOT NULL`,
      instance,
    );
    const newCopies = this.newCopies(importedSince).filter((one) => one.instance === instance).length;
    const [oldest] = this.#catalogue.column(
      `SELECT backup FROM project_rows INDEXED BY project_rows_sort_backup
         WHERE backup IS NOT NULL AND instance = ? AND standing IN (${statusIndexOf('failed')}, ${statusIndexOf('changed')})
         ORDER BY backup LIMIT 1`,
      instance,
    ) as string[];
    return { failedHeld, newCopies, oldestArchive: oldest ?? null };
  }

  count(instance: string): number {
    return this.#catalogue.count('SELECT count(*) FROM project_rows WHERE instance = ?', instance);
  }

  /** Returns the projects with one of these ids; unknown ids are left out. */
  findByIds(instance: string, ids: readonly number[]): Pick<Project, 'id' | 'fullPath'>[] {
    return this.#catalogue.rows(
      'projects',
      identityRow,
      `SELECT p.id, p.full_path AS fullPath FROM json_each(@ids) e
         JOIN projects p ON p.instance = @instance AND p.id = e.value ORDER BY e.key`,
      { instance, ids: JSON.stringify(ids) },
    );
  }

  findByPath(instance: string, fullPath: string): Pick<Project, 'id' | 'fullPath' | 'name'> | null {
    return this.#catalogue.row(
      'projects',
      namedRow,
      `SELECT p.id, p.full_path AS fullPath, p.name FROM project_rows r
         JOIN projects p ON p.instance = r.instance AND p.id = r.id WHERE r.instance = ? AND r.path = ?`,
      instance,
      fullPath,
    );
  }

  /** Stores one project as the instance describes it now. Adds an unlisted one only with `addIfMissing`. */
  put(
    instance: { name: string; url: string },
    project: Project,
    { addIfMissing, at }: { addIfMissing: boolean; at: number },
  ): void {
    this.#catalogue.transaction(() => {
      const { name } = instance;
      if (!addIfMissing && this.findByIds(name, [project.id]).length === 0) return;
      // A running refresh must neither drop the new project nor restore its earlier state.
      this.#store(instance, project, this.#nextSeenAt(name, at));
    });
  }

  /** Removes a project that the instance no longer has, whatever a running refresh has read before. */
  drop(instance: string, id: number): void {
    for (const refresh of this.#refreshes) if (refresh.instance === instance) refresh.removedIds.add(id);
    this.#catalogue.transaction(() => {
      this.#remove(instance, id);
    });
  }

  /** Returns the holdings of any projects of the instance, in the given order. */
  backupSummariesOf(
    instance: { name: string; url: string },
    projects: readonly BackupStatusInput[],
  ): ProjectBackupSummary[] {
    return backupSummariesOf(this.#catalogue, instance, projects);
  }

  /** Stores that the same server has another address now. */
  setUrl(instance: string, url: string): void {
    const sql = 'UPDATE project_rows SET url = @url WHERE instance = @instance AND url <> @url';
    this.#catalogue.run(sql, { instance, url });
  }

  forget(instance: string): void {
    this.#catalogue.transaction(() => {
      for (const table of ['project_rows', 'projects', 'project_lists']) {
        this.#catalogue.run(`DELETE FROM ${table} WHERE instance = ?`, instance);
      }
    });
  }

  /** Grows with every refresh and every single change, even if the clock was set back. */
  #nextSeenAt(instance: string, at: number): number {
    const last = this.#catalogue.number('SELECT max(seen_at) FROM projects WHERE instance = ?', instance);
    return Math.max(at, (last ?? 0) + 1);
  }

  /** Looks up all projects with one query: in a first list none is stored, so one query for each would be wasted. */
  #storeAll(instance: { name: string; url: string }, projects: readonly Project[], seenAt: number): void {
    const idsAndPaths = projects.map(({ id, fullPath }) => [id, fullPath]);
    const knownIndexes = new Set(
      this.#catalogue.column(knownIndexesSql, {
        instance: instance.name,
        pairs: JSON.stringify(idsAndPaths),
      }),
    );
    const seenKeys = new Set<number | string>();
    for (const [index, project] of projects.entries()) {
      const { id } = project;
      const path = project.fullPath.toLowerCase();
      if (knownIndexes.has(index) || seenKeys.has(id) || seenKeys.has(path))
        this.#store(instance, project, seenAt);
      else this.#add(instance, project, seenAt);
      seenKeys.add(id).add(path);
    }
  }

  /**
   * A project with the path of another replaces it: the other may be listed later under its new path. A row that was
   * seen later stays.
   */
  #store(instance: { name: string; url: string }, project: Project, seenAt: number): void {
    const { name: instanceName, url } = instance;
    const { id, fullPath } = project;
    const existing = this.#catalogue.column(
      existingRowsSql,
      seenAt,
      instanceName,
      id,
      seenAt,
      instanceName,
      fullPath,
      id,
    );
    if (existing.includes('later')) return;
    for (const other of existing) if (typeof other === 'number') this.#remove(instanceName, other);
    if (!existing.includes('known')) {
      this.#add(instance, project, seenAt);
      return;
    }
    const [, ...values] = columnValuesOf(project);
    this.#catalogue.run(changeRowSql, url, ...values, instanceName, id, url, ...values);
    this.#put(instanceName, project, seenAt);
  }

  #add({ name: instanceName, url }: { name: string; url: string }, project: Project, seenAt: number): void {
    const [standing, ...values] = columnValuesOf(project);
    this.#catalogue.run(addRowSql, instanceName, project.id, standing, url, ...values);
    // Written last, because a trigger then finds the holdings of a new row.
    this.#put(instanceName, project, seenAt);
  }

  #put(instance: string, project: Project, seenAt: number): void {
    const { id, fullPath, name } = project;
    this.#catalogue.run(putProjectSql, instance, id, fullPath, name, JSON.stringify(project), seenAt);
  }

  #remove(instance: string, id: number): void {
    for (const table of ['project_rows', 'projects']) {
      this.#catalogue.run(`DELETE FROM ${table} WHERE instance = ? AND id = ?`, instance, id);
    }
  }
}

/**
 * Returns `known` or `later` for a stored project. For another project with the same path, returns `later` or its id.
 */
const existingRowsSql = `SELECT iif(seen_at > ?, 'later', 'known') FROM projects WHERE instance = ? AND id = ?
  UNION ALL SELECT iif(seen_at > ?, 'later', id) FROM projects WHERE instance = ? AND full_path = ? AND id <> ?`;

/** Returns the zero-based indexes of the pairs (`[[id, path], …]`) whose id or path is stored. */
const knownIndexesSql = `SELECT e.key FROM json_each(@pairs) e
  WHERE EXISTS (SELECT 1 FROM projects WHERE instance = @instance AND id = e.value ->> 0)
    OR EXISTS (SELECT 1 FROM projects WHERE instance = @instance AND full_path = e.value ->> 1)`;

const noteRefreshedSql = 'INSERT OR REPLACE INTO project_lists (instance, refreshed_at) VALUES (?, ?)';

const putProjectSql = `INSERT INTO projects (instance, id, full_path, name, project, seen_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (instance, id) DO UPDATE SET full_path = excluded.full_path, name = excluded.name,
    project = excluded.project, seen_at = excluded.seen_at`;

/** The column of the address, then the columns of `columnValuesOf` without the status. */
const columns = ['url', 'path', 'path_key', 'name_key', 'archived', 'size', 'activity', 'may_export'];
/** Uses no ON CONFLICT DO UPDATE, because the update triggers would then run too and take time. */
const addRowSql = `INSERT INTO project_rows (instance, id, standing, ${columns.join(', ')})
  VALUES (?, ?, ?, ${columns.map(() => '?').join(', ')})`;
/** An unchanged row is not written: each column is part of many indexes. */
const changeRowSql = `UPDATE project_rows SET ${columns.map((column) => `${column} = ?`).join(', ')}
  WHERE instance = ? AND id = ? AND (${columns.map((column) => `${column} IS NOT ?`).join(' OR ')})`;

/** The maximum number of projects in one transaction, so that other work does not wait for long. */
const maxBatchSize = 1000;

/**
 * Joins pages. Yields the first page alone, so that its projects appear early. Also yields the pages before a failure.
 */
async function* batchPages(
  pages: AsyncIterable<readonly Project[]> | Iterable<readonly Project[]>,
): AsyncGenerator<readonly Project[], void> {
  let batch: Project[] = [];
  let isFirst = true;
  try {
    for await (const page of pages) {
      batch.push(...page);
      if (!isFirst && batch.length < maxBatchSize) continue;
      isFirst = false;
      const fullBatch = batch;
      batch = [];
      yield fullBatch;
    }
  } catch (error) {
    yield batch;
    throw error;
  }
  yield batch;
}

/**
 * Returns the status of a project without archives, which a trigger corrects, then the columns for sorting and
 * filtering.
 */
function columnValuesOf(project: Project): (string | number | null)[] {
  const { fullPath, name, archived, repositorySizeBytes } = project;
  const activity = parseTime(project.lastActivityAt);
  const isAllowed = mayExport(project.accessLevel);
  return [
    backupStatuses.indexOf(isAllowed ? 'never' : 'not-allowed'),
    fullPath,
    foldCase(fullPath),
    foldCase(name),
    archived ? 1 : 0,
    repositorySizeBytes,
    activity === null ? null : isoTime(activity),
    isAllowed ? 1 : 0,
  ];
}
