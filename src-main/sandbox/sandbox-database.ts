/** @file The state of one sandbox: users, namespaces, projects, and permissions. Holds no HTTP and no clock. */
import { hash } from 'node:crypto';
import type { ProjectContent } from './content/project-content.ts';
import type { Avatar } from './projects/avatar.ts';
import type { Loss } from './exporting/losses.ts';

export const roles = { none: 0, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;

export interface User {
  id: number;
  username: string;
  name: string;
  email: string;
  administrator: boolean;
  state: 'active' | 'blocked';
  /** True if other users cannot see the user's activity. */
  privateProfile: boolean;
  projectsLimit: number;
}

export interface Namespace {
  id: number;
  kind: 'group' | 'user';
  name: string;
  path: string;
  fullPath: string;
  parent: Namespace | null;
  visibility: Visibility;
  /** GitLab's `project_creation_level`. With `noone`, an import is refused with its own message. */
  projectCreation: 'maintainer' | 'noone';
  /** Access level by user id. */
  members: Map<number, number>;
  /** Titles and colours of group labels; projects list them, archives do not contain them. */
  labels: { id: number; title: string; color: string }[];
  /** Group milestones; projects list them only on request, and archives do not contain them. */
  milestones: { id: number; iid: number; title: string; createdAt: number }[];
  /** Iterations (Premium). Only groups have some, and archives name those of issues. */
  iterations: Iteration[];
}

export interface Iteration {
  id: number;
  iid: number;
  /** The title of its iteration cadence. */
  cadence: string;
  /** Calendar days, as in 2026-01-05. */
  startDate: string;
  dueDate: string;
  createdAt: number;
}

export const visibilities = ['private', 'internal', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

export interface ImportFailure {
  id: number;
  createdAt: number;
  exceptionClass: string;
  message: string;
  relation: string;
  line: number;
}

export type ImportStatus = 'none' | 'scheduled' | 'started' | 'finished' | 'failed';

/** A file attached to a project's Markdown. The project's content stores its bytes as `uploads/<secret>/<filename>`. */
export interface Upload {
  id: number;
  archiveMember: string;
  secret: string;
  filename: string;
  createdAt: number;
  /** Null if unknown, because the upload came with an archive. */
  uploaderId: number | null;
}

export interface Project {
  id: number;
  namespace: Namespace;
  path: string;
  name: string;
  description: string | null;
  visibility: Visibility;
  archived: boolean;
  defaultBranch: string | null;
  createdAt: number;
  updatedAt: number;
  lastActivityAt: number;
  creatorId: number;
  /** Direct members: access level by user id. */
  members: Map<number, number>;
  /** Start of membership by user id, for members added after the project was created; epoch milliseconds. */
  memberSince: Map<number, number>;
  /** Last day of membership by user id, for members with such a day. */
  memberUntil: Map<number, string>;
  markedForDeletionOn: string | null;
  /** True while the project is being deleted and already invisible. */
  pendingDelete: boolean;
  /** True if the instance hides the project. Only lists for administrators show it, on request. */
  hidden: boolean;
  repositoryChecksumFailed: boolean;
  wikiChecksumFailed: boolean;
  /** Attributes that requests to create or edit the project have set, by their current names. */
  attributes: Record<string, unknown>;
  topics: readonly string[];
  /** Time of each star, by user id. */
  stars: Map<number, number>;
  /** Access level by the id of a group it is shared with. */
  shares: Map<number, number>;
  contributors: Set<number>;
  forkOf: number | null;
  forks: Set<number>;
  /** The project's image, a file below the sandbox's temporary folder. */
  avatar: Avatar | null;
  /** Known uploads. Uploads of the content are added on first use. */
  uploads: Upload[];
  customAttributes: Map<string, string>;
  importStatus: ImportStatus;
  importType: string | null;
  importError: string | null;
  correlationId: string | null;
  /** Failures of the import, oldest first. The API shows the newest hundred. */
  importFailures: ImportFailure[];
  /** Numbers of the records of a relation from which records were removed, by relation. They determine ids. */
  rowNumbers: Map<string, number[]>;
  /** The highest iid that a relation has used, by relation, if that record may have been removed. */
  lastIids: Map<string, number>;
  content: () => ProjectContent;
  /** The content from which the API computes sizes; null if that is `content`. */
  statisticsContent: (() => ProjectContent) | null;
}

export type NewProject = Pick<
  Project,
  'namespace' | 'path' | 'name' | 'creatorId' | 'createdAt' | 'content'
> &
  Partial<Project>;

/** A moment of the work of a sandbox at which tests let people change the project. */
export type WorkMoment =
  /** The export was requested, and is not yet written. */
  | 'export-started'
  /** The archive was written. Later changes are not in it. */
  | 'export-ended'
  /** The import has stored everything. */
  | 'import-ended';
export type WorkListener = (moment: WorkMoment, project: Project) => void | Promise<void>;

export type NewUser = Pick<User, 'username' | 'name' | 'email' | 'administrator'> & Partial<User>;

export function fullPath(project: Project): string {
  return `${project.namespace.fullPath}/${project.path}`;
}

/** Returns a namespace and those that contain it, the nearest first. */
export function selfAndAncestors(namespace: Namespace): Namespace[] {
  return namespace.parent === null ? [namespace] : [namespace, ...selfAndAncestors(namespace.parent)];
}

/** Returns `count` lower-case hexadecimal digits that depend only on the text. */
export function hexDigest(text: string, count: number): string {
  return hash('sha512', text).slice(0, count);
}

export class SandboxDatabase {
  readonly users = new Map<number, User>();
  readonly namespaces = new Map<number, Namespace>();
  readonly projects = new Map<number, Project>();
  readonly losses: Loss[] = [];
  readonly workListeners: WorkListener[] = [];
  /** Visibilities that an import replaces with `private`. */
  readonly restrictedVisibilities = new Set<Visibility>();
  /** Topics that are or were in use, by lower-case name. */
  readonly topics = new Map<string, { id: number; name: string }>();
  readonly #byPath = new Map<string, Project>();
  readonly #redirects = new Map<string, number>();
  #lastId = 0;

  async reachMoment(moment: WorkMoment, project: Project): Promise<void> {
    for (const listener of this.workListeners) await listener(moment, project);
  }

  /** All kinds of rows share one growing sequence of ids, so a later row always has a higher id. */
  nextId(): number {
    return ++this.#lastId;
  }

  addUser(user: NewUser): User {
    const row: User = {
      id: this.nextId(),
      state: 'active',
      privateProfile: false,
      projectsLimit: 100_000,
      ...user,
    };
    this.users.set(row.id, row);
    const namespace = this.addNamespace({
      kind: 'user',
      name: row.name,
      path: row.username,
      visibility: 'public',
    });
    namespace.members.set(row.id, roles.owner);
    return row;
  }

  addNamespace(
    fields: Pick<Namespace, 'kind' | 'name' | 'path' | 'visibility'> & Partial<Namespace>,
  ): Namespace {
    const parent = fields.parent ?? null;
    const row: Namespace = {
      projectCreation: 'maintainer',
      members: new Map(),
      labels: [],
      milestones: [],
      iterations: [],
      ...fields,
      id: this.nextId(),
      parent,
      fullPath: parent === null ? fields.path : `${parent.fullPath}/${fields.path}`,
    };
    this.namespaces.set(row.id, row);
    return row;
  }

  addProject(fields: NewProject): Project {
    const row: Project = {
      description: null,
      visibility: 'private',
      archived: false,
      defaultBranch: null,
      updatedAt: fields.createdAt,
      lastActivityAt: fields.createdAt,
      members: new Map(),
      memberSince: new Map(),
      memberUntil: new Map(),
      markedForDeletionOn: null,
      pendingDelete: false,
      hidden: false,
      repositoryChecksumFailed: false,
      wikiChecksumFailed: false,
      attributes: {},
      topics: [],
      stars: new Map(),
      shares: new Map(),
      contributors: new Set([fields.creatorId]),
      forkOf: null,
      forks: new Set(),
      avatar: null,
      uploads: [],
      customAttributes: new Map(),
      importStatus: 'none',
      importType: null,
      importError: null,
      correlationId: null,
      importFailures: [],
      rowNumbers: new Map(),
      lastIids: new Map(),
      statisticsContent: null,
      ...fields,
      id: this.nextId(),
    };
    this.projects.set(row.id, row);
    if (row.forkOf !== null) this.projects.get(row.forkOf)?.forks.add(row.id);
    this.#registerPath(row);
    return row;
  }

  /** Changes a project's path and name; the old path is free again at once. */
  rename(project: Project, path: string, name: string): void {
    this.#byPath.delete(fullPath(project).toLowerCase());
    project.path = path;
    project.name = name;
    this.#registerPath(project);
  }

  /** Like `rename`, but requests for the old path are redirected. */
  renameWithRedirect(project: Project, path: string, name: string): void {
    const before = fullPath(project).toLowerCase();
    this.rename(project, path, name);
    if (this.projectAt(before) === undefined) this.#redirects.set(before, project.id);
  }

  removeProject(project: Project): void {
    this.#byPath.delete(fullPath(project).toLowerCase());
    this.projects.delete(project.id);
    if (project.forkOf !== null) this.projects.get(project.forkOf)?.forks.delete(project.id);
  }

  /** Gives the user another name. The user's own namespace is renamed, too. */
  renameUser(user: User, username: string): void {
    const namespace = this.personalNamespace(user);
    user.username = username;
    if (namespace !== undefined) namespace.path = namespace.fullPath = username;
  }

  projectAt(path: string): Project | undefined {
    return this.#byPath.get(path.toLowerCase());
  }

  redirectedProject(path: string): Project | undefined {
    const id = this.#redirects.get(path.toLowerCase());
    return id === undefined ? undefined : this.projects.get(id);
  }

  /** Registers the project by its path. An old path that is used again no longer redirects. */
  #registerPath(project: Project): void {
    const path = fullPath(project).toLowerCase();
    this.#byPath.set(path, project);
    this.#redirects.delete(path);
  }

  findOrCreateTopic(name: string): { id: number; name: string } {
    const key = name.toLowerCase();
    const known = this.topics.get(key);
    if (known !== undefined) return known;
    const topic = { id: this.nextId(), name };
    this.topics.set(key, topic);
    return topic;
  }

  user(idOrName: string): User | undefined {
    return /^\d+$/.test(idOrName) ? this.users.get(Number(idOrName)) : this.userByUsername(idOrName);
  }

  userByUsername(username: string): User | undefined {
    const wanted = username.toLowerCase();
    return [...this.users.values()].find((row) => row.username.toLowerCase() === wanted);
  }

  userWithEmail(email: unknown): User | undefined {
    return [...this.users.values()].find((row) => row.email === email);
  }

  personalNamespace(user: User): Namespace | undefined {
    return [...this.namespaces.values()].find((row) => row.kind === 'user' && row.path === user.username);
  }

  /** Finds a namespace by number, or by full path in any case. */
  namespace(idOrPath: string): Namespace | undefined {
    if (/^\d+$/.test(idOrPath)) return this.namespaces.get(Number(idOrPath));
    const wanted = idOrPath.toLowerCase();
    return [...this.namespaces.values()].find((row) => row.fullPath.toLowerCase() === wanted);
  }

  /** Returns the highest access level through a namespace and its ancestors; 0 for none. */
  namespaceRole(user: User, namespace: Namespace): number {
    return Math.max(...selfAndAncestors(namespace).map(({ members }) => members.get(user.id) ?? 0));
  }

  /**
   * Returns the highest access level as a member, also through a shared group. Ignores the rights of an administrator.
   */
  memberRole(user: User, project: Project): number {
    let level = Math.max(project.members.get(user.id) ?? 0, this.namespaceRole(user, project.namespace));
    for (const [id, maxLevel] of project.shares) {
      const group = this.namespaces.get(id);
      if (group !== undefined) level = Math.max(level, Math.min(maxLevel, this.namespaceRole(user, group)));
    }
    return level;
  }

  /** Returns the access level; an administrator has the highest. */
  role(user: User | null, project: Project): number {
    if (user === null) return roles.none;
    return user.administrator ? roles.owner : this.memberRole(user, project);
  }

  canRead(user: User | null, project: Project): boolean {
    if (project.visibility === 'public') return true;
    if (project.visibility === 'internal' && user !== null) return true;
    return this.role(user, project) > roles.none;
  }

  canCreateIn(user: User, namespace: Namespace): boolean {
    if (namespace.projectCreation === 'noone') return false;
    return user.administrator || this.namespaceRole(user, namespace) >= roles.maintainer;
  }

  canSeeNamespace(user: User | null, namespace: Namespace): boolean {
    if (namespace.visibility === 'public') return true;
    if (user === null) return false;
    const isMember = this.namespaceRole(user, namespace) > roles.none;
    return user.administrator || namespace.visibility === 'internal' || isMember;
  }
}
