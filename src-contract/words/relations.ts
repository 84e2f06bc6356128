/** @file The names of relations, and of the rows of a comparison, for people. */
import { upperFirst } from './first-letter.ts';

const known: Partial<Record<string, string>> = {
  issue_notes: 'comments on issues',
  merge_request_notes: 'comments on merge requests',
  ci_pipelines: 'pipelines',
  ci_cd_settings: 'CI/CD settings',
  project_members: 'members',
  lfs_objects: 'LFS objects',
  lfs_objects_size: 'LFS objects',
};

/** The name within a sentence: `merge_requests` is "merge requests". A relation without a name of its own is read from its key. */
export function relationText(relation: string): string {
  const words = known[relation] ?? relation.replaceAll('_', ' ').trim();
  return words === '' ? relation : words;
}

/** The name as a label: "Merge requests". */
export const relationLabel = (relation: string): string => upperFirst(relationText(relation));
