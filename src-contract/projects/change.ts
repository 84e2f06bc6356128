/** @file The noun *change*: one request that changes something on an instance, sent once and stored. */
import type { z } from '../schema.ts';
import type * as schemas from './change-schema.ts';

export type Change = z.output<typeof schemas.changeSchema>;
export type ChangeInput = z.output<typeof schemas.changeInputSchema>;
export type UploadedFile = z.output<typeof schemas.uploadedFileSchema>;
export type ChangeResult = z.output<typeof schemas.changeResultSchema>;

/** The effects of a change that have their own words; see `src-contract/words/work.ts`. */
export const changeKinds = [
  'create',
  'edit',
  'fork',
  'star',
  'unstar',
  'set-archived',
  'unset-archived',
  'delete',
  'delete-permanently',
  'restore',
  'upload',
  'export',
  'mark-as-moved',
  'create-group',
  'repair',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export function changeKindOf(change: Change): ChangeKind {
  if (change.kind === 'delete' && change.permanently) return 'delete-permanently';
  if (change.kind === 'set-archived' && !change.archived) return 'unset-archived';
  return change.kind;
}

/**
 * GitLab's default number of days from marking a project for deletion to deleting it. An instance may have another
 * delay, which it does not report (gitlab-facts 2.2).
 */
export const defaultDeletionDelayDays = 30;
