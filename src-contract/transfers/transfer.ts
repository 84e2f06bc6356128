/** @file The nouns *relation import* and *storage*: a place in S3-compatible storage that archives are imported from. */
import type { z } from '../schema.ts';
import type * as schemas from './transfer-schema.ts';

export type RelationImport = z.output<typeof schemas.relationImportSchema>;
export type Storage = z.output<typeof schemas.storageSchema>;
export type RelationImportResult = z.output<typeof schemas.relationImportResultSchema>;

/** The relations that GitLab imports alone (gitlab-facts 15.3). */
export const importableRelations = ['issues', 'milestones', 'ci_pipelines', 'merge_requests'] as const;
export type ImportableRelation = (typeof importableRelations)[number];

export const storageNamePattern = /^[a-z0-9][a-z0-9._-]{0,62}$/;
