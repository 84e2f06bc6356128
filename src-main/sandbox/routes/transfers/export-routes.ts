/** @file Export status, start and download (gitlab-facts 6). */
import { createReadStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parameterError, messageError } from '../../requests/api-error.ts';
import { removeFiles, receiveBody, textOf, type Parameters } from '../../requests/bodies.ts';
import { sizeOf, type ProjectContent } from '../../content/project-content.ts';
import type { PushTarget, ExportFile } from '../../exporting/exporting.ts';
import { blockedReason, type OutboundOptions } from '../../exporting/outbound.ts';
import { callerOf, faultSubject } from '../../requests/server.ts';
import type { Services } from '../../services.ts';
import { fullPath, roles } from '../../sandbox-database.ts';
import { lossKinds } from '../../exporting/losses.ts';
import { identityView } from '../projects/project-view.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';

export function exportRoutes(app: FastifyInstance, services: Services): void {
  const { exporter, limiter, faults, url, storageUrl, outbound, disabledFeatures, folder, maxExportSize } =
    services;
  const { findProjectWithRole } = projectAccess(services);

  const requireExportable = (request: FastifyRequest<IdRoute>) => {
    callerOf(request);
    if (disabledFeatures.has('export')) throw messageError(404, '404 Not Found');
    return findProjectWithRole(request, roles.maintainer);
  };

  app.get<IdRoute>('/projects/:id/export', async (request) => {
    const { user, project } = requireExportable(request);
    const status = await exporter.status(user, project);
    const links = {
      api_url: `${url()}/api/v4/projects/${project.id}/export/download`,
      web_url: `${url()}/${fullPath(project)}/download_export`,
    };
    const identity = { ...identityView(project), export_status: status };
    return status === 'finished' ? { ...identity, _links: links } : identity;
  });

  app.post<IdRoute>('/projects/:id/export', async (request, reply) => {
    const { user, project } = requireExportable(request);
    const { parameters, files } = await receiveBody(request, folder, 0);
    await removeFiles(files);
    const upload = uploadOf(parameters);
    limiter.checkExport(user);
    await exporter.onRequest(user, project);
    const urlError = upload === null ? null : urlProblem(outbound, upload.url);
    if (urlError !== null) throw messageError(400, { url: [urlError] });
    if (maxExportSize > 0 && contentSize(project.content()) > maxExportSize) {
      throw messageError(400, 'The project size exceeds the export limit.');
    }
    exporter.start(user, project, {
      description: textOf(parameters, 'description'),
      destination: upload,
      faults: faults.take(faultSubject(request), [...lossKinds, 'repeat-records', 'end-export']),
    });
    return reply.code(202).send({ message: '202 Accepted' });
  });

  app.get<IdRoute>('/projects/:id/export/download', async (request, reply) => {
    const { user, project } = requireExportable(request);
    limiter.checkDownload(user, project);
    const file = await exporter.findFile(user, project);
    if (file === null) throw messageError(404, '404 Not found or has expired');
    const redirectUrl = storageUrl(file);
    if (redirectUrl !== null) return reply.redirect(redirectUrl, 302);
    reply.header('Content-Transfer-Encoding', 'binary');
    return sendFile(request, reply, file);
  });
}

/** Sends a whole file, or the requested range. Without an ETag, `If-Range` compares the modification time. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: ExportFile): FastifyReply {
  const lastModified = new Date(file.createdAt).toUTCString();
  const condition = request.headers['if-range'];
  const range = condition === undefined || condition === lastModified ? request.headers.range : undefined;
  const requestedRange = range === undefined ? null : byteRange(range, file.size);
  reply
    .header('Accept-Ranges', 'bytes')
    .header('Last-Modified', lastModified)
    .header(
      'Content-Disposition',
      `attachment; filename="${file.name}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    )
    .type('application/octet-stream');
  if (requestedRange === 'unsatisfiable') {
    return reply.code(416).header('Content-Range', `bytes */${file.size}`).send('');
  }
  const { start, end } = requestedRange ?? { start: 0, end: file.size - 1 };
  if (requestedRange !== null) reply.code(206).header('Content-Range', `bytes ${start}-${end}/${file.size}`);
  reply.header('Content-Length', `${end - start + 1}`);
  if (request.method === 'HEAD') return reply.send(new PassThrough().end());
  return reply.send(createReadStream(file.path, { start, end, highWaterMark: 1 << 20 }));
}

/** Returns the address to push the archive to, or null. Throws 400 for an incomplete address. */
function uploadOf(parameters: Parameters): PushTarget | null {
  const upload = parameters['upload'];
  if (upload === undefined || upload === null) return null;
  if (typeof upload !== 'object' || Array.isArray(upload)) throw parameterError(400, 'upload is invalid');
  const url = textOf(upload as Parameters, 'url');
  const method = textOf(upload as Parameters, 'http_method') ?? 'PUT';
  if (url === null) throw parameterError(400, 'upload[url] is missing');
  if (method !== 'PUT' && method !== 'POST') {
    throw parameterError(400, 'upload[http_method] does not have a valid value');
  }
  return { url, method };
}

function urlProblem(outbound: OutboundOptions, url: string): string | null {
  if (url.trim() === '') return 'must be a valid URL';
  const reason = blockedReason(outbound, url, ['http', 'https']);
  return reason === null ? null : `is blocked: ${reason}`;
}

function contentSize({ relations, otherFiles }: ProjectContent): number {
  return [...relations.values(), ...otherFiles.values()].reduce((sum, bytes) => sum + sizeOf(bytes), 0);
}

/** Returns null for a header other than one single range, because HTTP allows ignoring such a header. */
function byteRange(text: string, size: number): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(text.trim());
  const [, first = '', last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start >= size || start > end ? 'unsatisfiable' : { start, end };
}
