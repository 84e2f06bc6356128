/** @file Facts about one project beyond its row: everything the server sends, its members, groups and files. */
import type { z } from '../schema.ts';
import type * as schemas from './project-details-schema.ts';

export type ProjectUser = z.output<typeof schemas.projectUserSchema>;
export type GroupSummary = z.output<typeof schemas.groupSummarySchema>;
export type Starrer = z.output<typeof schemas.starrerSchema>;
export type Upload = z.output<typeof schemas.uploadSchema>;
export type FoundProject = z.output<typeof schemas.foundProjectSchema>;
export type ProjectDetails = z.output<typeof schemas.projectDetailsSchema>;
export type ProjectQuery = z.output<typeof schemas.projectQuerySchema>;

/** From the fewest readers to the most. */
export const visibilities = ['private', 'internal', 'public'] as const;

/** Returns whether more people have access with `value` than with `other`. False if the order lacks one of them. */
export const isWider = (order: readonly string[], value: string, other: string): boolean =>
  order.includes(other) && order.indexOf(value) > order.indexOf(other);

/**
 * The kinds of project lists. `user`, `contributed` and `starred` list the projects of a user, given by id or username.
 */
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
