/** @file The noun *project*: the fields of a project on an instance that lists and details show. */
import type { z } from '../schema.ts';
import type * as schemas from './project-schema.ts';

export type Project = z.output<typeof schemas.projectSchema>;
export type ProjectBackupSummary = z.output<typeof schemas.projectBackupSummarySchema>;
export type BackupStatusInput = z.output<typeof schemas.backupStatusInputSchema>;
export type ProjectRow = z.output<typeof schemas.projectRowSchema>;

/** The lowest role that may export a project. */
export const maintainerAccessLevel = 40;

/** Whether the role is high enough for an export; an unknown role is tried. */
export const mayExport = (accessLevel: number | null): boolean =>
  accessLevel === null || accessLevel >= maintainerAccessLevel;

/** Whether GitLab is about to delete the project. GitLab renames such a project, and shows the day only to some roles. */
export const isMarkedForDeletion = ({
  fullPath,
  markedForDeletionOn,
}: Pick<Project, 'fullPath' | 'markedForDeletionOn'>): boolean =>
  markedForDeletionOn !== null || /-deletion_scheduled-\d+$/.test(fullPath);

/** Whether the text can be the last part of a project's address. */
export const isProjectPath = (path: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(path);

/** Returns the path to propose for the project in an export file of Packhorse or GitLab, by the file's name alone. */
export const suggestProjectPath = (file: string): string =>
  (file.split(/[\\/]/).at(-1) ?? file)
    .replace(/(_export)?\.(tar\.gz|tgz|gz)$/, '')
    // GitLab puts the time before the name.
    .replace(/^\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{3}_/, '')
    .replace(/^[._-]+|[._-]+$/g, '');

/**
 * The backup status of a project, from the catalogue alone, worst first. `absent`, `damaged`, `incomplete`:
 * the folder of its newest archive is not there, the archive changed or cannot be read, or it lacks records
 * that the project had; `suspicious`: it holds what no export should; `failed`: its newest backup failed and
 * nothing newer is stored; `never`: no readable archive; `changed`: activity since the newest archive;
 * `current`: none since; `not-allowed`: the account's role is too low for an export.
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

/** Filters of a list. `never` leaves new copies out, which the overview counts apart: see `newCopy`. */
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
