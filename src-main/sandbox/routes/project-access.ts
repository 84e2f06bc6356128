/** @file Finds the project of a request, for any reader or for a caller with a role. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageError } from '../requests/api-error.ts';
import { offsetPage } from '../requests/pages.ts';
import { callerOf, viewerOf } from '../requests/server.ts';
import { findProject, type Services } from '../services.ts';
import { roles } from '../sandbox-database.ts';

export interface IdRoute {
  Params: { id: string };
}

export const projectAccess = ({ database, url }: Services) => ({
  /** Returns the project for any reader, with or without an account. Throws 404. */
  findReadableProject: (request: FastifyRequest<IdRoute>) => {
    const viewer = viewerOf(request);
    return { viewer, project: findProject(database, viewer, request.params.id) };
  },

  /** Returns the project for a signed-in reader with at least the role `minRole`. Throws 401, 404 or 403. */
  findProjectWithRole: (
    request: FastifyRequest<IdRoute>,
    minRole: number = roles.none,
    message = '403 Forbidden',
  ) => {
    const { user } = callerOf(request);
    const project = findProject(database, user, request.params.id);
    if (database.role(user, project) < minRole) throw messageError(403, message);
    return { user, project };
  },

  paginate: <Row>(request: FastifyRequest, reply: FastifyReply, rows: readonly Row[]): Row[] =>
    offsetPage(request, reply, url(), rows),
});
