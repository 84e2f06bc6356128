/** @file The nouns *relation import* and *storage*: a place in S3-compatible storage that archives are imported from. */

/** The relations that GitLab imports alone (gitlab-facts 15.3). */
export const importableRelations = ['issues', 'milestones', 'ci_pipelines', 'merge_requests'] as const;
export type ImportableRelation = (typeof importableRelations)[number];

export interface RelationImport {
  id: number;
  projectPath: string;
  relation: string;
  status: 'created' | 'started' | 'finished' | 'failed';
  createdAt: string | null;
  updatedAt: string | null;
}

export const storageNameRule = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** Coordinates that GitLab receives; the secret access key is in the keychain, never here. */
export interface Storage {
  name: string;
  region: string;
  bucket: string;
  accessKeyId: string;
}

/**
 * The result of importing one relation. `before` and `after` count the target; null where that could not be
 * done.
 */
export interface RelationImportResult {
  id: number;
  relation: string;
  fullPath: string;
  inArchive: number;
  before: number | null;
  after: number | null;
}
