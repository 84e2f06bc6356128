/** @file The noun *change*: one request that changes something on an instance, carried out once and kept. */
import type { Project } from './project.ts';
import type { IgnoredAttribute } from './not-taken.ts';

/** Attributes by the names of the specification; lists as lists, hashes as objects. Read with `project-attributes.ts`. */
export interface Attributes {
  avatar?: unknown;
  [key: string]: unknown;
}

/** Changes that a person can ask for; an export that is pushed elsewhere is asked for with `export.start`. */
export type RequestedChange =
  /** `forUser`: id of the user whose project it becomes; administrators only. */
  | { kind: 'create'; namespace: string | null; forUser: number | null; attributes: Attributes }
  | { kind: 'edit'; attributes: Attributes }
  /** `branches`: only this one; null: all. The job waits until the copy is complete. */
  | {
      kind: 'fork';
      namespace: string | null;
      name: string | null;
      path: string | null;
      description: string | null;
      visibility: 'private' | 'internal' | 'public' | null;
      branches: string | null;
      mergeIntoItself: boolean | null;
    }
  | { kind: 'star' }
  | { kind: 'unstar' }
  | { kind: 'set-archived'; archived: boolean }
  /** `permanently`: only a project that is marked for deletion already. */
  | { kind: 'delete'; permanently: boolean }
  | { kind: 'restore' }
  /** Absolute path of the file, and its size when it was chosen. */
  | { kind: 'upload'; file: string; sizeBytes: number };

export type Change =
  | RequestedChange
  /** Asks for an export without storing it here. `pushTo.address` is without its query, which may be a secret. */
  | {
      kind: 'export';
      description: string | null;
      pushTo: { address: string; method: 'PUT' | 'POST' } | null;
    }
  /** A group that a migration needs. `parent` is a full path, null for a top-level group. */
  | {
      kind: 'create-group';
      parent: string | null;
      path: string;
      visibility: 'private' | 'internal' | 'public';
    }
  /**
   * For a source that was migrated: the mark as archived, and a line in its description with the address of
   * the new place.
   */
  | { kind: 'mark-as-moved'; archive: boolean; newPlace: string | null };

/** The effects of a change, as far as words differ; see `doneBy`. */
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
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export function changeKindOf(change: Change): ChangeKind {
  if (change.kind === 'delete' && change.permanently) return 'delete-permanently';
  if (change.kind === 'set-archived' && !change.archived) return 'unset-archived';
  return change.kind;
}

export interface ChangeInput {
  change: Change;
  /** The project at the time of the request; null for one that is to be created. */
  projectId: number | null;
  /**
   * The key under which the whole address is kept in memory where a part of it is a secret: of a push, or of
   * `import_url` with a name and password. Null where there is none. The key does not say which work is done.
   */
  secret: string | null;
  /**
   * The opposite was requested, and no response came: it may still take effect, so a project in the wanted state is
   * not yet proof.
   */
  inDoubt?: boolean | undefined;
}

/**
 * `url` and `markdown` are null where the response was lost: GitLab sends them once, and its list of uploads
 * lacks them.
 */
export interface UploadedFile {
  /** Null before GitLab 17.3. */
  id: number | null;
  name: string;
  url: string | null;
  markdown: string | null;
}

/**
 * Days between marking and the end, unless an instance is set otherwise, which it reports to nobody
 * (gitlab-facts 2.2).
 */
export const usualDeletionDays = 30;

/** The result of a change. `changed` false: the project was so already. */
export interface ChangeResult {
  changed: boolean;
  /** The project afterwards; null where it is gone. */
  project: Project | null;
  /** Attributes that the server accepted and did not apply, as on a tier that lacks them. */
  notTaken: IgnoredAttribute[];
  /**
   * For a deletion that can be undone: when it was marked, and the day on which it is final with the usual
   * delay.
   */
  deletion: { markedOn: string; finalOn: string } | null;
  uploaded: UploadedFile | null;
}
