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
  /** The caller's highest access level (10 Guest … 40 Maintainer, 50 Owner); null where the server did not say. */
  accessLevel: z.number().int().nullable(),
  repositorySizeBytes: z.number().nullable(),
  /** Day on which it was marked for deletion; null where it is not. */
  markedForDeletionOn: z.string().nullable().default(null),
});

/** The archives held of a project, and the job that is backing it up. */
export const projectBackupSummarySchema = z.object({
  backupStatus: z.enum(backupStatuses),
  /** True for one that was never backed up, but was imported in the last day from an archive that is kept: a new copy. */
  newCopy: z.boolean().optional(),
  archives: z.number().int(),
  newestArchive: z
    .object({
      id: z.string(),
      storedAt: z.string(),
      sizeBytes: z.number(),
      condition: z.enum(archiveConditions),
      /** The archive folder of the archive is not there. */
      absent: z.boolean(),
      proof: z.enum(proofLevels).nullable(),
    })
    .nullable(),
  /** Id of the job that is backing it up now, or is about to. */
  openJob: z.string().nullable(),
  /** Why that job waits; null where it does not. */
  waitsFor: z.enum(waitReasons).nullable(),
});

/** The fields of a project from which its backup status follows, together with the archives held of it. */
export const backupStatusInputSchema = projectSchema.pick({
  id: true,
  fullPath: true,
  lastActivityAt: true,
  accessLevel: true,
});

/** A project of an instance together with the archives held of it. */
export const projectRowSchema = projectSchema.extend({
  instance: z.string(),
  ...projectBackupSummarySchema.shape,
});
