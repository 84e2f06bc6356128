/**
 * @file Parts of a project that are never exported: variables, hooks and the like (gitlab-facts 7). The sandbox only
 * stores them.
 */
import type { FastifyInstance } from 'fastify';
import { messageError } from '../../requests/api-error.ts';
import { parametersOf } from '../../requests/bodies.ts';
import type { Services } from '../../services.ts';
import { roles, type Project } from '../../sandbox-database.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';

/** Each kind with the lowest role that may see it. */
const kinds = {
  variables: roles.maintainer,
  hooks: roles.maintainer,
  deploy_keys: roles.maintainer,
  triggers: roles.maintainer,
  remote_mirrors: roles.maintainer,
  secure_files: roles.developer,
  environments: roles.reporter,
  packages: roles.guest,
  'registry/repositories': roles.guest,
} as const;

export function notExportedRoutes(app: FastifyInstance, services: Services): void {
  const { findProjectWithRole, paginate } = projectAccess(services);
  const rowsByKey = new Map<string, object[]>();

  const listOf = (project: Project, kind: string): object[] => {
    const key = `${project.id} ${kind}`;
    const list = rowsByKey.get(key) ?? [];
    rowsByKey.set(key, list);
    return list;
  };

  for (const [kind, minRole] of Object.entries(kinds)) {
    app.get<IdRoute>(`/projects/:id/${kind}`, (request, reply) =>
      paginate(request, reply, listOf(findProjectWithRole(request, minRole).project, kind)),
    );
    app.post<IdRoute>(`/projects/:id/${kind}`, (request, reply) => {
      const row = { id: services.database.nextId(), ...parametersOf(request) };
      listOf(findProjectWithRole(request, roles.maintainer).project, kind).push(row);
      return reply.code(201).send(row);
    });
  }

  // Projects of the sandbox have no Pages site.
  app.get<IdRoute>('/projects/:id/pages', (request) => {
    findProjectWithRole(request, roles.maintainer);
    throw messageError(404, '404 Not Found');
  });
}
