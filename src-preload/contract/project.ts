/** @file The noun *project*: what lists and details show of a project on an instance. */
import { z } from './schema.ts';

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
});
export type Project = z.infer<typeof projectSchema>;
