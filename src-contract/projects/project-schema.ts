/** @file The schemas of `project.ts`. */
import { archiveConditions } from '../archives/archive-quality.ts';
import { proofLevels } from '../archives/archive.ts';
import { waitReasons } from '../runs/wait-reasons.ts';
import { z } from '../schema.ts';
import { backupStatuses } from './project.ts';

export const projectSchema = z.object({
  id: z.number().int(),
  fullPath: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  visibility: z.string().nullable(),
  archived: z.boolean(),
  defaultBranch: z.string().nullable(),
  emptyRepository: z.boolean(),
  webUrl: z.string(),
  createdAt: z.string().nullable(),
  lastActivityAt: z.string().nullable(),
  creatorId: z.number().int().nullable(),
  importStatus: z.string().nullable(),
  importType: z.string().nullable(),
  /** The caller's highest access level (10 Guest … 40 Maintainer, 50 Owner); null if the server did not report it. */
  accessLevel: z.number().int().nullable(),
  repositorySizeBytes: z.number().nullable(),
  /** Day on which it was marked for deletion; null if it is not. */
  markedForDeletionOn: z.string().nullable().default(null),
});

/** The backup status of a project, its archives, and the job that backs it up. */
export const projectBackupSummarySchema = z.object({
  backupStatus: z.enum(backupStatuses),
  /** True for a new copy: a project without a backup that was imported in the last day from a stored archive. */
  newCopy: z.boolean().optional(),
  archives: z.number().int(),
  newestArchive: z
    .object({
      id: z.string(),
      storedAt: z.string(),
      sizeBytes: z.number(),
      condition: z.enum(archiveConditions),
      /** True if the folder of the archive does not exist at the moment. */
      absent: z.boolean(),
      proof: z.enum(proofLevels).nullable(),
    })
    .nullable(),
  /** Id of the open job that backs the project up. */
  openJob: z.string().nullable(),
  /** Why that job waits; null if it does not wait. */
  waitsFor: z.enum(waitReasons).nullable(),
});

/** The fields of a project that determine its backup status, together with its archives. */
export const backupStatusInputSchema = projectSchema.pick({
  id: true,
  fullPath: true,
  lastActivityAt: true,
  accessLevel: true,
});

/** A project of an instance with its backup status and archives. */
export const projectRowSchema = projectSchema.extend({
  instance: z.string(),
  ...projectBackupSummarySchema.shape,
});
