/** @file Projects and the namespaces that hold them: lists, details, and the newest id as a watermark. */
import type { Project } from '../../src-preload/contract/project.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { z } from '../../src-preload/contract/schema.ts';
import type { InstanceClient } from './client.ts';
import { keysetPages, offsetPages, toldTotal } from './pages.ts';

const accessSchema = z.object({ access_level: z.number().int() }).nullish();

/** Which fields come depends on the caller's role and the server's version (gitlab-facts 2.1); only identity is certain. */
const projectWire = z.object({
  id: z.number().int(),
  name: z.string(),
  path_with_namespace: z.string(),
  description: z.string().nullish(),
  visibility: z.string().nullish(),
  archived: z.boolean().nullish(),
  default_branch: z.string().nullish(),
  empty_repo: z.boolean().nullish(),
  web_url: z.string(),
  created_at: z.string().nullish(),
  last_activity_at: z.string().nullish(),
  creator_id: z.number().int().nullish(),
  import_status: z.string().nullish(),
  import_type: z.string().nullish(),
  permissions: z.object({ project_access: accessSchema, group_access: accessSchema }).nullish(),
  statistics: z.object({ repository_size: z.number().nullish() }).nullish(),
});

const namespaceWire = z.object({
  id: z.number().int(),
  name: z.string(),
  full_path: z.string(),
  kind: z.string(),
});

export interface ProjectFilter {
  /** Only projects the user is a member of; true unless said otherwise. */
  membership?: boolean;
  search?: string;
  /** 40 Maintainer, 50 Owner. */
  minAccessLevel?: number;
  /** Only projects marked as archived on GitLab, or only the others; both when absent. */
  archived?: boolean;
  signal?: AbortSignal | undefined;
}

/** A place for projects. `kind` is `group` or `user`. */
export interface Namespace {
  id: number;
  name: string;
  fullPath: string;
  kind: string;
}

interface Cancellable {
  signal?: AbortSignal | undefined;
}

/** The address of a project: its number, or its full path encoded once. */
export function projectPath(idOrPath: number | string): string {
  return `projects/${encodeId(idOrPath)}`;
}

/** All matching projects by ascending id. One that appears while listing comes last or is missed, never twice. */
export async function* listProjects(
  client: InstanceClient,
  filter: ProjectFilter = {},
): AsyncGenerator<Project, void> {
  const { signal } = filter;
  const query = { ...queryOf(filter), statistics: true };
  for await (const page of keysetPages(client, 'projects', projectWire, { query, signal })) {
    for (const project of page) yield toProject(project);
  }
}

/** How many `listProjects` would list; null where the instance does not say, as above 10,000. */
export async function countProjects(
  client: InstanceClient,
  filter: ProjectFilter = {},
): Promise<number | null> {
  return toldTotal(client, 'projects', { query: queryOf(filter), signal: filter.signal });
}

function queryOf({ membership = true, search, minAccessLevel, archived }: ProjectFilter) {
  return { membership, search, min_access_level: minAccessLevel, archived };
}

/** With the size of the repository, where the caller's role shows it. */
export async function getProject(
  client: InstanceClient,
  idOrPath: number | string,
  { signal }: Cancellable = {},
): Promise<Project> {
  const { data } = await client.getJson(projectPath(idOrPath), projectWire, {
    query: { statistics: true },
    signal,
    subject: 'project',
    details: { project: String(idOrPath) },
  });
  return toProject(data);
}

/** Id of the newest project the user can see; 0 where there is none. Whatever is created later has a higher one. */
export async function highestProjectId(
  client: InstanceClient,
  { signal }: Cancellable = {},
): Promise<number> {
  const { data } = await client.getJson('projects', z.array(projectWire), {
    query: { order_by: 'id', sort: 'desc', per_page: 1 },
    signal,
  });
  return data[0]?.id ?? 0;
}

/** The namespaces the user belongs to; an administrator sees all. */
export async function* listNamespaces(
  client: InstanceClient,
  { search, signal }: Cancellable & { search?: string } = {},
): AsyncGenerator<Namespace, void> {
  for await (const page of offsetPages(client, 'namespaces', namespaceWire, { query: { search }, signal })) {
    for (const namespace of page) yield toNamespace(namespace);
  }
}

/** Throws `namespace-missing` where it does not exist or is not visible. */
export async function getNamespace(
  client: InstanceClient,
  idOrPath: number | string,
  { signal }: Cancellable = {},
): Promise<Namespace> {
  const { data } = await client.getJson(`namespaces/${encodeId(idOrPath)}`, namespaceWire, {
    signal,
    subject: 'namespace',
    details: { namespace: String(idOrPath) },
  });
  return toNamespace(data);
}

function encodeId(idOrPath: number | string): string {
  const text = String(idOrPath);
  // A lone dot segment would climb out of its place in the address, encoded or not.
  if (text === '' || text === '.' || text === '..') {
    throw new AppError('invalid-input', `"${text}" is neither an id nor a path.`);
  }
  return encodeURIComponent(text);
}

function toNamespace(wire: z.infer<typeof namespaceWire>): Namespace {
  return { id: wire.id, name: wire.name, fullPath: wire.full_path, kind: wire.kind };
}

function toProject(wire: z.infer<typeof projectWire>): Project {
  const levels = [wire.permissions?.project_access, wire.permissions?.group_access].flatMap((access) =>
    access ? [access.access_level] : [],
  );
  return {
    id: wire.id,
    fullPath: wire.path_with_namespace,
    name: wire.name,
    description: wire.description ?? null,
    visibility: wire.visibility ?? null,
    archived: wire.archived ?? false,
    defaultBranch: wire.default_branch ?? null,
    emptyRepository: wire.empty_repo ?? false,
    webUrl: wire.web_url,
    createdAt: wire.created_at ?? null,
    lastActivityAt: wire.last_activity_at ?? null,
    creatorId: wire.creator_id ?? null,
    importStatus: wire.import_status ?? null,
    importType: wire.import_type ?? null,
    accessLevel: levels.length === 0 ? null : Math.max(...levels),
    repositorySizeBytes: wire.statistics?.repository_size ?? null,
  };
}
