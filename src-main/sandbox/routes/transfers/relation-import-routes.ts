/** @file Importing a single relation, and the list of such imports (gitlab-facts 15.3, 1.3 and 8). */
import type { FastifyInstance } from 'fastify';
import { isoTime } from '../../../platform/clock.ts';
import { messageError } from '../../requests/api-error.ts';
import { removeFiles, receiveBody, requireParameters, textOf } from '../../requests/bodies.ts';
import { checkFileName } from '../../importing/import-request.ts';
import { importableRelations, type RelationImport } from '../../importing/relation-importing.ts';
import { callerOf, faultSubject } from '../../requests/server.ts';
import type { Services } from '../../services.ts';
import { recordLossKinds } from '../../exporting/losses.ts';
import { fullPath, roles } from '../../sandbox-database.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';

export function relationImportRoutes(app: FastifyInstance, services: Services): void {
  const { database, relationImporter, limiter, faults, disabledFeatures, folder, maxImportSize } = services;

  app.post('/projects/import-relation', async (request, reply) => {
    const { user } = callerOf(request);
    if (disabledFeatures.has('relation-import')) throw messageError(404, '404 Not Found');
    const { parameters, files } = await receiveBody(request, folder, maxImportSize);
    try {
      const file = files.get('file');
      requireParameters(parameters, ['path', 'relation'], file === undefined ? ['file'] : []);
      checkFileName(file?.name ?? '');
      limiter.checkImport(user);
      const project = database.projectAt(textOf(parameters, 'path') ?? '');
      if (project === undefined || !database.canRead(user, project))
        throw messageError(404, 'Project not found');
      const relation = textOf(parameters, 'relation') ?? '';
      if (!importableRelations.some((name) => name === relation)) {
        const names = 'issues, merge_requests, milestones, or ci_pipelines';
        throw messageError(400, `Imported relation must be one of ${names}`);
      }
      if (database.role(user, project) < roles.maintainer) {
        throw messageError(403, 'You are not authorized to perform this action');
      }
      relationImporter.assertNoOpenImport(project);
      const subject = faultSubject(request, fullPath(project));
      const row = await relationImporter.start({
        user,
        project,
        relation,
        file: file?.path ?? '',
        faults: faults.take(subject, [...recordLossKinds, 'end-relation-import']),
      });
      return await reply.code(201).send(identityOf(row));
    } catch (error) {
      await removeFiles(files);
      throw error;
    }
  });

  app.get<IdRoute>('/projects/:id/relation-imports', (request) => {
    const { project } = projectAccess(services).findProjectWithRole(
      request,
      roles.maintainer,
      '403 Forbidden - Project',
    );
    return relationImporter.importsOf(project).map(relationImportView);
  });
}

/** The reply to a request for a relation import, without the times that the list shows. */
function identityOf({ id, project, relation, status }: RelationImport): object {
  return { id, project_path: fullPath(project), relation, status };
}

function relationImportView(row: RelationImport): object {
  return {
    ...identityOf(row),
    created_at: isoTime(row.createdAt),
    updated_at: isoTime(row.updatedAt),
  };
}
