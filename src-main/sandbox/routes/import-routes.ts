/** @file Import of an uploaded archive, and import status (gitlab-facts 1.3, 7 and 7.1). */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isoTime } from '../../platform/clock.ts';
import { invalid, notFound, refuse } from '../api-error.ts';
import { emptyContent } from '../content/project-content.ts';
import type { FaultSubject } from '../faults.ts';
import { callerOf, faultSubject } from '../server.ts';
import { findProject, type Services } from '../services.ts';
import { hexOf, roles, type Namespace, type Project, type User } from '../world.ts';
import { identityView } from './project-view.ts';

interface ById {
  Params: { id: string };
}

interface Upload {
  fields: Map<string, string>;
  /** Null when the form had no file. */
  file: { path: string; name: string } | null;
}

const pathRule =
  "can only include non-accented letters, digits, '_', '-' and '.'. It must not start with '-', '_', or '.', " +
  "nor end with '-', '_', '.', '.git', or '.atom'.";

const reservedPaths = new Set(
  '- badges blame blob builds commits create create_dir edit files find_file new preview raw refs tree update wikis'.split(
    ' ',
  ),
);

export function importRoutes(app: FastifyInstance, services: Services): void {
  const { world, importer, limiter, faults, clock, background, folder, maxImportSize } = services;
  let uploads = 0;

  const fileSize = maxImportSize === 0 ? Infinity : maxImportSize;
  void app.register(multipart, { limits: { fileSize, fieldSize: 1 << 20 } });

  const receive = async (request: FastifyRequest): Promise<Upload> => {
    const upload: Upload = { fields: new Map(), file: null };
    if (!request.isMultipart()) return upload;
    const path = join(folder, `upload-${++uploads}`);
    try {
      for await (const part of request.parts()) {
        if (part.type === 'field') {
          upload.fields.set(part.fieldname, String(part.value));
        } else {
          if (part.fieldname === 'file') upload.file = { path, name: part.filename };
          await pipeline(part.file, createWriteStream(path, { highWaterMark: 1 << 20 }));
        }
      }
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return upload;
  };

  app.post('/projects/import', async (request, reply) => {
    const { user } = callerOf(request);
    const upload = await receive(request);
    try {
      limiter.import(user);
      for (const { ms } of faults.take(subjectOf(request, user, upload), ['delay-import'])) {
        await clock.sleep(ms, background.signal);
      }
      const project = begin(request, user, upload);
      reply.code(201);
      return importView(project, project);
    } catch (error) {
      if (upload.file !== null) await rm(upload.file.path, { force: true });
      throw error;
    }
  });

  /** What scripted faults are matched against: the project to be made, as far as the fields name one. */
  const subjectOf = (request: FastifyRequest, user: User, { fields }: Upload): FaultSubject => {
    const namespace = world.namespace(namespaceText(user, fields));
    return faultSubject(request, `${namespace?.fullPath ?? ''}/${fields.get('path') ?? ''}`);
  };

  /** Checks in GitLab's order, makes the project's row and starts the import. */
  const begin = (request: FastifyRequest, user: User, { fields, file }: Upload): Project => {
    const path = fields.get('path') ?? '';
    const missing = [...(fields.has('path') ? [] : ['path']), ...(file === null ? ['file'] : [])];
    if (file === null || missing.length > 0)
      throw invalid(400, missing.map((name) => `${name} is missing`).join(', '));
    if (!file.name.endsWith('.gz')) {
      const error = 'You need to upload a GitLab project export archive (ending in .gz).';
      throw refuse(422, { error });
    }
    const namespace = targetNamespace(user, fields);
    const name = fields.get('name') ?? path;
    checkPath(path);
    const taken = world.projectAt(`${namespace.fullPath}/${path}`);
    const overwrite = ['true', '1'].includes(fields.get('overwrite') ?? '');
    if (taken !== undefined && !overwrite) throw refuse(400, 'Path has already been taken');
    const sameName = [...world.projects.values()].some(
      (row) => row !== taken && row.namespace === namespace && row.name.toLowerCase() === name.toLowerCase(),
    );
    if (sameName) throw refuse(400, 'Name has already been taken');

    const content = emptyContent();
    const temporary = taken === undefined ? path : `${path}-import-${hexOf(`${taken.id}`, 8)}`;
    const project = world.addProject({
      namespace,
      path: temporary,
      name: taken === undefined ? name : temporary,
      creatorId: user.id,
      createdAt: clock.now(),
      content: () => content,
    });
    importer.start({
      user,
      project,
      file: file.path,
      overrides: overridesOf(fields),
      replaces: taken ?? null,
      faults: faults.take(faultSubject(request), ['drop-notes', 'end-import']),
    });
    return project;
  };

  const targetNamespace = (user: User, fields: Map<string, string>): Namespace => {
    const given = namespaceFields.filter((name) => fields.has(name));
    if (given.length > 1) throw invalid(400, `${given.join(', ')} are mutually exclusive`);
    const namespace = world.namespace(namespaceText(user, fields));
    if (namespace === undefined || !world.canSeeNamespace(user, namespace)) throw notFound('Namespace');
    const role = user.administrator ? roles.owner : world.namespaceRole(user, namespace);
    if (role < roles.maintainer || namespace.projectCreation === 'noone') {
      throw refuse(400, 'User is not allowed to import projects');
    }
    return namespace;
  };

  app.get<ById>('/projects/:id/import', (request) => {
    const { user } = callerOf(request);
    const project = findProject(world, user, request.params.id);
    const mayRead = world.role(user, project) >= roles.maintainer;
    const hidden = 'Ask a maintainer to check the import status for more details.';
    return importView(project, {
      importError: project.importError === null || mayRead ? project.importError : hidden,
    });
  });
}

const namespaceFields = ['namespace', 'namespace_id', 'namespace_path'] as const;

/** Id or path of the namespace asked for; the caller's own when none is named. */
function namespaceText(user: User, fields: Map<string, string>): string {
  const given = namespaceFields.find((name) => fields.has(name));
  return (given === undefined ? undefined : fields.get(given)) ?? user.username;
}

function importView(project: Project, { importError }: Pick<Project, 'importError'>): object {
  return {
    ...identityView(project),
    import_status: project.importStatus,
    import_type: project.importType,
    correlation_id: project.correlationId,
    failed_relations: [...project.importFailures]
      .reverse()
      .slice(0, 100)
      .map((failure) => ({
        id: failure.id,
        created_at: isoTime(failure.createdAt),
        exception_class: failure.exceptionClass,
        exception_message: null,
        source: 'process_relation_item!',
        relation_name: failure.relation,
        line_number: failure.line,
      })),
    import_error: importError,
    stats: null,
  };
}

function checkPath(path: string): void {
  if (path === '') throw refuse(400, "Path can't be blank");
  if (path.length > 255) throw refuse(400, 'Path is too long (maximum is 255 characters)');
  const wellFormed = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/i.test(path) && !/\.(?:git|atom)$/i.test(path);
  if (!wellFormed) throw refuse(400, `Path ${pathRule}`);
  if (reservedPaths.has(path)) throw refuse(400, `${path} is a reserved name`);
}

/** `override_params[key]=value`; blank values are ignored. */
function overridesOf(fields: Map<string, string>): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const [name, value] of fields) {
    const key = /^override_params\[(\w+)\]$/.exec(name)?.[1];
    if (key !== undefined && value !== '') overrides[key] = value;
  }
  return overrides;
}
