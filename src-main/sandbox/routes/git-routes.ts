/** @file The batch API of Git LFS, which is below the address of a repository and not below `/api/v4` (gitlab-facts 11.1). */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isObject, sizeOf } from '../content/project-content.ts';
import { ApiError, parameterError } from '../requests/api-error.ts';
import { parametersOf } from '../requests/bodies.ts';
import { optionalCaller } from '../requests/server.ts';
import { roles } from '../sandbox-database.ts';
import { findAnyProject, type Services } from '../services.ts';

const batchPath = /^(.+)\.git\/info\/lfs\/objects\/batch$/;
const contentType = 'application/vnd.git-lfs+json';
/** Scopes that may read a repository. */
const scopes = ['api', 'read_api', 'read_repository', 'write_repository'];

export function gitRoutes(app: FastifyInstance, { database, url }: Services): void {
  const refusal = (status: number, message: string): ApiError =>
    new ApiError(status, { message, documentation_url: `${url()}/help` }, { 'Content-Type': contentType });

  app.post<{ Params: { '*': string } }>('/*', { config: { scopes } }, (request, reply): FastifyReply => {
    const path = batchPath.exec(request.params['*'])?.[1];
    if (path === undefined) throw parameterError(404, '404 Not Found');
    const project = findAnyProject(database, path);
    const viewer = optionalCaller(request)?.user ?? null;
    if (project === undefined || !database.canRead(viewer, project)) throw refusal(404, 'Not found.');
    const { lfs_enabled: isLfsEnabled = true } = project.attributes;
    const isMember = viewer !== null && database.role(viewer, project) >= roles.reporter;
    if (isLfsEnabled === false || (project.visibility === 'private' && !isMember))
      throw refusal(403, 'Access forbidden. Check your access level.');
    const { operation, objects } = parametersOf(request);
    if (operation !== 'download' || !Array.isArray(objects) || objects.length === 0)
      throw refusal(404, 'Not found.');
    const { otherFiles } = project.content();
    const answers = objects.filter(isObject).map((object) => {
      const oid = String(object['oid']);
      const file = otherFiles.get(`lfs-objects/${oid}`);
      if (file !== undefined && sizeOf(file) >= 0) {
        const href = `${url()}/${path}.git/gitlab-lfs/objects/${oid}`;
        return { ...object, actions: { download: { href, header: {} } } };
      }
      const message = "Object does not exist on the server or you don't have permissions to access it";
      return { ...object, error: { code: 404, message } };
    });
    return reply.type(contentType).send(JSON.stringify({ objects: answers }));
  });
}
