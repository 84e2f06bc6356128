/** @file The schemas of `project-details.ts`. */
import { projectSchema } from './project-schema.ts';
import { textSchema } from '../ids-schema.ts';
import { z } from '../schema.ts';
import { visibilities, projectOrders } from './project-details.ts';

/** One entry of a list of members or users. */
export const projectUserSchema = z.object({
  id: z.number().int(),
  username: z.string(),
  name: z.string(),
  state: z.string(),
  webUrl: z.string(),
});

export const groupSummarySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  fullName: z.string(),
  fullPath: z.string(),
  webUrl: z.string(),
});

export const starrerSchema = z.object({ starredSince: z.string(), user: projectUserSchema });

export const uploadSchema = z.object({
  id: z.number().int(),
  sizeBytes: z.number(),
  fileName: z.string(),
  createdAt: z.string(),
  uploadedBy: z.string().nullable(),
});

export const licenseSchema = z.object({ key: z.string(), name: z.string(), url: z.string().nullable() });

/** Sizes in bytes, and `commit_count`, by the specification's names. */
export const statisticsSchema = z.record(z.string(), z.number());

export const customAttributesSchema = z.array(z.object({ key: z.string(), value: z.string() }));

/** A project in a list. Fields that were not requested, or that the role may not see, are left out. */
export const foundProjectSchema = projectSchema.extend({
  statistics: statisticsSchema.optional(),
  customAttributes: customAttributesSchema.optional(),
});

/**
 * All facts about one project. `attributes`: all fields of the response, by the specification's names, except secrets
 * (`runners_token`).
 */
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
  /** Null if the role may not see them. */
  statistics: statisticsSchema.nullable(),
  customAttributes: customAttributesSchema.nullable(),
  /** Day on which it was marked for deletion; null if it is not. */
  markedForDeletionOn: z.string().nullable(),
});

/** A query by the specification's names (gitlab-facts 14.2). An unknown filter fails with `invalid-input`. */
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
