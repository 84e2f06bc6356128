/** @file The project lists of the instances as last refreshed, with what is held of each, shown without the network. */
import { archiveSummarySchema, proofSchema } from '../../src-preload/contract/archive.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { mayExport, projectSchema, standings } from '../../src-preload/contract/project.ts';
import type { Project, ProjectRow, ProjectSort, Standing } from '../../src-preload/contract/project.ts';
import { z } from '../../src-preload/contract/schema.ts';
import { isoTime, parseTime } from '../platform/clock.ts';
import type { Catalogue } from './database.ts';
import { fold } from './fold.ts';
import { jsonColumn, readRow } from './rows.ts';

const numberRow = z.object({ number: z.number().int().nullable() });
const listRow = z.object({ instance: z.string(), refreshedAt: z.number() });
const standingRow = z.object({
  instance: z.string(),
  standing: z.number().int(),
  projects: z.number().int(),
});
const identityRow = projectSchema.pick({ id: true, fullPath: true });
const newestRow = z.object({
  id: z.string(),
  storedAt: z.string(),
  sizeBytes: z.number(),
  verdict: archiveSummarySchema.shape.verdict,
  proof: jsonColumn.pipe(proofSchema.nullable()),
  damaged: z.number(),
});
const pageRow = z.object({
  project: jsonColumn.pipe(projectSchema),
  instance: z.string(),
  standing: z.number().int(),
  archives: z.number().int(),
  newest: z.string().nullable(),
  openJob: z.string().nullable(),
});

export interface ProjectFilter {
  instance: string | null;
  /** Part of path or name, without regard to case. */
  search: string | null;
  standing: Standing | null;
  archived: boolean | null;
  sort: ProjectSort;
  descending: boolean;
  offset: number;
  limit: number;
}

export class ProjectList {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /**
   * Stores each page as it comes, in one transaction each. Projects that were not seen are dropped only after the last
   * page, so a refresh that breaks off loses nothing, and one that runs beside another drops nothing that the other saw.
   * @returns how many projects the list then holds.
   */
  async replace(
    instance: { name: string; url: string },
    pages: AsyncIterable<readonly Project[]> | Iterable<readonly Project[]>,
    at: number,
  ): Promise<number> {
    const { name } = instance;
    // Grows from one refresh to the next, also when the clock was set back.
    const seenAt = Math.max(
      at,
      (this.#number('SELECT max(seen_at) AS number FROM projects WHERE instance = ?', name) ?? 0) + 1,
    );
    for await (const page of pages) {
      this.#catalogue.transaction(() => {
        for (const project of page) this.#store(instance, project, seenAt);
      });
    }
    return this.#catalogue.transaction(() => {
      const unseen = 'SELECT id FROM projects WHERE instance = @name AND seen_at < @seenAt';
      this.#catalogue.run(`DELETE FROM project_rows WHERE instance = @name AND id IN (${unseen})`, {
        name,
        seenAt,
      });
      this.#catalogue.run('DELETE FROM projects WHERE instance = @name AND seen_at < @seenAt', {
        name,
        seenAt,
      });
      this.#catalogue.run(
        'INSERT OR REPLACE INTO project_lists (instance, refreshed_at) VALUES (?, ?)',
        name,
        at,
      );
      return this.count(name);
    });
  }

  /** A page of what matches, and how many match in all. The order is the same for every page; unknown values come last. */
  page(filter: ProjectFilter): { projects: ProjectRow[]; total: number } {
    const { sort, descending, offset, limit } = filter;
    const needle = fold(filter.search ?? '');
    // The sign keeps SQLite from an index that would have to be sorted.
    const where = [
      ...(filter.instance === null ? [] : ['+instance = @instance']),
      ...(filter.archived === null ? [] : ['+archived = @archived']),
      ...(filter.standing === null ? [] : ['+standing = @standing']),
      ...(needle === '' ? [] : ['(instr(path_key, @needle) > 0 OR instr(name_key, @needle) > 0)']),
    ];
    const parameters = {
      instance: filter.instance,
      archived: filter.archived === true ? 1 : 0,
      standing: filter.standing === null ? null : standings.indexOf(filter.standing),
      needle,
      few: null,
    };
    const few = needle === '' ? null : this.#few(where, parameters);
    const ask: Ask =
      few === null
        ? { sort, descending, from: `project_rows INDEXED BY project_rows_sort_${sort}`, where, parameters }
        : {
            sort,
            descending,
            from: 'project_rows',
            where: ['row IN (SELECT value FROM json_each(@few))'],
            parameters: { ...parameters, few: JSON.stringify(few) },
          };
    const total = few?.length ?? this.#count(where, parameters);
    return { projects: offset < total ? this.#read(this.#rows(ask, offset, limit)) : [], total };
  }

  /** When each list was last refreshed to its end, epoch milliseconds; a list that never was is absent. */
  refreshed(): Map<string, number> {
    const rows = this.#catalogue.all('SELECT instance, refreshed_at AS refreshedAt FROM project_lists');
    return new Map(
      rows.map((row) => {
        const { instance, refreshedAt } = readRow(listRow, row, 'project_lists');
        return [instance, refreshedAt];
      }),
    );
  }

  /** How many projects of each instance stand how; standings that none has are absent. */
  standings(): { instance: string; standing: Standing; projects: number }[] {
    const rows = this.#catalogue.all(
      'SELECT instance, standing, count(*) AS projects FROM project_rows GROUP BY instance, standing',
    );
    return rows.map((row) => {
      const read = readRow(standingRow, row, 'project_rows');
      return { ...read, standing: standingOf(read.standing) };
    });
  }

  count(instance: string): number {
    return this.#number('SELECT count(*) AS number FROM project_rows WHERE instance = ?', instance) ?? 0;
  }

  /** Who has one of these ids; others are left out. */
  withIds(instance: string, ids: readonly number[]): Pick<Project, 'id' | 'fullPath'>[] {
    const rows = this.#catalogue.all(
      `SELECT p.id, p.full_path AS fullPath FROM json_each(@ids) e
         JOIN projects p ON p.instance = @instance AND p.id = e.value ORDER BY e.key`,
      { instance, ids: JSON.stringify(ids) },
    );
    return rows.map((row) => readRow(identityRow, row, 'projects'));
  }

  /** The same server answers at another address from now on. */
  move(instance: string, url: string): void {
    this.#catalogue.run('UPDATE project_rows SET url = @url WHERE instance = @instance AND url <> @url', {
      instance,
      url,
    });
  }

  /** Forgets an instance that was removed. */
  forget(instance: string): void {
    this.#catalogue.transaction(() => {
      for (const table of ['project_rows', 'projects', 'project_lists']) {
        this.#catalogue.run(`DELETE FROM ${table} WHERE instance = ?`, instance);
      }
    });
  }

  /** All that match, where that is not many: sorting those is quicker than walking an index for them. */
  #few(where: string[], parameters: Parameters): number[] | null {
    const found = this.#catalogue.column(
      `SELECT row FROM project_rows NOT INDEXED ${whereClause(where)} LIMIT ${mostSorted + 1}`,
      parameters,
    ) as number[];
    return found.length > mostSorted ? null : found;
  }

  /** SQLite walks an index from its NULLs on; so that they come last, the known values are asked for first. */
  #rows(ask: Ask, offset: number, limit: number): number[] {
    const [key = ''] = sortKeys[ask.sort];
    if (ask.descending || !optional.has(key)) return this.#sorted(ask, [], offset, limit);
    const isKnown = `${key} IS NOT NULL`;
    const known = this.#sorted(ask, [isKnown], offset, limit);
    if (known.length === limit) return known;
    const before = this.#count([...ask.where, isKnown], ask.parameters);
    const rest = this.#sorted(ask, [`${key} IS NULL`], Math.max(0, offset - before), limit - known.length);
    return [...known, ...rest];
  }

  #sorted(ask: Ask, alsoWhere: string[], offset: number, limit: number): number[] {
    const order = sortKeys[ask.sort].map((key) => `${key} ${ask.descending ? 'DESC' : 'ASC'}`).join(', ');
    return this.#catalogue.column(
      `SELECT row FROM ${ask.from} ${whereClause([...ask.where, ...alsoWhere])}
         ORDER BY ${order} LIMIT @limit OFFSET @offset`,
      { ...ask.parameters, offset, limit },
    ) as number[];
  }

  #count(where: string[], parameters: Parameters): number {
    return this.#number(`SELECT count(*) AS number FROM project_rows ${whereClause(where)}`, parameters) ?? 0;
  }

  #read(numbers: number[]): ProjectRow[] {
    const rows = this.#catalogue.all(
      `SELECT p.project, r.instance, r.standing, r.archives, j.id AS openJob,
           CASE WHEN a.id IS NULL THEN NULL ELSE json_object('id', a.id, 'storedAt', a.stored_at,
             'sizeBytes', a.size_bytes, 'verdict', a.verdict, 'proof', a.proof, 'damaged', a.damaged IS NOT NULL) END AS newest
         FROM json_each(@numbers) e
         JOIN project_rows r ON r.row = e.value
         JOIN projects p ON p.instance = r.instance AND p.id = r.id
         LEFT JOIN archives a ON a.id = r.newest
         LEFT JOIN jobs j ON j.kind = 'export' AND j.instance = r.instance AND j.project = r.path COLLATE NOCASE
           AND j.status NOT IN ('succeeded', 'failed', 'cancelled', 'skipped')
         ORDER BY e.key`,
      { numbers: JSON.stringify(numbers) },
    );
    return rows.map((row) => {
      const { project, newest, standing, ...rest } = readRow(pageRow, row, 'projects');
      return {
        ...project,
        ...rest,
        standing: standingOf(standing),
        newestArchive: newest === null ? null : newestOf(newest),
      };
    });
  }

  /** A project that took the path of another replaces it: the other moved away and may come later under its new path. */
  #store(instance: { name: string; url: string }, project: Project, seenAt: number): void {
    const { id, fullPath } = project;
    const key = { instance: instance.name, id, fullPath };
    for (const [table, path] of [
      ['project_rows', 'path'],
      ['projects', 'full_path'],
    ] as const) {
      this.#catalogue.run(
        `DELETE FROM ${table} WHERE instance = @instance AND ${path} = @fullPath AND id <> @id`,
        key,
      );
    }
    this.#catalogue.run(
      `INSERT INTO projects (instance, id, full_path, name, project, seen_at)
         VALUES (@instance, @id, @fullPath, @name, @project, @seenAt)
         ON CONFLICT (instance, id) DO UPDATE SET full_path = excluded.full_path, name = excluded.name,
           project = excluded.project, seen_at = max(seen_at, excluded.seen_at)`,
      { ...key, name: project.name, project: JSON.stringify(project), seenAt },
    );
    // What did not change is not written: each column is part of many indexes.
    const columns = ['url', 'path', 'path_key', 'name_key', 'archived', 'size', 'activity', 'may_export'];
    const given = columns.map((column) => `@${column}`).join(', ');
    const taken = columns.map((column) => `${column} = excluded.${column}`).join(', ');
    const differ = columns.map((column) => `${column} IS NOT excluded.${column}`).join(' OR ');
    this.#catalogue.run(
      `INSERT INTO project_rows (instance, id, standing, ${columns.join(', ')})
         VALUES (@instance, @id, @standing, ${given})
         ON CONFLICT (instance, id) DO UPDATE SET ${taken} WHERE ${differ}`,
      { instance: instance.name, id, url: instance.url, ...columnsOf(project) },
    );
  }

  #number(sql: string, ...parameters: unknown[]): number | null {
    return readRow(numberRow, this.#catalogue.get(sql, ...parameters), 'projects').number;
  }
}

type Parameters = Record<string, string | number | null>;

/** Rows of `project_rows` to be found and put in order. */
interface Ask {
  sort: ProjectSort;
  descending: boolean;
  from: string;
  where: string[];
  parameters: Parameters;
}

const mostSorted = 2000;

const whereClause = (conditions: string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;

/** Columns that may hold no value. */
const optional = new Set(['activity', 'size', 'backup']);

const sortKeys: Record<ProjectSort, string[]> = {
  path: ['path_key', 'instance'],
  name: ['name_key', 'path_key', 'instance'],
  instance: ['instance', 'path_key'],
  activity: ['activity', 'path_key', 'instance'],
  size: ['size', 'path_key', 'instance'],
  standing: ['standing', 'path_key', 'instance'],
  backup: ['backup', 'path_key', 'instance'],
};

/** A new row stands as if nothing were held of it, until a trigger of the catalogue finds otherwise. */
function columnsOf(project: Project): Record<string, string | number | null> {
  const { fullPath, name } = project;
  const activity = parseTime(project.lastActivityAt);
  const isAllowed = mayExport(project.accessLevel);
  return {
    path: fullPath,
    path_key: fold(fullPath),
    name_key: fold(name),
    archived: project.archived ? 1 : 0,
    size: project.repositorySizeBytes,
    activity: activity === null ? null : isoTime(activity),
    may_export: isAllowed ? 1 : 0,
    standing: standings.indexOf(isAllowed ? 'never' : 'not-allowed'),
  };
}

function standingOf(stored: number): Standing {
  const standing = standings[stored];
  if (standing === undefined)
    throw new AppError('catalogue-damaged', `a standing is not recognised (${stored})`);
  return standing;
}

function newestOf(json: string): NonNullable<ProjectRow['newestArchive']> {
  const { proof, damaged, ...newest } = readRow(newestRow, JSON.parse(json), 'archives');
  return { ...newest, proof: proof?.level ?? null, damaged: damaged === 1 };
}
