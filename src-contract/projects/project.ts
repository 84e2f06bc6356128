/** @file The noun *project*: the fields of a project on an instance that lists and details show. */
import type { z } from '../schema.ts';
import type * as schemas from './project-schema.ts';

export type Project = z.output<typeof schemas.projectSchema>;
export type ProjectBackupSummary = z.output<typeof schemas.projectBackupSummarySchema>;
export type BackupStatusInput = z.output<typeof schemas.backupStatusInputSchema>;
export type ProjectRow = z.output<typeof schemas.projectRowSchema>;

/** The access level of the role Maintainer, the lowest one that may export a project. */
export const maintainerAccessLevel = 40;

/** Returns whether the role is high enough for an export. True for an unknown role, so that the export is tried. */
export const mayExport = (accessLevel: number | null): boolean =>
  accessLevel === null || accessLevel >= maintainerAccessLevel;

/**
 * Returns whether the project is marked for deletion. GitLab renames such a project, and shows the date only to some
 * roles.
 */
export const isMarkedForDeletion = ({
  fullPath,
  markedForDeletionOn,
}: Pick<Project, 'fullPath' | 'markedForDeletionOn'>): boolean =>
  markedForDeletionOn !== null || /-deletion_scheduled-\d+$/.test(fullPath);

/** Returns whether the text can be the last part of a project's address. */
export const isProjectPath = (path: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(path);

/** Returns a project path to propose for an export file of Packhorse or GitLab, derived from the file name only. */
export const suggestProjectPath = (file: string): string =>
  (file.split(/[\\/]/).at(-1) ?? file)
    .replace(/(_export)?\.(tar\.gz|tgz|gz)$/, '')
    // GitLab puts the time before the name.
    .replace(/^\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{3}_/, '')
    .replace(/^[._-]+|[._-]+$/g, '');

/**
 * The backup status of a project, worst first, derived from the catalogue only. The first four describe the newest
 * archive. `absent`: its folder does not exist at the moment; `damaged`: it changed or cannot be read; `incomplete`: it
 * lacks records that the project had; `suspicious`: it contains something that no export should. `failed`: the newest
 * backup failed, and no newer archive is stored; `never`: there is no readable archive; `changed`: the project had
 * activity since the newest archive; `current`: it had none; `not-allowed`: the account's role is too low for an
 * export.
 */
export const backupStatuses = [
  'absent',
  'damaged',
  'incomplete',
  'suspicious',
  'failed',
  'never',
  'changed',
  'current',
  'not-allowed',
] as const;
export type BackupStatus = (typeof backupStatuses)[number];

/** Filters of the project list. `never` excludes new copies (see `newCopy`), which have their own filter. */
export const backupStatusFilters = [...backupStatuses, 'new-copy'] as const;
export type BackupStatusFilter = (typeof backupStatusFilters)[number];

export const projectSorts = [
  'path',
  'name',
  'instance',
  'activity',
  'size',
  'backupStatus',
  'backup',
] as const;
export type ProjectSort = (typeof projectSorts)[number];
