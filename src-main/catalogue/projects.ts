/** @file The project lists of the instances as last refreshed, so that they can be shown without the network. */
import { projectSchema } from '../../src-preload/contract/project.ts';
import type { Project } from '../../src-preload/contract/project.ts';
import { z } from '../../src-preload/contract/schema.ts';
import type { Catalogue } from './database.ts';
import { jsonColumn, readRow } from './rows.ts';

const projectRow = z.object({ project: jsonColumn.pipe(projectSchema) });
const countRow = z.object({ total: z.number().int() });
const listRow = z.object({ refreshedAt: z.number() });

export interface ProjectPage {
  projects: Project[];
  /** What to pass as `after` for the next page; null when this is the last one. */
  next: string | null;
  /** How many projects match, over all pages. */
  total: number;
  /** Epoch milliseconds of the last complete refresh; null when there was none. */
  refreshedAt: number | null;
}

export class ProjectList {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /**
   * Stores each page as it comes, in one transaction each. Projects that were not seen are dropped only after the last
   * page, so a refresh that breaks off loses nothing. `at` must grow from one refresh to the next.
   */
  async replace(
    instance: string,
    pages: AsyncIterable<readonly Project[]> | Iterable<readonly Project[]>,
    at: number,
  ): Promise<void> {
    for await (const page of pages) {
      this.#catalogue.transaction(() => {
        for (const project of page) this.#insert(instance, project, at);
      });
    }
    this.#catalogue.transaction(() => {
      this.#catalogue.run('DELETE FROM projects WHERE instance = ? AND seen_at <> ?', instance, at);
      this.#catalogue.run(
        'INSERT OR REPLACE INTO project_lists (instance, refreshed_at) VALUES (?, ?)',
        instance,
        at,
      );
    });
  }

  /** By full path. `search` is a part of path or name; `after` is `next` of the previous page. */
  list(
    instance: string,
    filter: {
      search?: string | null | undefined;
      after?: string | null | undefined;
      limit: number;
    },
  ): ProjectPage {
    const { search, after = null, limit } = filter;
    const parameters = { instance, search: search ?? '', after, limit };
    const matching = `FROM projects WHERE instance = @instance
      AND (instr(lower(full_path), lower(@search)) > 0 OR instr(lower(name), lower(@search)) > 0)`;
    const projects = this.#catalogue
      .all(
        `SELECT project ${matching} AND (@after IS NULL OR full_path > @after) ORDER BY full_path LIMIT @limit`,
        parameters,
      )
      .map((row) => readRow(projectRow, row, 'projects').project);
    const { total } = readRow(
      countRow,
      this.#catalogue.get(`SELECT count(*) AS total ${matching}`, parameters),
      'projects',
    );
    const list = this.#catalogue.get(
      'SELECT refreshed_at AS refreshedAt FROM project_lists WHERE instance = ?',
      instance,
    );
    return {
      projects,
      next: projects.length === limit ? (projects.at(-1)?.fullPath ?? null) : null,
      total,
      refreshedAt: list === undefined ? null : readRow(listRow, list, 'project_lists').refreshedAt,
    };
  }

  /** Forgets an instance that was removed. */
  forget(instance: string): void {
    this.#catalogue.transaction(() => {
      this.#catalogue.run('DELETE FROM projects WHERE instance = ?', instance);
      this.#catalogue.run('DELETE FROM project_lists WHERE instance = ?', instance);
    });
  }

  /** A project that took the path of another replaces it: the other moved away and may come later under its new path. */
  #insert(instance: string, project: Project, at: number): void {
    this.#catalogue.run(
      `INSERT OR REPLACE INTO projects (instance, id, full_path, name, project, seen_at)
         VALUES (@instance, @id, @fullPath, @name, @project, @at)`,
      {
        instance,
        id: project.id,
        fullPath: project.fullPath,
        name: project.name,
        project: JSON.stringify(project),
        at,
      },
    );
  }
}
