/** @file Import of an uploaded archive, and import status (gitlab-facts 1.3, 7 and 7.1). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isoTime } from '../../platform/clock.ts';
import { invalid, notFound, refuse } from '../api-error.ts';
import { dropFiles, receive, textOf, type Parameters, type Received } from '../bodies.ts';
import { emptyContent } from '../content/project-content.ts';
import type { FaultSubject } from '../faults.ts';
import { callerOf, faultSubject } from '../server.ts';
import { findProject, type Services } from '../services.ts';
import { hexOf, roles, type Namespace, type Project, type User } from '../world.ts';
import { identityView } from './project-view.ts';

interface ById {
  Params: { id: string };
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

  app.post('/projects/import', async (request, reply) => {
    const { user } = callerOf(request);
    const upload = await receive(request, folder, maxImportSize);
    try {
      limiter.import(user);
      for (const { ms } of faults.take(subjectOf(request, user, upload), ['delay-import'])) {
        await clock.sleep(ms, background.signal);
      }
      const project = begin(request, user, upload);
      reply.code(201);
      return importView(project, project);
    } catch (error) {
      await dropFiles(upload.files);
      throw error;
    }
  });

  /** What scripted faults are matched against: the project to be made, as far as the fields name one. */
  const subjectOf = (request: FastifyRequest, user: User, { parameters }: Received): FaultSubject => {
    const namespace = world.namespace(namespaceText(user, parameters));
    return faultSubject(request, `${namespace?.fullPath ?? ''}/${textOf(parameters, 'path') ?? ''}`);
  };

  /** Checks in GitLab's order, makes the project's row and starts the import. */
  const begin = (request: FastifyRequest, user: User, { parameters, files }: Received): Project => {
    const file = files.get('file');
    const path = textOf(parameters, 'path') ?? '';
    const missing = [
      ...(textOf(parameters, 'path') === null ? ['path'] : []),
      ...(file === undefined ? ['file'] : []),
    ];
    if (file === undefined || missing.length > 0)
      throw invalid(400, missing.map((name) => `${name} is missing`).join(', '));
    if (!file.name.endsWith('.gz')) {
      const error = 'You need to upload a GitLab project export archive (ending in .gz).';
      throw refuse(422, { error });
    }
    const namespace = targetNamespace(user, parameters);
    const name = textOf(parameters, 'name') ?? path;
    checkPath(path);
    const taken = world.projectAt(`${namespace.fullPath}/${path}`);
    const overwrite = ['true', '1'].includes(textOf(parameters, 'overwrite') ?? '');
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
      overrides: overridesOf(parameters),
      replaces: taken ?? null,
      faults: faults.take(faultSubject(request), ['drop-notes', 'end-import']),
    });
    return project;
  };

  const targetNamespace = (user: User, parameters: Parameters): Namespace => {
    const given = namespaceFields.filter((name) => textOf(parameters, name) !== null);
    if (given.length > 1) throw invalid(400, `${given.join(', ')} are mutually exclusive`);
    const namespace = world.namespace(namespaceText(user, parameters));
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
function namespaceText(user: User, parameters: Parameters): string {
  const given = namespaceFields.find((name) => textOf(parameters, name) !== null);
  return (given === undefined ? null : textOf(parameters, given)) ?? user.username;
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
function overridesOf(parameters: Parameters): Parameters {
  const given = parameters['override_params'] ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) throw invalid(400, 'override_params is invalid');
  return Object.fromEntries(
    Object.entries(given as Parameters).filter(([, value]) => value !== '' && value !== null),
  );
}
