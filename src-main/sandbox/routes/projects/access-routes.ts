/**
 * @file A project's users, groups, languages and custom attributes, sharing it with a group, and adding a member
 * (gitlab-facts 14.2).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parameterError, notFound, messageError } from '../../requests/api-error.ts';
import { parametersOf } from '../../requests/bodies.ts';
import { languagesOf } from '../../projects/project-facts.ts';
import { booleanOf, numberOf, numbersOf, queryOf, textParameter } from '../../requests/query.ts';
import type { Services } from '../../services.ts';
import { selfAndAncestors, roles } from '../../sandbox-database.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { basicUser, groupSummary, matchesNamespace, matchesUser } from './record-views.ts';

export function accessRoutes(app: FastifyInstance, services: Services): void {
  const { database, url, clock } = services;
  const { findReadableProject, findProjectWithRole, paginate } = projectAccess(services);

  app.get<IdRoute>('/projects/:id/users', (request, reply) => {
    const { project } = findReadableProject(request);
    const query = queryOf(request);
    const search = query.get('search') ?? '';
    const skipped = numbersOf(query, 'skip_users');
    const rows = [...database.users.values()].filter(
      (user) =>
        database.memberRole(user, project) > roles.none &&
        !skipped.includes(user.id) &&
        matchesUser(user, search),
    );
    return paginate(request, reply, rows).map((user) => basicUser(user, url()));
  });

  app.get<IdRoute>('/projects/:id/groups', (request, reply) => {
    const { viewer, project } = findReadableProject(request);
    const query = queryOf(request);
    const search = query.get('search') ?? '';
    const skipped = numbersOf(query, 'skip_groups');
    const minLevel = numberOf(query, 'shared_min_access_level') ?? roles.none;
    const visibleOnly = booleanOf(query, 'shared_visible_only') === true;
    const sharedGroups = [...project.shares].flatMap(([id, level]) => {
      const group = database.namespaces.get(id);
      const isShown = group !== undefined && level >= minLevel;
      return isShown && (!visibleOnly || database.canSeeNamespace(viewer, group)) ? [group] : [];
    });
    const ancestors = selfAndAncestors(project.namespace).filter(({ kind }) => kind === 'group');
    const groups = [...ancestors, ...(booleanOf(query, 'with_shared') === true ? sharedGroups : [])];
    const rows = [...new Set(groups)].filter(
      (group) => !skipped.includes(group.id) && matchesNamespace(group, search),
    );
    return paginate(request, reply, rows).map((group) => groupSummary(group, url()));
  });

  app.get<IdRoute>('/projects/:id/share_locations', (request, reply) => {
    const { user, project } = findProjectWithRole(request);
    const search = queryOf(request).get('search') ?? '';
    const mayShare = database.role(user, project) >= roles.maintainer;
    const rows = [...database.namespaces.values()].filter(
      (group) =>
        mayShare &&
        group.kind === 'group' &&
        group !== project.namespace &&
        !project.shares.has(group.id) &&
        (user.administrator || database.namespaceRole(user, group) >= roles.guest) &&
        matchesNamespace(group, search),
    );
    return paginate(request, reply, rows).map((group) => groupSummary(group, url()));
  });

  app.get<IdRoute>('/projects/:id/languages', (request) => languagesOf(findReadableProject(request).project));

  app.post<IdRoute>('/projects/:id/share', (request, reply) => {
    const { user, project } = findProjectWithRole(request, roles.maintainer);
    const { group_id: id, group_access: level } = requireNumbers(request, 'group_id', 'group_access');
    const group = database.namespaces.get(id);
    if (group?.kind !== 'group' || !database.canSeeNamespace(user, group)) throw notFound('Group');
    project.shares.set(id, level);
    return reply.code(201).send({
      id: database.nextId(),
      project_id: project.id,
      group_id: id,
      group_access: level,
      expires_at: null,
    });
  });

  app.post<IdRoute>('/projects/:id/members', (request, reply) => {
    const { project } = findProjectWithRole(request, roles.maintainer);
    const { user_id: id, access_level: level } = requireNumbers(request, 'user_id', 'access_level');
    const user = database.users.get(id);
    if (user === undefined) throw notFound('User');
    if (project.members.has(id)) throw messageError(409, 'Member already exists');
    project.members.set(id, level);
    project.memberSince.set(id, clock.now());
    return reply.code(201).send({ ...basicUser(user, url()), access_level: level, expires_at: null });
  });

  app.put<{ Params: { id: string; key: string } }>('/projects/:id/custom_attributes/:key', (request) => {
    const { user, project } = findProjectWithRole(request);
    if (!user.administrator) throw messageError(403, '403 Forbidden');
    const value = textParameter(parametersOf(request), 'value');
    if (value === null) throw parameterError(400, 'value is missing');
    project.customAttributes.set(request.params.key, value);
    return { key: request.params.key, value };
  });
}

/** Returns required numbers of a body. Throws 400 with the names of missing or invalid numbers. */
function requireNumbers<Name extends string>(
  request: FastifyRequest,
  ...names: Name[]
): Record<Name, number> {
  const parameters = parametersOf(request);
  const problems: string[] = [];
  const numbers = names.map((name) => {
    const text = textParameter(parameters, name);
    if (text === null) problems.push(`${name} is missing`);
    else if (!/^\d+$/.test(text)) problems.push(`${name} is invalid`);
    return [name, Number(text)] as const;
  });
  if (problems.length > 0) throw parameterError(400, problems.join(', '));
  return Object.fromEntries(numbers) as Record<Name, number>;
}
