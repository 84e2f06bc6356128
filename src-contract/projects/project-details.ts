/** @file What is told of one project beyond its row: everything the server sends, its people, groups and files. */
import { projectSchema } from './project.ts';
import { textSchema } from '../ids.ts';
import { z } from '../schema.ts';

export const visibilities = ['private', 'internal', 'public'] as const;

/** One entry of a list of people. */
export const projectUserSchema = z.object({
  id: z.number().int(),
  username: z.string(),
  name: z.string(),
  state: z.string(),
  webUrl: z.string(),
});
export type ProjectUser = z.infer<typeof projectUserSchema>;

export const groupSummarySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  fullName: z.string(),
  fullPath: z.string(),
  webUrl: z.string(),
});
export type GroupSummary = z.infer<typeof groupSummarySchema>;

export const starrerSchema = z.object({ starredSince: z.string(), user: projectUserSchema });
export type Starrer = z.infer<typeof starrerSchema>;

export const uploadSchema = z.object({
  id: z.number().int(),
  sizeBytes: z.number(),
  fileName: z.string(),
  createdAt: z.string(),
  uploadedBy: z.string().nullable(),
});
export type Upload = z.infer<typeof uploadSchema>;

export const licenseSchema = z.object({ key: z.string(), name: z.string(), url: z.string().nullable() });

/** Bytes by the specification's names, and `commit_count`. */
const statisticsSchema = z.record(z.string(), z.number());
const customAttributesSchema = z.array(z.object({ key: z.string(), value: z.string() }));

/** A project in a list. What the request did not ask for, or the role does not show, is left out. */
export const foundProjectSchema = projectSchema.extend({
  statistics: statisticsSchema.optional(),
  customAttributes: customAttributesSchema.optional(),
});
export type FoundProject = z.infer<typeof foundProjectSchema>;

/** `attributes`: all that the server sent, by the specification's names, but for what is secret (`runners_token`). */
export const projectDetailsSchema = z.object({
  project: projectSchema,
  attributes: z.record(z.string(), z.unknown()),
  starCount: z.number().int().nullable(),
  forksCount: z.number().int().nullable(),
  openIssuesCount: z.number().int().nullable(),
  topics: z.array(z.string()),
  forkedFrom: z.object({ fullPath: z.string(), webUrl: z.string() }).nullable(),
  owner: z.string().nullable(),
  license: licenseSchema.nullable(),
  /** Null where the role does not show it. */
  statistics: statisticsSchema.nullable(),
  customAttributes: customAttributesSchema.nullable(),
  /** Day on which it was marked for deletion; null where it is not. */
  markedForDeletionOn: z.string().nullable(),
});
export type ProjectDetails = z.infer<typeof projectDetailsSchema>;

/** Whose list it is; a user is an id or a username. */
export const projectListKinds = ['all', 'user', 'contributed', 'starred', 'forks', 'group'] as const;

export const projectOrders = [
  'id',
  'name',
  'path',
  'created_at',
  'updated_at',
  'last_activity_at',
  'similarity',
  'repository_size',
  'storage_size',
  'packages_size',
  'wiki_size',
] as const;

/**
 * Which projects an instance is asked for, by the specification's names (gitlab-facts 14.2). What a list does not know
 * is refused as `invalid-input` before anything is asked.
 */
export const projectQuerySchema = z
  .object({
    archived: z.boolean(),
    id_after: z.number().int(),
    id_before: z.number().int(),
    imported: z.boolean(),
    include_hidden: z.boolean(),
    include_pending_delete: z.boolean(),
    last_activity_after: textSchema,
    last_activity_before: textSchema,
    membership: z.boolean(),
    min_access_level: z.number().int(),
    order_by: z.enum(projectOrders),
    owned: z.boolean(),
    repository_checksum_failed: z.boolean(),
    wiki_checksum_failed: z.boolean(),
    repository_storage: textSchema,
    search_namespaces: z.boolean(),
    search: textSchema,
    simple: z.boolean(),
    sort: z.enum(['asc', 'desc']),
    starred: z.boolean(),
    statistics: z.boolean(),
    topic_id: z.number().int(),
    topic: textSchema,
    updated_after: textSchema,
    updated_before: textSchema,
    visibility: z.enum(visibilities),
    with_custom_attributes: z.boolean(),
    with_issues_enabled: z.boolean(),
    with_merge_requests_enabled: z.boolean(),
    with_programming_language: textSchema,
    marked_for_deletion_on: textSchema,
    custom_attributes: z.record(textSchema, textSchema),
  })
  .partial();
export type ProjectQuery = z.infer<typeof projectQuerySchema>;
