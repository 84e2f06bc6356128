/**
 * @file Parts of a project that are never exported: variables, hooks, deploy keys and the like (gitlab-facts 7). The
 * sandbox only stores them.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../requests/api-error.ts';
import { parametersOf } from '../../requests/bodies.ts';
import { offsetPage } from '../../requests/pages.ts';
import { callerOf } from '../../requests/server.ts';
import { findProject, type Services } from '../../services.ts';
import { roles, type Project } from '../../world.ts';

interface ById {
  Params: { id: string };
}

/** By the lowest role that may see it. */
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

export function extraRoutes(app: FastifyInstance, services: Services): void {
  const { world, url } = services;
  const kept = new WeakMap<Project, Map<string, object[]>>();

  const listOf = (project: Project, kind: string): object[] => {
    const lists = kept.get(project) ?? new Map<string, object[]>();
    kept.set(project, lists);
    const list = lists.get(kind) ?? [];
    lists.set(kind, list);
    return list;
  };

  const seen = (request: FastifyRequest<ById>, least: number): Project => {
    const { user } = callerOf(request);
    const project = findProject(world, user, request.params.id);
    if (world.role(user, project) < least) throw refuse(403, '403 Forbidden');
    return project;
  };

  for (const [kind, least] of Object.entries(kinds)) {
    app.get<ById>(`/projects/:id/${kind}`, (request, reply) =>
      offsetPage(request, reply, url(), listOf(seen(request, least), kind)),
    );
    app.post<ById>(`/projects/:id/${kind}`, (request, reply) => {
      const row = { id: world.nextId(), ...parametersOf(request) };
      listOf(seen(request, roles.maintainer), kind).push(row);
      return reply.code(201).send(row);
    });
  }

  // Projects of the sandbox have no Pages site.
  app.get<ById>('/projects/:id/pages', (request) => {
    seen(request, roles.maintainer);
    throw refuse(404, '404 Not Found');
  });
}
