/** @file Fields that records of several kinds have in common. */
import type { JsonRecord } from './project-content.ts';
import type { User } from '../sandbox-database.ts';

const fields = (names: string, value: () => unknown): JsonRecord =>
  Object.fromEntries(names.split(' ').map((name) => [name, value()]));

export const nullFields = (names: string): JsonRecord => fields(names, () => null);

export const emptyLists = (names: string): JsonRecord => fields(names, () => []);

export const memberRecord = (
  { id, username, email }: Pick<User, 'id' | 'username' | 'email'>,
  level: number,
  createdById: number,
  times: { created_at: string; updated_at: string },
): JsonRecord => ({
  access_level: level,
  source_type: 'Project',
  user_id: id,
  notification_level: 3,
  ...times,
  created_by_id: createdById,
  ...nullFields('invite_email requested_at expires_at'),
  ldap: false,
  override: false,
  user: { id, username, public_email: email },
});
