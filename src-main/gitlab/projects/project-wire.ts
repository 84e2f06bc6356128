/** @file A project in the API: its fields, its address, and its conversion. */
import { AppError } from '../../../src-contract/errors.ts';
import type { FoundProject } from '../../../src-contract/projects/project-details.ts';
import type { Project } from '../../../src-contract/projects/project.ts';
import { z } from '../../../src-contract/schema.ts';

const accessSchema = z.object({ access_level: z.number().int() }).nullish();

/**
 * The fields depend on the caller's role and the server's version (gitlab-facts 2.1); only the fields that identify the
 * project are certain.
 */
export const projectWire = z.object({
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
  marked_for_deletion_on: z.string().nullish(),
  marked_for_deletion_at: z.string().nullish(),
});

export const optionalFieldsWire = z.object({
  statistics: z.record(z.string(), z.number().nullish()).nullish(),
  custom_attributes: z.array(z.object({ key: z.string(), value: z.string() })).nullish(),
});

export const foundProjectWire = z.object({ ...projectWire.shape, ...optionalFieldsWire.shape });

/** Returns the address of a project: its number, or its full path encoded once. */
export const projectPath = (idOrPath: IdOrPath): string => `projects/${encodeId(idOrPath)}`;

/** The options of every call about one project. */
export const projectCallOptions = (idOrPath: IdOrPath) => ({
  subject: 'project' as const,
  details: { project: String(idOrPath) },
});

export type IdOrPath = number | string;

/**
 * Returns an id or path as one segment of an address. Throws `invalid-input` for an empty text and for dot segments.
 */
export function encodeId(idOrPath: IdOrPath): string {
  const text = String(idOrPath);
  // A dot segment would change the rest of the address, even if it is encoded.
  if (text === '' || text === '.' || text === '..') {
    throw new AppError('invalid-input', `"${text}" is neither an id nor a path.`);
  }
  return encodeURIComponent(text);
}

export function toProject(wire: z.infer<typeof projectWire>): Project {
  const { project_access: direct, group_access: inherited } = wire.permissions ?? {};
  const levels = [direct, inherited].flatMap((access) => access?.access_level ?? []);
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
    markedForDeletionOn: wire.marked_for_deletion_on ?? wire.marked_for_deletion_at ?? null,
  };
}

export function statisticsOf({
  statistics,
}: z.infer<typeof optionalFieldsWire>): Record<string, number> | null {
  if (!statistics) return null;
  return Object.fromEntries(
    Object.entries(statistics).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

export function toFoundProject(wire: z.infer<typeof foundProjectWire>): FoundProject {
  const statistics = statisticsOf(wire);
  const { custom_attributes: customAttributes } = wire;
  return {
    ...toProject(wire),
    ...(statistics !== null && { statistics }),
    ...(customAttributes && { customAttributes }),
  };
}
