/**
 * @file The state of one sandbox: users, namespaces, projects, and who may do what. Holds no HTTP and no time of its own.
 * Project content is made on first use, so ten thousand seeded projects cost only their rows.
 */
import { createHash } from 'node:crypto';
import type { ProjectContent } from './content/project-content.ts';

export const roles = { none: 0, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;

export interface User {
  id: number;
  username: string;
  name: string;
  email: string;
  administrator: boolean;
  state: 'active' | 'blocked';
}

export interface Namespace {
  id: number;
  kind: 'group' | 'user';
  name: string;
  path: string;
  fullPath: string;
  parent: Namespace | null;
  visibility: Visibility;
  /** GitLab's "allowed to create projects"; `noone` refuses imports with an own text. */
  projectCreation: 'maintainer' | 'noone';
  /** Access level by user id. */
  members: Map<number, number>;
  /** Titles and colours of group labels; projects list them, archives do not hold them. */
  labels: { id: number; title: string; color: string }[];
}

export type Visibility = 'private' | 'internal' | 'public';

export interface ImportFailure {
  id: number;
  createdAt: number;
  exceptionClass: string;
  relation: string;
  line: number;
}

export type ImportStatus = 'none' | 'scheduled' | 'started' | 'finished' | 'failed';

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
  markedForDeletionOn: string | null;
  importStatus: ImportStatus;
  importType: string | null;
  importError: string | null;
  correlationId: string | null;
  /** Oldest first; the API shows the newest hundred. */
  importFailures: ImportFailure[];
  content: () => ProjectContent;
}

/** What a new project is made from; everything else starts as on a real server. */
export type NewProject = Pick<
  Project,
  'namespace' | 'path' | 'name' | 'creatorId' | 'createdAt' | 'content'
> &
  Partial<Project>;

/** One thing that an export or import left out, whether the API tells it or not. */
export interface Loss {
  phase: 'export' | 'import';
  project: string;
  relation: string;
  /** Zero-based line in the relation's file. */
  line: number;
  part: 'record' | 'note';
  /** `fault` when it was scripted, otherwise the rule that refused it. */
  reason: string;
  /** Whether `failed_relations` lists it. */
  listed: boolean;
}

export function fullPath(project: Project): string {
  return `${project.namespace.fullPath}/${project.path}`;
}

/** `count` lower-case hexadecimal digits that depend on nothing but the text. */
export function hexOf(text: string, count: number): string {
  return createHash('sha512').update(text).digest('hex').slice(0, count);
}

export class World {
  readonly users = new Map<number, User>();
  readonly namespaces = new Map<number, Namespace>();
  readonly projects = new Map<number, Project>();
  readonly losses: Loss[] = [];
  readonly #byPath = new Map<string, Project>();
  #lastId = 0;

  /** Ids are shared by all kinds of rows and only ever grow, so a later row always has a higher id. */
  nextId(): number {
    return ++this.#lastId;
  }

  addUser(user: Omit<User, 'id' | 'state'> & Partial<User>): User {
    const row: User = { id: this.nextId(), state: 'active', ...user };
    this.users.set(row.id, row);
    const own = this.addNamespace({ kind: 'user', name: row.name, path: row.username, visibility: 'public' });
    own.members.set(row.id, roles.owner);
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
      markedForDeletionOn: null,
      importStatus: 'none',
      importType: null,
      importError: null,
      correlationId: null,
      importFailures: [],
      ...fields,
      id: this.nextId(),
    };
    this.projects.set(row.id, row);
    this.#byPath.set(fullPath(row).toLowerCase(), row);
    return row;
  }

  /** Gives a project another path and name; the old path is free again at once. */
  rename(project: Project, path: string, name: string): void {
    this.#byPath.delete(fullPath(project).toLowerCase());
    project.path = path;
    project.name = name;
    this.#byPath.set(fullPath(project).toLowerCase(), project);
  }

  removeProject(project: Project): void {
    this.#byPath.delete(fullPath(project).toLowerCase());
    this.projects.delete(project.id);
  }

  projectAt(path: string): Project | undefined {
    return this.#byPath.get(path.toLowerCase());
  }

  /** By number, or by full path in any case. */
  namespace(idOrPath: string): Namespace | undefined {
    if (/^\d+$/.test(idOrPath)) return this.namespaces.get(Number(idOrPath));
    const wanted = idOrPath.toLowerCase();
    return [...this.namespaces.values()].find((row) => row.fullPath.toLowerCase() === wanted);
  }

  /** Highest access level through a namespace and those above it; 0 for none. */
  namespaceRole(user: User, namespace: Namespace): number {
    let level = 0;
    for (let at: Namespace | null = namespace; at !== null; at = at.parent) {
      level = Math.max(level, at.members.get(user.id) ?? 0);
    }
    return level;
  }

  /** Highest access level as a member, direct or inherited; an administrator's power is not a membership. */
  memberRole(user: User, project: Project): number {
    return Math.max(project.members.get(user.id) ?? 0, this.namespaceRole(user, project.namespace));
  }

  /** What the user may do: an administrator everything. */
  role(user: User | null, project: Project): number {
    if (user === null) return roles.none;
    return user.administrator ? roles.owner : this.memberRole(user, project);
  }

  canRead(user: User | null, project: Project): boolean {
    if (project.visibility === 'public') return true;
    if (project.visibility === 'internal' && user !== null) return true;
    return this.role(user, project) > roles.none;
  }

  canSeeNamespace(user: User, namespace: Namespace): boolean {
    return (
      user.administrator ||
      namespace.visibility !== 'private' ||
      this.namespaceRole(user, namespace) > roles.none
    );
  }
}
