/** @file Imports of an uploaded archive, of a URL and of object storage, and their status (gitlab-facts 15.2). */
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { messageError } from '../../requests/api-error.ts';
import {
  removeFiles,
  parametersOf,
  receiveBody,
  requireParameters,
  textOf,
  type Parameters,
} from '../../requests/bodies.ts';
import { beginImport, checkFileName, type ImportSource } from '../../importing/import-request.ts';
import { checkRemoteFile, downloadFile } from '../../importing/remote-archive.ts';
import { checkObject, presignedUrl, type ObjectLocation } from '../../importing/s3-archive.ts';
import { callerOf } from '../../requests/server.ts';
import type { Services } from '../../services.ts';
import { roles } from '../../sandbox-database.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { importView } from './import-view.ts';

export function importRoutes(app: FastifyInstance, services: Services): void {
  const { database, outbound, disabledFeatures, folder, maxImportSize, s3Endpoint, clock } = services;
  const downloadPath = (): string => join(folder, `download-${database.nextId()}`);
  const begin = async (
    request: FastifyRequest,
    reply: FastifyReply,
    parameters: Parameters,
    source: ImportSource,
  ): Promise<FastifyReply> => {
    const project = await beginImport(services, request, parameters, source);
    return reply.code(201).send(importView(services, project, true));
  };

  app.post('/projects/import', async (request, reply) => {
    callerOf(request);
    const { parameters, files } = await receiveBody(request, folder, maxImportSize);
    const file = files.get('file');
    try {
      requireParameters(parameters, ['path'], file === undefined ? ['file'] : []);
      checkFileName(file?.name ?? '');
      return await begin(request, reply, parameters, { file: file?.path ?? '', fetch: null });
    } catch (error) {
      await removeFiles(files);
      throw error;
    }
  });

  app.post('/projects/remote-import', async (request, reply) => {
    callerOf(request);
    if (disabledFeatures.has('remote-import')) throw messageError(404, '404 Not Found');
    const parameters = parametersOf(request);
    requireParameters(parameters, ['url', 'path']);
    const url = textOf(parameters, 'url') ?? '';
    const file = downloadPath();
    return begin(request, reply, parameters, {
      file,
      check: () => checkRemoteFile(outbound, url),
      fetch: () => downloadFile(outbound, url, file),
    });
  });

  app.post('/projects/remote-import-s3', async (request, reply) => {
    callerOf(request);
    const parameters = parametersOf(request);
    const required = ['region', 'bucket_name', 'file_key', 'access_key_id', 'secret_access_key', 'path'];
    requireParameters(parameters, required);
    const text = (name: string): string => textOf(parameters, name) ?? '';
    const object: ObjectLocation = {
      endpoint: s3Endpoint,
      region: text('region'),
      bucket: text('bucket_name'),
      key: text('file_key'),
      accessKeyId: text('access_key_id'),
      secretAccessKey: text('secret_access_key'),
    };
    const file = downloadPath();
    return begin(request, reply, parameters, {
      file,
      check: () => checkObject(outbound, object, clock.now()),
      fetch: () => downloadFile(outbound, presignedUrl('GET', object, clock.now()), file),
    });
  });

  app.get<IdRoute>('/projects/:id/import', (request) => {
    const { user, project } = projectAccess(services).findProjectWithRole(request);
    return importView(services, project, database.role(user, project) >= roles.maintainer);
  });
}
