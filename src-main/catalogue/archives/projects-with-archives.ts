/** @file The projects with stored archives, including those that no instance lists any more. */
import { z } from '../../../src-contract/schema.ts';
import type { Catalogue } from '../database.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { foldCase } from '../projects/fold.ts';
import { readRow } from '../rows.ts';
import { archiveColumns, archiveFromRow, type IndexedArchive, type RootLocations } from './archive-rows.ts';

const projectRow = z.object({ projectId: z.number().int(), fullPath: z.string() });
const holdingRow = z.object({ archives: z.number().int(), bytes: z.number() });

export class ProjectsWithArchives extends CatalogueTable {
  readonly #roots: RootLocations;

  constructor(catalogue: Catalogue, roots: RootLocations) {
    super(catalogue);
    this.#roots = roots;
  }

  /** Returns a page of projects by path, each with its newest archive. `search` is a part of the path. */
  page({ search, offset, limit }: { search: string | null; offset: number; limit: number }): {
    projects: { archives: number; bytes: number; newest: IndexedArchive }[];
    total: number;
  } {
    const needle = foldCase(search ?? '');
    const matching = `FROM archives INDEXED BY archives_newest
      WHERE is_newest = 1 ${needle === '' ? '' : 'AND instr(path_key, @needle) > 0'}`;
    const same = 'FROM archives b WHERE b.instance_url = n.instance_url AND b.project_id = n.project_id';
    const rows = this.catalogue.all(
      `SELECT ${archiveColumns}, (SELECT count(*) ${same}) AS archives, (SELECT total(b.size_bytes) ${same}) AS bytes
         FROM archives n
         WHERE id IN (SELECT id ${matching} ORDER BY path_key, instance_url, id LIMIT @limit OFFSET @offset)
         ORDER BY path_key, instance_url, id`,
      { needle, offset, limit },
    );
    return {
      projects: rows.map((row) => {
        const { archives, bytes } = readRow(holdingRow, row, 'archives');
        return { archives, bytes, newest: archiveFromRow(row, this.#roots) };
      }),
      total: this.catalogue.count(`SELECT count(*) ${matching}`, { needle }),
    };
  }

  /**
   * Returns the projects of one instance with archives and a known id, by path. A moved project occurs under each of
   * its paths.
   */
  projectsOf(instance: { name: string; url: string }): { projectId: number; fullPath: string }[] {
    return this.catalogue.rows(
      'archives',
      projectRow,
      `SELECT DISTINCT project_id AS projectId, full_path AS fullPath FROM archives
         WHERE instance_url = @url AND instance_name = @name AND project_id >= 0 ORDER BY path_key, full_path, project_id`,
      instance,
    );
  }

  countArchivesOf(instanceUrl: string, projectId: number): number {
    return this.catalogue.count(
      'SELECT count(*) FROM archives WHERE instance_url = ? AND project_id = ?',
      instanceUrl,
      projectId,
    );
  }
}
