/**
 * @file Facts about one project beyond its row: everything the server sends, its members, groups and files.
 */
import type { Project } from './project.ts';

export const visibilities = ['private', 'internal', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/** One entry of a list of members or users. */
export interface ProjectUser {
  id: number;
  username: string;
  name: string;
  state: string;
  webUrl: string;
}

export interface GroupSummary {
  id: number;
  name: string;
  fullName: string;
  fullPath: string;
  webUrl: string;
}

export interface Starrer {
  starredSince: string;
  user: ProjectUser;
}

export interface Upload {
  id: number;
  sizeBytes: number;
  fileName: string;
  createdAt: string;
  uploadedBy: string | null;
}

export interface License {
  key: string;
  name: string;
  url: string | null;
}

/** Bytes by the specification's names, and `commit_count`. */
export type Statistics = Record<string, number>;

export type CustomAttributes = { key: string; value: string }[];

/** A project in a list. Fields that the request did not ask for, or the role does not show, are left out. */
export interface FoundProject extends Project {
  statistics?: Statistics | undefined;
  customAttributes?: CustomAttributes | undefined;
}

/**
 * `attributes`: everything from the server, by the specification's names, except secrets (`runners_token`).
 */
export interface ProjectDetails {
  project: Project;
  attributes: Record<string, unknown>;
  starCount: number | null;
  forksCount: number | null;
  openIssuesCount: number | null;
  topics: string[];
  forkedFrom: { fullPath: string; webUrl: string } | null;
  owner: string | null;
  license: License | null;
  /** Null where the role does not show it. */
  statistics: Statistics | null;
  customAttributes: CustomAttributes | null;
  /** Day on which it was marked for deletion; null where it is not. */
  markedForDeletionOn: string | null;
}

/** The owner of a list; a user is an id or a username. */
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
export type ProjectOrder = (typeof projectOrders)[number];

/**
 * A query for projects of an instance, by the specification's names (gitlab-facts 14.2). A filter that a list
 * does not know is refused as `invalid-input` before anything is asked.
 */
export interface ProjectQuery {
  archived?: boolean | undefined;
  id_after?: number | undefined;
  id_before?: number | undefined;
  imported?: boolean | undefined;
  include_hidden?: boolean | undefined;
  include_pending_delete?: boolean | undefined;
  last_activity_after?: string | undefined;
  last_activity_before?: string | undefined;
  membership?: boolean | undefined;
  min_access_level?: number | undefined;
  order_by?: ProjectOrder | undefined;
  owned?: boolean | undefined;
  repository_checksum_failed?: boolean | undefined;
  wiki_checksum_failed?: boolean | undefined;
  repository_storage?: string | undefined;
  search_namespaces?: boolean | undefined;
  search?: string | undefined;
  simple?: boolean | undefined;
  sort?: 'asc' | 'desc' | undefined;
  starred?: boolean | undefined;
  statistics?: boolean | undefined;
  topic_id?: number | undefined;
  topic?: string | undefined;
  updated_after?: string | undefined;
  updated_before?: string | undefined;
  visibility?: Visibility | undefined;
  with_custom_attributes?: boolean | undefined;
  with_issues_enabled?: boolean | undefined;
  with_merge_requests_enabled?: boolean | undefined;
  with_programming_language?: string | undefined;
  marked_for_deletion_on?: string | undefined;
  custom_attributes?: Record<string, string> | undefined;
}
