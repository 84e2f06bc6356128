/** @file A port for changes of a project, with scripted replies. */
import type { UploadedFile } from '../../../src-contract/projects/change.ts';
import type { ProjectDetails, Upload } from '../../../src-contract/projects/project-details.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { RecordRow } from '../../../src-main/gitlab/projects/record-edits.ts';
import type { ProjectEditResult } from '../../../src-main/gitlab/projects/project-edit.ts';
import type { ChangePort } from '../../../src-main/jobs/projects/change-ports.ts';

type Answer = <T>(what: string, about: number | string, answer: () => T) => Promise<T>;

const unscripted = (): never => {
  throw new AppError('internal', 'The test scripts no reply to this call.');
};

/** Records every call as one of the instance, by the name of the method. */
export class FakeChanges implements ChangePort {
  readonly #answer: Answer;
  onDetails: (projectId: number) => ProjectDetails = unscripted;
  onCreate: (attributes: Readonly<Record<string, unknown>>) => ProjectEditResult = unscripted;
  onEdit: (attributes: Readonly<Record<string, unknown>>) => ProjectEditResult = unscripted;
  onFork: () => Project = unscripted;
  starred = false;
  onStar: (starred: boolean) => boolean = unscripted;
  onSetArchived: (archived: boolean) => void = unscripted;
  onDelete: (fullPath: string | null) => void = unscripted;
  onRestore: () => void = unscripted;
  onUpload: () => UploadedFile = unscripted;
  onRecord: (relation: string, key: string) => RecordRow | null = unscripted;
  onAddRecord: (relation: string, body: RecordRow) => void = unscripted;
  onEditRecord: (record: RecordRow, body: RecordRow) => RecordRow = unscripted;
  onUploads: () => Upload[] = () => [];

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  details(projectId: number): Promise<ProjectDetails> {
    return this.#answer('details', projectId, () => this.onDetails(projectId));
  }

  create({ namespace, attributes }: Parameters<ChangePort['create']>[0]): Promise<ProjectEditResult> {
    return this.#answer('create', namespace, () => this.onCreate(attributes));
  }

  edit(projectId: number, attributes: Readonly<Record<string, unknown>>): Promise<ProjectEditResult> {
    return this.#answer('edit', projectId, () => this.onEdit(attributes));
  }

  fork(projectId: number): Promise<Project> {
    return this.#answer('fork', projectId, () => this.onFork());
  }

  isStarred(projectId: number): Promise<boolean> {
    return this.#answer('starred', projectId, () => this.starred);
  }

  setStar(projectId: number, starred: boolean): Promise<boolean> {
    return this.#answer('star', projectId, () => this.onStar(starred));
  }

  createGroup({ parent, path }: Parameters<ChangePort['createGroup']>[0]): Promise<void> {
    const fullPath = parent === null ? path : `${parent}/${path}`;
    return this.#answer('create group', fullPath, () => undefined);
  }

  setArchived(projectId: number, archived: boolean): Promise<void> {
    return this.#answer('set archived', projectId, () => {
      this.onSetArchived(archived);
    });
  }

  delete(projectId: number, fullPath: string | null): Promise<void> {
    return this.#answer('delete', projectId, () => {
      this.onDelete(fullPath);
    });
  }

  restore(projectId: number): Promise<void> {
    return this.#answer('restore', projectId, () => {
      this.onRestore();
    });
  }

  upload(projectId: number): Promise<UploadedFile> {
    return this.#answer('upload', projectId, () => this.onUpload());
  }

  record(_projectId: number, relation: string, key: string): Promise<RecordRow | null> {
    return this.#answer('record', `${relation} ${key}`, () => this.onRecord(relation, key));
  }

  addRecord(_projectId: number, relation: string, body: RecordRow): Promise<void> {
    return this.#answer('add record', relation, () => {
      this.onAddRecord(relation, body);
    });
  }

  editRecord(_projectId: number, relation: string, record: RecordRow, body: RecordRow): Promise<RecordRow> {
    return this.#answer('edit record', relation, () => this.onEditRecord(record, body));
  }

  async *uploads(projectId: number): AsyncGenerator<Upload, void> {
    yield* await this.#answer('uploads', projectId, () => this.onUploads());
  }
}
