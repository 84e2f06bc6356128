/** @file The calls by which jobs change a project on an instance. Types only; every failure is an `AppError`. */
import type { Change, UploadedFile } from '../../../src-contract/projects/change.ts';
import type { ProjectDetails, Upload } from '../../../src-contract/projects/project-details.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import type { EditableRelation, RecordRow } from '../../gitlab/projects/record-edits.ts';
import type { ProjectEditResult } from '../../gitlab/projects/project-edit.ts';

/** Attributes by their names in GitLab's API specification. Unknown or invalid ones are refused before the request. */
export type Attributes = Readonly<Record<string, unknown>>;

export type ForkRequest = Omit<Extract<Change, { kind: 'fork' }>, 'kind'> & { namespace: string };

/** Each request that changes something is sent once. [Note: POST is not idempotent] */
export interface ChangePort {
  details(projectId: number, signal: AbortSignal): Promise<ProjectDetails>;
  /** `forUser` is the id of the owner; null means the account itself. `namespace` is a full path. */
  create(
    request: { namespace: string; forUser: number | null; attributes: Attributes },
    signal: AbortSignal,
  ): Promise<ProjectEditResult>;
  edit(projectId: number, attributes: Attributes, signal: AbortSignal): Promise<ProjectEditResult>;
  fork(projectId: number, request: ForkRequest, signal: AbortSignal): Promise<Project>;
  /** Returns whether the account has starred the project. */
  isStarred(projectId: number, signal: AbortSignal): Promise<boolean>;
  /** Returns false if the project was already in that state. */
  setStar(projectId: number, starred: boolean, signal: AbortSignal): Promise<boolean>;
  /** `parent` is a full path; null creates a top-level group. */
  createGroup(
    request: { parent: string | null; path: string; visibility: string },
    signal: AbortSignal,
  ): Promise<void>;
  setArchived(projectId: number, archived: boolean, signal: AbortSignal): Promise<void>;
  /** Marks the project for deletion if that is delayed. With `fullPath`, permanently deletes a marked project. */
  delete(projectId: number, fullPath: string | null, signal: AbortSignal): Promise<void>;
  restore(projectId: number, signal: AbortSignal): Promise<void>;
  upload(
    projectId: number,
    file: { path: string; sizeBytes: number },
    onProgress: (sentBytes: number) => void,
    signal: AbortSignal,
  ): Promise<UploadedFile>;
  /** Returns a record of a relation by its number or name; null if the project has none. */
  record(
    projectId: number,
    relation: EditableRelation,
    key: string,
    signal: AbortSignal,
  ): Promise<RecordRow | null>;
  addRecord(
    projectId: number,
    relation: EditableRelation,
    body: RecordRow,
    signal: AbortSignal,
  ): Promise<void>;
  /** Edits the record that `record` returned, and returns it with its new values. */
  editRecord(
    projectId: number,
    relation: EditableRelation,
    record: RecordRow,
    body: RecordRow,
    signal: AbortSignal,
  ): Promise<RecordRow>;
  /** Lists the uploads, newest first. Requires GitLab 17.2 and the role Maintainer. */
  uploads(projectId: number, signal: AbortSignal): AsyncIterable<Upload>;
}
