/** @file The state of a sandbox for tests and for users, and the only way to change its content without the API. */
import { isoTime, type Clock } from '../platform/clock.ts';
import {
  encodeRecords,
  notesOf,
  recordsOf,
  refsOf,
  singleRecordRelations,
  type JsonRecord,
} from './content/project-content.ts';
import type { Loss } from './exporting/losses.ts';
import { ProjectEdits } from './projects/project-edits.ts';
import {
  fullPath,
  type Namespace,
  type Project,
  type SandboxDatabase,
  type Visibility,
  type WorkMoment,
} from './sandbox-database.ts';

type RowFields =
  'id' | 'name' | 'description' | 'visibility' | 'archived' | 'creatorId' | 'importStatus' | 'importError';

export interface ProjectState extends Pick<Project, RowFields> {
  fullPath: string;
  /** All failures, oldest first, including those that the API no longer shows. */
  importFailures: { relation: string; line: number; exceptionClass: string }[];
  /** Attributes that were set, by their current names. */
  attributes: Record<string, unknown>;
  /** Records of each collection, including system notes. */
  relations: Record<string, JsonRecord[]>;
  /** Bytes of each relation's file, including the relations in `singleRecordRelations`. */
  relationBytes: Record<string, Buffer>;
  /** Numbers of non-system notes on issues and on merge requests. */
  notes: { issues: number; merge_requests: number };
  branches: string[];
  tags: string[];
  /** Names of the archive members outside `tree/`. */
  otherFiles: string[];
}

type HiddenFields = Pick<
  Project,
  | 'hidden'
  | 'pendingDelete'
  | 'repositoryChecksumFailed'
  | 'wikiChecksumFailed'
  | 'updatedAt'
  | 'lastActivityAt'
>;

export class SandboxState {
  readonly #database: SandboxDatabase;
  readonly #clock: Clock;

  constructor(database: SandboxDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Full paths of all projects, oldest first. */
  get paths(): string[] {
    return [...this.#database.projects.values()].map(fullPath);
  }

  /** All losses of exports and imports so far, whether `failed_relations` lists them or not. */
  get losses(): readonly Loss[] {
    return this.#database.losses;
  }

  async project(path: string): Promise<ProjectState> {
    const project = this.#find(path);
    const content = project.content();
    const collections = [...content.relations.keys()].filter((name) => !singleRecordRelations.has(name));
    const refs = await refsOf(content);
    const userNotes = (relation: string): number =>
      recordsOf(content, relation)
        .flatMap(notesOf)
        .filter((note) => note['system'] !== true).length;
    const { id, name, description, visibility, archived, creatorId, importStatus, importError } = project;
    return {
      ...{ id, name, description, visibility, archived, creatorId, importStatus, importError },
      fullPath: fullPath(project),
      importFailures: project.importFailures.map(({ relation, line, exceptionClass }) => ({
        relation,
        line,
        exceptionClass,
      })),
      attributes: { ...project.attributes },
      relations: Object.fromEntries(collections.map((name) => [name, recordsOf(content, name)])),
      relationBytes: Object.fromEntries(content.relations),
      notes: { issues: userNotes('issues'), merge_requests: userNotes('merge_requests') },
      branches: refs.branches.map((ref) => ref.name),
      tags: refs.tags.map((ref) => ref.name),
      otherFiles: [...content.otherFiles.keys()].sort(),
    };
  }

  /** Adds a record to a project like a user's change; updates `last_activity_at`. */
  append(path: string, relation: string, record: JsonRecord): void {
    const project = this.#find(path);
    const { relations } = project.content();
    const bytes = relations.get(relation) ?? Buffer.alloc(0);
    relations.set(relation, Buffer.concat([bytes, encodeRecords([record])]));
    project.updatedAt = project.lastActivityAt = this.#clock.now();
  }

  /** Returns the changes that people make to the project. */
  edits(path: string): ProjectEdits {
    return new ProjectEdits(this.#find(path), this.#database, this.#clock);
  }

  /** Restricts a visibility for all projects, or limits it for those of a group. Throws if there is no such group. */
  limitVisibility(limit: { restricted: Visibility } | { group: string; to: Visibility }): void {
    if ('restricted' in limit) this.#database.restrictedVisibilities.add(limit.restricted);
    else this.#group(limit.group).visibility = limit.to;
  }

  /** Adds a milestone to a group. Throws if there is no such group. */
  addGroupMilestone(group: string, title: string): void {
    const { milestones } = this.#group(group);
    const createdAt = this.#clock.now();
    milestones.push({ id: this.#database.nextId(), iid: milestones.length + 1, title, createdAt });
  }

  /** Adds an iteration of a week to a group. Throws if there is no such group. */
  addIteration(group: string, cadence: string, startDate: string): void {
    const { iterations } = this.#group(group);
    const dueDate = isoTime(Date.parse(startDate) + 6 * 86_400_000).slice(0, 10);
    const createdAt = this.#clock.now();
    const id = this.#database.nextId();
    iterations.push({ id, iid: iterations.length + 1, cadence, startDate, dueDate, createdAt });
  }

  hasIterations(group: string): boolean {
    return this.#group(group).iterations.length > 0;
  }

  hasUser(username: string): boolean {
    return this.#database.userByUsername(username) !== undefined;
  }

  renameUser(username: string, newName: string): void {
    const user = this.#database.userByUsername(username);
    if (user === undefined) throw new Error(`The sandbox has no ${username}.`);
    this.#database.renameUser(user, newName);
  }

  /** Calls the listener at each moment of an export or import, which waits until the listener ends. */
  onWork(listener: (moment: WorkMoment, path: string) => void | Promise<void>): void {
    this.#database.workListeners.push((moment, project) => listener(moment, fullPath(project)));
  }

  change(path: string, fields: Partial<HiddenFields>): void {
    Object.assign(this.#find(path), fields);
  }

  #group(path: string): Namespace {
    const group = [...this.#database.namespaces.values()].find(({ fullPath: at }) => at === path);
    if (group === undefined) throw new Error(`There is no group ${path}.`);
    return group;
  }

  #find(path: string): Project {
    const project = this.#database.projectAt(path);
    if (project === undefined) throw new Error(`The sandbox has no project ${path}.`);
    return project;
  }
}
