/** @file Invitations of people without an account: records of `project_members` with an address and without a user. Pure. */
import { isObject, recordsOf, type JsonRecord, type ProjectContent } from './project-content.ts';
import { nullFields } from './record-fields.ts';

export const isInvitation = (record: JsonRecord): boolean =>
  typeof record['invite_email'] === 'string' && !isObject(record['user']);

export const invitationsIn = (content: ProjectContent): JsonRecord[] =>
  recordsOf(content, 'project_members').filter(isInvitation);

export const invitationRecord = (
  email: string,
  level: number,
  expiresAt: string | null,
  createdById: number,
  at: string,
): JsonRecord => ({
  access_level: level,
  source_type: 'Project',
  notification_level: 3,
  ...{ created_at: at, updated_at: at },
  created_by_id: createdById,
  invite_email: email,
  ...nullFields('user_id invite_accepted_at requested_at'),
  expires_at: expiresAt,
  ldap: false,
  override: false,
  user: null,
});
