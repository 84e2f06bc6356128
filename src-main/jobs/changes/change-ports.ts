/** @file What jobs need of an instance to change a project there. Types only; every failure is an `AppError`. */
import type { UploadedFile } from '../../../src-contract/projects/change.ts';
import type { NotTaken } from '../../../src-contract/projects/project-attribute-answers.ts';
import type { ProjectDetails, Upload } from '../../../src-contract/projects/project-details.ts';
import type { Project } from '../../../src-contract/projects/project.ts';

export interface Edited {
  project: Project;
  /** What the instance accepted and did not take. */
  notTaken: NotTaken[];
}

/** By the specification's names; what does not fit is refused before anything is sent. */
export type Attributes = Readonly<Record<string, unknown>>;

export interface ForkRequest {
  /** Full path. */
  namespace: string;
  /** Null: as the source has it. */
  name: string | null;
  path: string | null;
  description: string | null;
  visibility: 'private' | 'internal' | 'public' | null;
  /** Only this one; null: all. */
  branches: string | null;
  mergeIntoItself: boolean | null;
}

/** Requests that change something are sent once each. [Note: POST is not idempotent] */
export interface ChangePort {
  details(projectId: number, signal: AbortSignal): Promise<ProjectDetails>;
  /** `forUser`: id of the user whose project it becomes; null: the account's own. `namespace` is a full path. */
  create(
    request: { namespace: string; forUser: number | null; attributes: Attributes },
    signal: AbortSignal,
  ): Promise<Edited>;
  edit(projectId: number, attributes: Attributes, signal: AbortSignal): Promise<Edited>;
  fork(projectId: number, request: ForkRequest, signal: AbortSignal): Promise<Project>;
  /** Whether the account has starred it. */
  isStarred(projectId: number, signal: AbortSignal): Promise<boolean>;
  /** False where it was so already. */
  setStar(projectId: number, starred: boolean, signal: AbortSignal): Promise<boolean>;
  /** Below `parent`, a full path; null for a top-level group. */
  createGroup(
    request: { parent: string | null; path: string; visibility: string },
    signal: AbortSignal,
  ): Promise<void>;
  setArchived(projectId: number, archived: boolean, signal: AbortSignal): Promise<void>;
  /** Marks it, or deletes it where the instance does not delay; with `fullPath` for good, one that is marked. */
  delete(projectId: number, fullPath: string | null, signal: AbortSignal): Promise<void>;
  restore(projectId: number, signal: AbortSignal): Promise<void>;
  upload(
    projectId: number,
    file: { path: string; sizeBytes: number },
    onProgress: (sentBytes: number) => void,
    signal: AbortSignal,
  ): Promise<UploadedFile>;
  /** Newest first. Needs GitLab 17.2 and the role Maintainer. */
  uploads(projectId: number, signal: AbortSignal): AsyncIterable<Upload>;
}
