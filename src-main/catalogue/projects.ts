/** @file The project lists of the instances as last refreshed, so that they can be shown without the network. */
import { projectSchema } from '../../src-preload/contract/project.ts';
import type { Project } from '../../src-preload/contract/project.ts';
import { z } from '../../src-preload/contract/schema.ts';
import type { Catalogue } from './database.ts';
import { jsonColumn, readRow } from './rows.ts';

const projectRow = z.object({ project: jsonColumn.pipe(projectSchema), refreshedAt: z.number() });
const refreshedRow = z.object({ refreshedAt: z.number().nullable() });

/** `refreshedAt` in epoch milliseconds. */
export type ListedProject = Project & { refreshedAt: number };

export class ProjectList {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Adds or replaces a page of projects in one transaction. */
  upsert(instance: string, projects: readonly Project[], refreshedAt: number): void {
    this.#catalogue.transaction(() => {
      for (const project of projects) {
        this.#catalogue.run(
          `INSERT OR REPLACE INTO projects (instance, id, full_path, name, project, refreshed_at)
             VALUES (@instance, @id, @fullPath, @name, @project, @refreshedAt)`,
          {
            instance,
            id: project.id,
            fullPath: project.fullPath,
            name: project.name,
            project: JSON.stringify(project),
            refreshedAt,
          },
        );
      }
    });
  }

  /** Drops what a complete refresh that began at `since` did not see any more. */
  dropUnseen(instance: string, since: number): void {
    this.#catalogue.run('DELETE FROM projects WHERE instance = ? AND refreshed_at < ?', instance, since);
  }

  /** By full path. `search` is a part of path or name; `after` is the last project of the previous page. */
  list(
    instance: string,
    filter: {
      search?: string | undefined;
      limit: number;
      after?: Pick<Project, 'fullPath' | 'id'> | undefined;
    },
  ): ListedProject[] {
    const { search = '', limit, after } = filter;
    const rows = this.#catalogue.all(
      `SELECT project, refreshed_at AS refreshedAt FROM projects
         WHERE instance = @instance
           AND (instr(lower(full_path), lower(@search)) > 0 OR instr(lower(name), lower(@search)) > 0)
           AND (@fullPath IS NULL OR (full_path, id) > (@fullPath, @id))
         ORDER BY full_path, id LIMIT @limit`,
      { instance, search, limit, fullPath: after?.fullPath ?? null, id: after?.id ?? null },
    );
    return rows.map((row) => {
      const { project, refreshedAt } = readRow(projectRow, row, 'projects');
      return { ...project, refreshedAt };
    });
  }

  /** When the list of this instance was last refreshed; null when it never was. */
  refreshedAt(instance: string): number | null {
    const row = this.#catalogue.get(
      'SELECT max(refreshed_at) AS refreshedAt FROM projects WHERE instance = ?',
      instance,
    );
    return readRow(refreshedRow, row, 'projects').refreshedAt;
  }

  /** Forgets an instance that was removed. */
  forget(instance: string): void {
    this.#catalogue.run('DELETE FROM projects WHERE instance = ?', instance);
  }
}
