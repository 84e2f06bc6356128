/** @file Invites people to a project by their e-mail address, and lists those who have not accepted yet (gitlab-facts 7.3). */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isoTime } from '../../../platform/clock.ts';
import { invitationRecord, invitationsIn } from '../../content/invitations.ts';
import { encodeRecords, recordsOf } from '../../content/project-content.ts';
import { isAtLeast } from '../../releases.ts';
import { messageError, parameterError } from '../../requests/api-error.ts';
import { parametersOf } from '../../requests/bodies.ts';
import { textParameter } from '../../requests/query.ts';
import { roles } from '../../sandbox-database.ts';
import type { Services } from '../../services.ts';
import { projectAccess, type IdRoute } from '../project-access.ts';

export function invitationRoutes(app: FastifyInstance, services: Services): void {
  const { database, clock, version } = services;
  const { findProjectWithRole, paginate } = projectAccess(services);

  app.get<IdRoute>('/projects/:id/invitations', (request, reply) => {
    if (!isAtLeast(version, '13.6')) throw messageError(404, '404 Not Found');
    const { project } = findProjectWithRole(request, roles.maintainer);
    return paginate(request, reply, invitationsIn(project.content())).map((record) => ({
      access_level: record['access_level'],
      created_at: record['created_at'],
      expires_at: record['expires_at'] ?? null,
      invite_email: record['invite_email'],
      // GitLab shows the digest of the token in the mail.
      invite_token: createHash('sha256').update(String(record['invite_email'])).digest('hex'),
      created_by_name: database.users.get(Number(record['created_by_id']))?.name ?? null,
    }));
  });

  app.post<IdRoute>('/projects/:id/invitations', (request, reply) => {
    const { user, project } = findProjectWithRole(request, roles.maintainer);
    const parameters = parametersOf(request);
    const [email, level] = [textParameter(parameters, 'email'), textParameter(parameters, 'access_level')];
    if (email === null || level === null) throw parameterError(400, 'email, access_level are missing');
    const content = project.content();
    const isTaken = invitationsIn(content).some((record) => record['invite_email'] === email);
    const account = database.userWithEmail(email);
    const problem = isTaken
      ? 'Invite email has already been taken'
      : account !== undefined && project.members.has(account.id)
        ? 'User already exists in source'
        : null;
    if (problem !== null) return reply.code(201).send({ status: 'error', message: { [email]: problem } });
    if (account !== undefined) {
      project.members.set(account.id, Number(level));
      project.memberSince.set(account.id, clock.now());
    } else {
      const end = textParameter(parameters, 'expires_at');
      const added = invitationRecord(email, Number(level), end, user.id, isoTime(clock.now()));
      const records = [...recordsOf(content, 'project_members'), added];
      content.relations.set('project_members', encodeRecords(records));
    }
    return reply.code(201).send({ status: 'success' });
  });
}
