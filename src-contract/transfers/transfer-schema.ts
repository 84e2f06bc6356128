/** @file The schemas of `transfer.ts`. */
import { z } from '../schema.ts';
import { storageNamePattern } from './transfer.ts';

export const relationImportSchema = z.object({
  id: z.number().int(),
  projectPath: z.string(),
  relation: z.string(),
  status: z.enum(['created', 'started', 'finished', 'failed']),
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
});

/** The location and access key id that GitLab receives. The secret access key is in the keychain, never here. */
export const storageSchema = z.object({
  name: z
    .string()
    .max(63, 'use at most 63 characters')
    .regex(storageNamePattern, 'use lower-case letters, digits, ".", "_" and "-"'),
  region: z.string().min(1).max(255),
  bucket: z.string().min(1).max(255),
  accessKeyId: z.string().min(1).max(255),
});

/**
 * The result of importing one relation. `before` and `after` are the counts on the target; null if they could not be
 * counted. `missingIids`: numbers of archived records that the project still lacks; null if not every archived record was looked
 * up, and no missing one is known.
 */
export const relationImportResultSchema = z.object({
  id: z.number().int(),
  relation: z.string(),
  fullPath: z.string(),
  inArchive: z.number().int(),
  before: z.number().int().nullable(),
  after: z.number().int().nullable(),
  missingIids: z.array(z.number().int()).nullable().default(null),
});
