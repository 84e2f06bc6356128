/** @file The nouns *relation import* and *storage*: a place in S3-compatible storage that archives are imported from. */
import { z } from '../schema.ts';

/** The relations that GitLab imports alone (gitlab-facts 15.3). */
export const importableRelations = ['issues', 'milestones', 'ci_pipelines', 'merge_requests'] as const;
export type ImportableRelation = (typeof importableRelations)[number];

export const relationImportSchema = z.object({
  id: z.number().int(),
  projectPath: z.string(),
  relation: z.string(),
  status: z.enum(['created', 'started', 'finished', 'failed']),
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
});
export type RelationImport = z.infer<typeof relationImportSchema>;

export const storageNameRule = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** Coordinates that GitLab is given; the secret access key is in the keychain, never here. */
export const storageSchema = z.object({
  name: z
    .string()
    .max(63, 'use at most 63 characters')
    .regex(storageNameRule, 'use lower-case letters, digits, ".", "_" and "-"'),
  region: z.string().min(1).max(255),
  bucket: z.string().min(1).max(255),
  accessKeyId: z.string().min(1).max(255),
});
export type Storage = z.infer<typeof storageSchema>;

/** What came of importing one relation. `before` and `after` count the target; null where that could not be done. */
export const relationImportResultSchema = z.object({
  id: z.number().int(),
  relation: z.string(),
  fullPath: z.string(),
  inArchive: z.number().int(),
  before: z.number().int().nullable(),
  after: z.number().int().nullable(),
});
export type RelationImportResult = z.infer<typeof relationImportResultSchema>;
