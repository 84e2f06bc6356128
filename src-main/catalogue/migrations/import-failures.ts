/**
 * @file Every failed relation that any poll of an import listed. GitLab lists only the newest hundred, and deletes them
 * later.
 */
import { maxListedFailures } from '../../../src-contract/bounds.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import type { FailureState, RecordName, UnlistedFailures } from '../../../src-contract/migrations/failure.ts';
import { failureGroupSchema, importFailureSchema } from '../../../src-contract/migrations/failure-schema.ts';
import type { Failure } from '../../../src-contract/transfers/import.ts';
import { failureSchema } from '../../../src-contract/transfers/import-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { jsonColumn, whereClause } from '../rows.ts';

export type FailureFilter = Omit<ParsedRequest<'failure.list'>, 'offset' | 'limit'>;

const storedRow = importFailureSchema.extend({
  archivePath: z.string().nullable(),
  firstSeenAt: z.number(),
  changedAt: z.number(),
  record: jsonColumn.pipe(importFailureSchema.shape.record),
});
/** Times are epoch milliseconds. */
export type StoredFailure = z.infer<typeof storedRow>;

/** The import to which failures belong. */
export type ImportReference = Pick<
  StoredFailure,
  'importJob' | 'instance' | 'project' | 'projectId' | 'archiveId' | 'archivePath'
>;

const groupRow = failureGroupSchema.omit({ meaning: true, advice: true });

/** Each gap is a list that may have left failures out. Its column `unseen` has their estimated number. */
const gapsRow = z.object({ gapCount: z.number().int(), unlistedCount: z.number().int().nullable() });

const failureColumns = `f.server_id AS id, f.created_at AS createdAt, f.exception_class AS exceptionClass,
  f.exception_message AS exceptionMessage, f.source, f.relation, f.line`;
const columns = `${failureColumns}, CAST(f.ref AS TEXT) AS ref, f.import_job AS importJob, f.instance, f.project,
  f.project_id AS projectId, f.archive_id AS archiveId, f.archive_path AS archivePath, f.first_seen AS firstSeenAt,
  f.state, f.note, f.changed_at AS changedAt, f.record,
  (SELECT m.migration_id FROM migration_projects m WHERE m.import_job = f.import_job) AS migrationId`;
/** SQL condition for an open failure `f`: it is not accepted, and its record is not known to exist. */
export const openFailureCondition = `f.state IN ('open', 'retried')`;

/**
 * The condition of each filter. `where` joins only those of the given filters, so that SQLite finds the index for them.
 */
const conditions = {
  migration: `f.import_job IN (SELECT import_job FROM migration_projects WHERE migration_id = @migration)`,
  instance: 'f.instance = @instance',
  project: 'f.project = @project',
  state: 'f.state = @state',
  search: `(instr(fold(ifnull(f.record ->> '$.title', '')), fold(@search)) > 0
    OR CAST(f.record ->> '$.iid' AS TEXT) = @search OR instr(fold(f.project), fold(@search)) > 0)`,
  relation: 'f.relation = @relation',
  exceptionClass: 'f.exception_class = @exceptionClass',
} satisfies Record<keyof FailureFilter, string>;
type Condition = keyof typeof conditions;
const importConditions: readonly Condition[] = ['migration', 'instance', 'project'];

const where = (filter: FailureFilter, names: readonly Condition[]): string =>
  whereClause(names.filter((name) => filter[name] !== null).map((name) => conditions[name]));

export class ImportFailures extends CatalogueTable {
  /**
   * Adds the failures that a poll of the import listed; known failures keep their state. If a list of maximum length
   * starts after all known failures, some may be cut off. Ids grow over time, and ids of other rows of the instance lie
   * between those of one import. The number of unlisted failures in the gap is therefore estimated from the share of
   * failures among the ids of the list. Without an earlier list the gap has no start, and the number is unknown.
   * @returns all known failures of the import, oldest first.
   */
  addListed(reference: ImportReference, listed: readonly Failure[], at: number): Failure[] {
    if (listed.length > 0) {
      this.catalogue.transaction(() => {
        const newest = this.#newestId(reference.importJob);
        for (const failure of listed) this.#add(reference, failure, at);
        if (listed.length >= maxListedFailures) this.#noteGap(reference.importJob, newest, listed);
      });
    }
    return this.#failures('f.import_job = ?', reference.importJob);
  }

  moveToImportJob(from: string, to: string): void {
    this.catalogue.transaction(() => {
      for (const table of ['import_failures', 'import_failure_gaps']) {
        const sql = `UPDATE OR IGNORE ${table} SET import_job = @to WHERE import_job = @from`;
        this.catalogue.run(sql, { from, to });
      }
    });
  }

  /** Returns the open failures, ordered by the server's id. */
  listOpen(importJob: string): Failure[] {
    return this.#failures(`f.import_job = ? AND ${openFailureCondition}`, importJob);
  }

  unlisted(importJob: string): UnlistedFailures {
    return this.#unlisted('= @importJob', { importJob });
  }

  findByImport(importJob: string): StoredFailure[] {
    return this.#select('WHERE f.import_job = @importJob ORDER BY f.relation, f.line, f.server_id', {
      importJob,
    });
  }

  setRecordNames(importJob: string, records: ReadonlyMap<number, RecordName>): void {
    this.catalogue.transaction(() => {
      for (const [id, record] of records) {
        this.catalogue.run(
          'UPDATE import_failures SET record = @record WHERE import_job = @importJob AND server_id = @id',
          { importJob, id, record: JSON.stringify(record) },
        );
      }
    });
  }

  /** Returns failures, newest import first, then by relation and line, with totals over all matches. */
  list(
    filter: FailureFilter,
    { offset, limit }: { offset: number; limit: number },
  ): {
    failures: StoredFailure[];
    total: number;
    /** Groups by relation and exception. They ignore the filters for relation and exception. */
    groups: z.infer<typeof groupRow>[];
  } & UnlistedFailures {
    const all: readonly Condition[] = [...importConditions, 'state', 'search', 'relation', 'exceptionClass'];
    const whereSql = where(filter, all);
    const failures = this.#select(
      `${whereSql} ORDER BY f.import_job DESC, f.relation, f.line, f.server_id LIMIT @limit OFFSET @offset`,
      { ...filter, limit, offset },
    );
    const groups = this.catalogue.rows(
      'import_failures',
      groupRow,
      `SELECT f.relation, f.exception_class AS exceptionClass, count(*) AS total,
           count(*) FILTER (WHERE ${openFailureCondition}) AS open
         FROM import_failures f ${where(filter, [...importConditions, 'state', 'search'])}
         GROUP BY f.relation, f.exception_class ORDER BY total DESC, f.relation, f.exception_class`,
      filter,
    );
    const matchingGroups = groups.filter(
      ({ relation, exceptionClass }) =>
        (filter.relation === null || relation === filter.relation) &&
        (filter.exceptionClass === null || exceptionClass === filter.exceptionClass),
    );
    const importsCondition = `IN (SELECT f.import_job FROM import_failures f ${where(filter, importConditions)})`;
    return {
      failures,
      total: matchingGroups.reduce((sum, { total }) => sum + total, 0),
      groups,
      ...this.#unlisted(importsCondition, filter),
    };
  }

  /** Throws `failure-missing`. */
  get(ref: string): StoredFailure {
    const where = 'WHERE f.ref = CAST(@ref AS INTEGER) AND CAST(f.ref AS TEXT) = @ref';
    const [found] = this.#select(where, { ref });
    if (found !== undefined) return found;
    throw new AppError('failure-missing', `There is no failure ${ref}.`, { details: { failure: ref } });
  }

  /**
   * Accepts failures, or opens them again, all or none. A resolved failure cannot be accepted and keeps its state.
   * Throws `failure-missing`.
   */
  setState(refs: readonly string[], state: 'accepted' | 'open', note: string | null, at: number): number {
    return this.catalogue.transaction(() => {
      let changed = 0;
      for (const ref of new Set(refs)) {
        const failure = this.get(ref);
        if (failure.state === state && failure.note === note) continue;
        if (failure.state === 'resolved' && state === 'accepted') continue;
        this.#set(ref, state, note, at);
        changed += 1;
      }
      return changed;
    });
  }

  /** Marks failures whose relation is imported again: their state is unknown from now on. Null `lines`: every line. */
  markRetried(importJob: string, relation: string, lines: readonly number[] | null, at: number): void {
    const lineSet = lines === null ? null : new Set(lines);
    this.catalogue.transaction(() => {
      for (const { ref, relation: failureRelation, line, state, note } of this.findByImport(importJob)) {
        if (failureRelation !== relation || state !== 'open' || line === null) continue;
        if (lineSet === null || lineSet.has(line)) this.#set(ref, 'retried', note, at);
      }
    });
  }

  /** Updates open and retried failures, except in `relationsInProgress`; `recordExists` returns null if unknown. */
  applyComparison(
    importJob: string,
    relationsInProgress: ReadonlySet<string>,
    recordExists: (relation: string, line: number) => boolean | null,
    at: number,
  ): void {
    this.catalogue.transaction(() => {
      for (const { ref, relation, line, state, note } of this.findByImport(importJob)) {
        if (relation === null || line === null || relationsInProgress.has(relation)) continue;
        if (state !== 'open' && state !== 'retried') continue;
        const exists = recordExists(relation, line);
        if (exists === true) this.#set(ref, 'resolved', note, at);
        else if (exists === false && state === 'retried') this.#set(ref, 'open', note, at);
      }
    });
  }

  #failures(condition: string, importJob: string): Failure[] {
    const sql = `SELECT ${failureColumns} FROM import_failures f WHERE ${condition} ORDER BY f.server_id`;
    return this.catalogue.rows('import_failures', failureSchema, sql, importJob);
  }

  #select(whereSql: string, parameters: object): StoredFailure[] {
    const sql = `SELECT ${columns} FROM import_failures f ${whereSql}`;
    return this.catalogue.rows('import_failures', storedRow, sql, parameters);
  }

  #newestId(importJob: string): number | null {
    const sql = 'SELECT max(server_id) FROM import_failures WHERE import_job = ?';
    return this.catalogue.number(sql, importJob);
  }

  #add(reference: ImportReference, failure: Failure, at: number): void {
    this.catalogue.run(
      `INSERT OR IGNORE INTO import_failures (import_job, instance, project, project_id, archive_id, archive_path, server_id,
         created_at, exception_class, exception_message, source, relation, line, first_seen, changed_at)
       VALUES (@importJob, @instance, @project, @projectId, @archiveId, @archivePath, @id,
         @createdAt, @exceptionClass, @exceptionMessage, @source, @relation, @line, @at, @at)`,
      { ...reference, ...failure, at },
    );
  }

  #noteGap(importJob: string, newestBefore: number | null, listed: readonly Failure[]): void {
    const ids = listed.map(({ id }) => id);
    const [oldest, newest] = [Math.min(...ids), Math.max(...ids)];
    if (newestBefore !== null && oldest <= newestBefore + 1) return;
    const failuresPerId = newest === oldest ? 1 : (listed.length - 1) / (newest - oldest);
    const unlistedCount =
      newestBefore === null ? null : Math.round((oldest - newestBefore - 1) * Math.min(1, failuresPerId));
    this.catalogue.run(
      'INSERT OR IGNORE INTO import_failure_gaps (import_job, oldest_listed, unseen) VALUES (@importJob, @oldest, @unlistedCount)',
      { importJob, oldest, unlistedCount },
    );
  }

  #unlisted(importsCondition: string, parameters: object): UnlistedFailures {
    const [found] = this.catalogue.rows(
      'import_failure_gaps',
      gapsRow,
      `SELECT count(*) AS gapCount, iif(count(unseen) < count(*), NULL, sum(unseen)) AS unlistedCount
         FROM import_failure_gaps WHERE import_job ${importsCondition}`,
      parameters,
    );
    return {
      hasUnlisted: found !== undefined && found.gapCount > 0,
      unlistedCount: found?.unlistedCount ?? null,
    };
  }

  #set(ref: string, state: FailureState, note: string | null, at: number): void {
    this.catalogue.run(
      'UPDATE import_failures SET state = @state, note = @note, changed_at = @at WHERE ref = CAST(@ref AS INTEGER)',
      { ref, state, note, at },
    );
  }
}
