/** @file Files of a project's Markdown (gitlab-facts 14.5 and 2). Their bytes are part of the project's content. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isoTime } from '../../../platform/clock.ts';
import { invalid, refuse } from '../../requests/api-error.ts';
import { dropFiles, receive } from '../../requests/bodies.ts';
import { sizeOf } from '../../content/project-content.ts';
import { offsetPage } from '../../requests/pages.ts';
import { callerOf } from '../../requests/server.ts';
import { findProject, type Services } from '../../services.ts';
import { hexOf, roles, type Project, type Upload, type User } from '../../world.ts';
import { sendFile } from './export-routes.ts';

interface ById {
  Params: { id: string };
}

interface ByUpload {
  Params: { id: string; upload_id: string };
}

interface BySecret {
  Params: { id: string; secret: string; filename: string };
}

export function uploadRoutes(app: FastifyInstance, services: Services): void {
  const { world, clock, url, folder, maxAttachmentSize } = services;

  const withRole = (request: FastifyRequest<ById>, least: number): { user: User; project: Project } => {
    const { user } = callerOf(request);
    const project = findProject(world, user, request.params.id);
    if (world.role(user, project) < least) throw refuse(403, '403 Forbidden');
    return { user, project };
  };

  /** Returns all uploads, including those of the content, which get their rows on first use. */
  const uploadsOf = (project: Project): Upload[] => {
    const { members } = project.content();
    project.uploads = project.uploads.filter((upload) => members.has(upload.member));
    const known = new Set(project.uploads.map((upload) => upload.member));
    for (const member of members.keys()) {
      const [, secret = '', filename = ''] = /^uploads\/([0-9a-f]{32})\/([^/]+)$/.exec(member) ?? [];
      if (secret === '' || known.has(member)) continue;
      const { createdAt } = project;
      project.uploads.push({ id: world.nextId(), member, secret, filename, createdAt, uploaderId: null });
    }
    return project.uploads;
  };

  app.post<ById>('/projects/:id/uploads', async (request, reply) => {
    const { user, project } = withRole(request, roles.guest);
    const { parameters, files } = await receive(request, folder, maxAttachmentSize);
    const file = files.get('file');
    if (file === undefined) {
      await dropFiles(files);
      throw invalid(400, Object.hasOwn(parameters, 'file') ? 'file is invalid' : 'file is missing');
    }
    const id = world.nextId();
    const secret = hexOf(`upload ${id} ${file.path}`, 32);
    const filename = file.name.replace(/[^\p{L}\p{N}_.+-]/gu, '_');
    const member = `uploads/${secret}/${filename}`;
    project.content().members.set(member, { path: file.path, size: file.size });
    project.uploads.push({ id, member, secret, filename, createdAt: clock.now(), uploaderId: user.id });
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

  app.get<ById>('/projects/:id/uploads', (request, reply) => {
    const { project } = withRole(request, roles.maintainer);
    const { members } = project.content();
    const rows = [...uploadsOf(project)].sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
    return offsetPage(request, reply, url(), rows).map((upload) => {
      const user = upload.uploaderId === null ? undefined : world.users.get(upload.uploaderId);
      return {
        id: upload.id,
        size: sizeOf(members.get(upload.member)),
        filename: upload.filename,
        created_at: isoTime(upload.createdAt),
        uploaded_by:
          user === undefined
            ? null
            : { id: user.id, username: user.username, public_email: user.email, name: user.name },
      };
    });
  });

  const byId = (project: Project, id: string): Upload =>
    found(uploadsOf(project).find((upload) => String(upload.id) === id));

  const bySecret = (project: Project, { secret, filename }: BySecret['Params']): Upload =>
    found(uploadsOf(project).find((upload) => upload.secret === secret && upload.filename === filename));

  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    project: Project,
    upload: Upload,
  ): FastifyReply => {
    const bytes = found(project.content().members.get(upload.member));
    if (!Buffer.isBuffer(bytes)) {
      return sendFile(request, reply, { ...bytes, name: upload.filename, madeAt: upload.createdAt });
    }
    const name = encodeURIComponent(upload.filename);
    return reply
      .header('Content-Disposition', `attachment; filename="${name}"; filename*=UTF-8''${name}`)
      .header('Last-Modified', new Date(upload.createdAt).toUTCString())
      .type('application/octet-stream')
      .send(bytes);
  };

  const remove = (reply: FastifyReply, project: Project, upload: Upload): FastifyReply => {
    project.content().members.delete(upload.member);
    return reply.code(204).send();
  };

  app.get<ByUpload>('/projects/:id/uploads/:upload_id', (request, reply) => {
    const { project } = withRole(request, roles.maintainer);
    return send(request, reply, project, byId(project, request.params.upload_id));
  });

  app.get<BySecret>('/projects/:id/uploads/:secret/:filename', (request, reply) => {
    const { project } = withRole(request, roles.guest);
    return send(request, reply, project, bySecret(project, request.params));
  });

  app.delete<ByUpload>('/projects/:id/uploads/:upload_id', (request, reply) => {
    const { project } = withRole(request, roles.maintainer);
    return remove(reply, project, byId(project, request.params.upload_id));
  });

  app.delete<BySecret>('/projects/:id/uploads/:secret/:filename', (request, reply) => {
    const { project } = withRole(request, roles.maintainer);
    return remove(reply, project, bySecret(project, request.params));
  });
}

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw refuse(404, '404 Not found');
  return row;
}
