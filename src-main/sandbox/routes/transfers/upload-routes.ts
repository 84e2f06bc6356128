/**
 * @file Uploads: files that the Markdown of a project links to (gitlab-facts 14.5 and 2). Their bytes are part of the
 * project's content.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isoTime } from '../../../platform/clock.ts';
import { parameterError, messageError } from '../../requests/api-error.ts';
import { removeFiles, receiveBody } from '../../requests/bodies.ts';
import { sizeOf } from '../../content/project-content.ts';
import type { Services } from '../../services.ts';
import { hexDigest, roles, type Project, type Upload } from '../../sandbox-database.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { sendFile } from './export-routes.ts';

interface UploadRoute {
  Params: { id: string; upload_id: string; secret: string; filename: string };
}

export function uploadRoutes(app: FastifyInstance, services: Services): void {
  const { database, clock, folder, maxAttachmentSize } = services;
  const { findProjectWithRole, paginate } = projectAccess(services);

  /** Returns all uploads. Creates rows for files of the content that have none yet. */
  const uploadsOf = (project: Project): Upload[] => {
    const { otherFiles } = project.content();
    project.uploads = project.uploads.filter((upload) => otherFiles.has(upload.archiveMember));
    const known = new Set(project.uploads.map((upload) => upload.archiveMember));
    for (const archiveMember of otherFiles.keys()) {
      const [, secret = '', filename = ''] = /^uploads\/([0-9a-f]{32})\/([^/]+)$/.exec(archiveMember) ?? [];
      if (secret === '' || known.has(archiveMember)) continue;
      const { createdAt } = project;
      project.uploads.push({
        id: database.nextId(),
        archiveMember,
        secret,
        filename,
        createdAt,
        uploaderId: null,
      });
    }
    return project.uploads;
  };

  app.post<IdRoute>('/projects/:id/uploads', async (request, reply) => {
    const { user, project } = findProjectWithRole(request, roles.guest);
    const { parameters, files } = await receiveBody(request, folder, maxAttachmentSize);
    const file = files.get('file');
    if (file === undefined) {
      await removeFiles(files);
      throw parameterError(400, Object.hasOwn(parameters, 'file') ? 'file is invalid' : 'file is missing');
    }
    const id = database.nextId();
    const secret = hexDigest(`upload ${id} ${file.path}`, 32);
    const filename = file.name.replace(/[^\p{L}\p{N}_.+-]/gu, '_');
    const archiveMember = `uploads/${secret}/${filename}`;
    project.content().otherFiles.set(archiveMember, { path: file.path, size: file.size });
    project.uploads.push({
      id,
      archiveMember,
      secret,
      filename,
      createdAt: clock.now(),
      uploaderId: user.id,
    });
    project.contributors.add(user.id);
    project.lastActivityAt = clock.now();
    const isImage = /\.(?:png|jpe?g|gif|bmp|tiff|ico|webp|svg)$/i.test(filename);
    const alt = isImage ? filename.replace(/\.[^.]+$/, '') : filename;
    const address = `/uploads/${secret}/${filename}`;
    return reply.code(201).send({
      id,
      alt,
      url: address,
      full_path: `/-/project/${project.id}${address}`,
      markdown: `${isImage ? '!' : ''}[${alt}](${address})`,
    });
  });

  app.get<IdRoute>('/projects/:id/uploads', (request, reply) => {
    const { project } = findProjectWithRole(request, roles.maintainer);
    const { otherFiles } = project.content();
    const rows = [...uploadsOf(project)].sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
    return paginate(request, reply, rows).map((upload) => {
      const user = upload.uploaderId === null ? undefined : database.users.get(upload.uploaderId);
      return {
        id: upload.id,
        size: sizeOf(otherFiles.get(upload.archiveMember)),
        filename: upload.filename,
        created_at: isoTime(upload.createdAt),
        uploaded_by:
          user === undefined
            ? null
            : { id: user.id, username: user.username, public_email: user.email, name: user.name },
      };
    });
  });

  const sendUpload = (
    request: FastifyRequest,
    reply: FastifyReply,
    project: Project,
    upload: Upload,
  ): FastifyReply => {
    const bytes = requireFound(project.content().otherFiles.get(upload.archiveMember));
    if (!Buffer.isBuffer(bytes)) {
      return sendFile(request, reply, { ...bytes, name: upload.filename, createdAt: upload.createdAt });
    }
    const name = encodeURIComponent(upload.filename);
    return reply
      .header('Content-Disposition', `attachment; filename="${name}"; filename*=UTF-8''${name}`)
      .header('Last-Modified', new Date(upload.createdAt).toUTCString())
      .type('application/octet-stream')
      .send(bytes);
  };

  const lookups = [
    {
      path: 'uploads/:upload_id',
      minRole: roles.maintainer,
      matches: (upload: Upload, params: UploadRoute['Params']) => String(upload.id) === params.upload_id,
    },
    {
      path: 'uploads/:secret/:filename',
      minRole: roles.guest,
      matches: ({ secret, filename }: Upload, params: UploadRoute['Params']) =>
        secret === params.secret && filename === params.filename,
    },
  ];
  for (const { path, minRole, matches } of lookups) {
    const findUpload = (request: FastifyRequest<UploadRoute>, role: number) => {
      const { project } = findProjectWithRole(request, role);
      return {
        project,
        upload: requireFound(uploadsOf(project).find((upload) => matches(upload, request.params))),
      };
    };
    app.get<UploadRoute>(`/projects/:id/${path}`, (request, reply) => {
      const { project, upload } = findUpload(request, minRole);
      return sendUpload(request, reply, project, upload);
    });
    app.delete<UploadRoute>(`/projects/:id/${path}`, (request, reply) => {
      const { project, upload } = findUpload(request, roles.maintainer);
      project.content().otherFiles.delete(upload.archiveMember);
      return reply.code(204).send();
    });
  }
}

function requireFound<Row>(row: Row | undefined): Row {
  if (row === undefined) throw messageError(404, '404 Not found');
  return row;
}
