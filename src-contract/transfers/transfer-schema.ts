/** @file The schemas of `transfer.ts`. */
import { z, schemaOf } from '../schema.ts';
import { type RelationImport, type Storage, type RelationImportResult, storageNameRule } from './transfer.ts';

export const relationImportSchema = schemaOf<RelationImport>()(
  z.object({
    id: z.number().int(),
    projectPath: z.string(),
    relation: z.string(),
    status: z.enum(['created', 'started', 'finished', 'failed']),
    createdAt: z.string().nullable(),
    updatedAt: z.string().nullable(),
  }),
);

export const storageSchema = schemaOf<Storage>()(
  z.object({
    name: z
      .string()
      .max(63, 'use at most 63 characters')
      .regex(storageNameRule, 'use lower-case letters, digits, ".", "_" and "-"'),
    region: z.string().min(1).max(255),
    bucket: z.string().min(1).max(255),
    accessKeyId: z.string().min(1).max(255),
  }),
);

export const relationImportResultSchema = schemaOf<RelationImportResult>()(
  z.object({
    id: z.number().int(),
    relation: z.string(),
    fullPath: z.string(),
    inArchive: z.number().int(),
    before: z.number().int().nullable(),
    after: z.number().int().nullable(),
  }),
);
