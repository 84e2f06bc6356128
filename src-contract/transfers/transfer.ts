/**
 * @file The nouns *relation import* and *storage*: a bucket in S3-compatible storage from which archives are imported.
 */
import type { z } from '../schema.ts';
import type * as schemas from './transfer-schema.ts';

export type RelationImport = z.output<typeof schemas.relationImportSchema>;
export type Storage = z.output<typeof schemas.storageSchema>;
export type RelationImportResult = z.output<typeof schemas.relationImportResultSchema>;

/** The relations that GitLab can import separately (gitlab-facts 15.3). */
export const importableRelations = ['issues', 'milestones', 'ci_pipelines', 'merge_requests'] as const;
export type ImportableRelation = (typeof importableRelations)[number];

export const storageNamePattern = /^[a-z0-9][a-z0-9._-]{0,62}$/;
