/** @file Pages of the stored project lists: filtered, sorted, with the backup summary of each project. */
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { projectSchema } from '../../../src-contract/projects/project-schema.ts';
import { backupStatuses } from '../../../src-contract/projects/project.ts';
import type { ProjectRow, ProjectSort, BackupStatusFilter } from '../../../src-contract/projects/project.ts';
import { z } from '../../../src-contract/schema.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { foldCase } from './fold.ts';
import {
  backupSummaryColumns,
  backupSummaryRow,
  backupSummaryJoins,
  toBackupSummary,
} from './project-holdings.ts';
import { newCopiesSql } from './new-copies.ts';
import { jsonColumn, whereClause } from '../rows.ts';

const pageRow = backupSummaryRow.extend({ project: jsonColumn.pipe(projectSchema), instance: z.string() });

export interface ProjectFilter extends ParsedRequest<'project.page'> {
  /** Only projects that were imported after this time count as new copies; epoch milliseconds. */
  importedSince: number;
}

export class ProjectPages extends CatalogueTable {
  /** Returns a page of the matches, and their total number. Unknown values come last. */
  page(filter: ProjectFilter): { projects: ProjectRow[]; total: number } {
    const { sort, descending, offset, limit } = filter;
    const needle = foldCase(filter.search ?? '');
    // The unary plus keeps SQLite from using an index whose rows it would then have to sort.
    const where = [
      ...(filter.instance === null ? [] : ['+instance = @instance']),
      ...(filter.archived === null ? [] : ['+archived = @archived']),
      ...backupStatusClauses(filter.backupStatus),
      ...(needle === '' ? [] : ['(instr(path_key, @needle) > 0 OR instr(name_key, @needle) > 0)']),
    ];
    const parameters = {
      instance: filter.instance,
      archived: filter.archived === true ? 1 : 0,
      standing: backupStatuses.findIndex((status) => status === filter.backupStatus),
      copies: asksForCopies(filter.backupStatus) ? this.#newCopies(filter.importedSince) : null,
      needle,
      few: null,
    };
    const fewRows = needle === '' ? null : this.#findIfFew(where, parameters);
    const query: RowQuery = {
      ...{ sort, descending, from: `project_rows INDEXED BY ${sortIndex(sort)}`, where, parameters },
      ...(fewRows !== null && {
        from: 'project_rows',
        where: ['row IN (SELECT value FROM json_each(@few))'],
        parameters: { ...parameters, few: JSON.stringify(fewRows) },
      }),
    };
    const total = fewRows?.length ?? this.#count(where, parameters);
    return { projects: offset < total ? this.#read(this.#rows(query, offset, limit)) : [], total };
  }

  #newCopies(importedSince: number): string {
    return JSON.stringify(this.catalogue.column(newCopiesSql('p.row'), { importedSince }));
  }

  /** Returns all matches if there are few, because sorting few rows is faster than walking an index; else null. */
  #findIfFew(where: string[], parameters: Parameters): number[] | null {
    const found = this.catalogue.column(
      `SELECT row FROM project_rows NOT INDEXED ${whereClause(where)} LIMIT ${maxSorted + 1}`,
      parameters,
    ) as number[];
    return found.length > maxSorted ? null : found;
  }

  /** SQLite returns NULLs of an index first. To put them last, the known values are read first. */
  #rows(query: RowQuery, offset: number, limit: number): number[] {
    const [key = ''] = sortKeys[query.sort];
    if (query.descending || !nullableKeys.has(key)) return this.#sortedRows(query, [], offset, limit);
    const knownCondition = `${key} IS NOT NULL`;
    const knownRows = this.#sortedRows(query, [knownCondition], offset, limit);
    if (knownRows.length === limit) return knownRows;
    const knownCount = this.#count([...query.where, knownCondition], query.parameters);
    const rest = this.#sortedRows(
      query,
      [`${key} IS NULL`],
      Math.max(0, offset - knownCount),
      limit - knownRows.length,
    );
    return [...knownRows, ...rest];
  }

  #sortedRows(query: RowQuery, extraWhere: string[], offset: number, limit: number): number[] {
    const order = sortKeys[query.sort].map((key) => `${key} ${query.descending ? 'DESC' : 'ASC'}`).join(', ');
    return this.catalogue.column(
      `SELECT row FROM ${query.from} ${whereClause([...query.where, ...extraWhere])}
         ORDER BY ${order} LIMIT @limit OFFSET @offset`,
      { ...query.parameters, offset, limit },
    ) as number[];
  }

  #count(where: string[], parameters: Parameters): number {
    return this.catalogue.count(`SELECT count(*) FROM project_rows ${whereClause(where)}`, parameters);
  }

  #read(numbers: number[]): ProjectRow[] {
    const rows = this.catalogue.rows(
      'projects',
      pageRow,
      `SELECT p.project, r.instance, r.standing, r.archives, ${backupSummaryColumns}
         FROM json_each(@numbers) e
         JOIN project_rows r ON r.row = e.value
         JOIN projects p ON p.instance = r.instance AND p.id = r.id
         ${backupSummaryJoins('r')}
         ORDER BY e.key`,
      { numbers: JSON.stringify(numbers) },
    );
    return rows.map(({ project, instance, ...summary }) => ({
      ...project,
      instance,
      ...toBackupSummary(summary),
    }));
  }
}

type Parameters = Record<string, string | number | null>;

interface RowQuery {
  sort: ProjectSort;
  descending: boolean;
  from: string;
  where: string[];
  parameters: Parameters;
}

const asksForCopies = (status: BackupStatusFilter | null): boolean =>
  status === 'never' || status === 'new-copy';

function backupStatusClauses(status: BackupStatusFilter | null): string[] {
  if (status === null) return [];
  const copies = 'IN (SELECT value FROM json_each(@copies))';
  if (status === 'new-copy') return [`row ${copies}`];
  return ['+standing = @standing', ...(status === 'never' ? [`row NOT ${copies}`] : [])];
}

const maxSorted = 2000;

const nullableKeys = new Set(['activity', 'size', 'backup']);

/** The stored column of the backup status is called `standing`. */
const sortIndex = (sort: ProjectSort): string =>
  `project_rows_sort_${sort === 'backupStatus' ? 'standing' : sort}`;

const sortKeys: Record<ProjectSort, string[]> = {
  path: ['path_key', 'instance'],
  name: ['name_key', 'path_key', 'instance'],
  instance: ['instance', 'path_key'],
  activity: ['activity', 'path_key', 'instance'],
  size: ['size', 'path_key', 'instance'],
  backupStatus: ['standing', 'path_key', 'instance'],
  backup: ['backup', 'path_key', 'instance'],
};
