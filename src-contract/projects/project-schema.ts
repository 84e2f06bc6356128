/** @file The schemas of `project.ts`. */
import { archiveConditions } from '../archives/archive-quality.ts';
import { proofLevels } from '../archives/archive.ts';
import { waitReasons } from '../runs/wait-reasons.ts';
import { z, schemaOf } from '../schema.ts';
import {
  type Project,
  type ProjectHoldings,
  type JudgedProject,
  type ProjectRow,
  backupStatuses,
} from './project.ts';

export const projectSchema = schemaOf<Project>()(
  z.object({
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
    accessLevel: z.number().int().nullable(),
    repositorySizeBytes: z.number().nullable(),
    markedForDeletionOn: z.string().nullable().default(null),
  }),
);

export const projectHoldingsSchema = schemaOf<ProjectHoldings>()(
  z.object({
    backupStatus: z.enum(backupStatuses),
    newCopy: z.boolean().optional(),
    archives: z.number().int(),
    newestArchive: z
      .object({
        id: z.string(),
        storedAt: z.string(),
        sizeBytes: z.number(),
        condition: z.enum(archiveConditions),
        absent: z.boolean(),
        proof: z.enum(proofLevels).nullable(),
      })
      .nullable(),
    openJob: z.string().nullable(),
    waitsFor: z.enum(waitReasons).nullable(),
  }),
);

export const judgedProjectSchema = schemaOf<JudgedProject>()(
  projectSchema.pick({
    id: true,
    fullPath: true,
    lastActivityAt: true,
    accessLevel: true,
  }),
);

export const projectRowSchema = schemaOf<ProjectRow>()(
  projectSchema.extend({
    instance: z.string(),
    ...projectHoldingsSchema.shape,
  }),
);
