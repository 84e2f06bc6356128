/**
 * @file Validates all kinds of import requests in GitLab's order and starts the import. The order is: rate limit,
 * namespace, the archive's source, path and name. Only the first failure is reported (gitlab-facts 1.3, 7 and 7.1).
 */
import type { FastifyRequest } from 'fastify';
import { parameterError, notFound, messageError, type ApiError } from '../requests/api-error.ts';
import { readAttributes } from '../projects/attributes.ts';
import { textOf, type Parameters } from '../requests/bodies.ts';
import { emptyContent } from '../content/project-content.ts';
import type { ImportRequest } from './importing.ts';
import { projectLimitProblem } from '../projects/project-making.ts';
import { nameProblem, pathProblem, takenFields } from '../projects/project-names.ts';
import { callerOf, faultSubject } from '../requests/server.ts';
import { parseBoolean } from '../requests/query.ts';
import type { Services } from '../services.ts';
import { lossKinds } from '../exporting/losses.ts';
import { hexDigest, type Namespace, type Project, type User } from '../sandbox-database.ts';

export interface ImportSource extends Pick<ImportRequest, 'file' | 'fetch'> {
  /** Throws if the source can be refused at once. */
  check?: () => Promise<void>;
}

export async function beginImport(
  services: Services,
  request: FastifyRequest,
  parameters: Parameters,
  source: ImportSource,
): Promise<Project> {
  const { database, limiter, faults, clock, background, importer } = services;
  const { user, token } = callerOf(request);
  parseOverwrite(parameters);
  if (services.disabledFeatures.has('import')) throw messageError(403, '403 Forbidden');
  limiter.checkImport(user);
  const path = textOf(parameters, 'path') ?? '';
  const namespacePath = database.namespace(namespaceText(user, parameters))?.fullPath ?? '';
  for (const { ms } of faults.take(faultSubject(request, `${namespacePath}/${path}`), ['delay-import'])) {
    await clock.sleep(ms, background.signal);
  }
  const namespace = targetNamespace(services, user, parameters);
  const overrides = overridesOf(services, user, parameters);
  await source.check?.();

  const name = textOf(parameters, 'name') ?? path;
  const replacedProject = parseOverwrite(parameters)
    ? database.projectAt(`${namespace.fullPath}/${path}`)
    : undefined;
  const used = takenFields(database, namespace, {
    name,
    path,
    ...(replacedProject === undefined ? {} : { except: replacedProject }),
  });
  const problem =
    problemMessage('Path', pathProblem(path) ?? (used.path ? 'has already been taken' : null)) ??
    problemMessage('Name', nameProblem(name) ?? (used.name ? 'has already been taken' : null));
  if (problem !== null) throw messageError(400, problem);
  const limitError = replacedProject === undefined ? projectLimitProblem(database, user, namespace) : null;
  if (limitError !== null) throw messageError(400, limitError);

  const content = emptyContent();
  const temporaryPath =
    replacedProject === undefined ? path : `${path}-${hexDigest(`overwrite ${database.nextId()}`, 32)}`;
  const project = database.addProject({
    namespace,
    path: temporaryPath,
    name: replacedProject === undefined ? name : temporaryPath,
    creatorId: user.id,
    createdAt: clock.now(),
    content: () => content,
  });
  importer.start({
    user,
    isBotToken: token.kind === 'bot',
    project,
    file: source.file,
    fetch: source.fetch,
    overrides,
    replacedProject: replacedProject ?? null,
    faults: faults.take(faultSubject(request), [
      ...lossKinds,
      'spread-failures',
      'list-failures',
      'end-import',
    ]),
  });
  return project;
}

/** Throws unless an uploaded file is named `….gz`; GitLab checks nothing else before the import runs. */
export function checkFileName(name: string): void {
  if (name.endsWith('.gz')) return;
  throw messageError(422, { error: 'You need to upload a GitLab project export archive (ending in .gz).' });
}

/** Returns true if the import replaces an existing project. Throws 400 for a value other than yes or no. */
function parseOverwrite(parameters: Parameters): boolean {
  const text = textOf(parameters, 'overwrite') ?? '';
  const value = text === '' ? false : parseBoolean(text);
  if (value === null) throw parameterError(400, 'overwrite is invalid');
  return value;
}

function problemMessage(field: string, problem: string | null): string | null {
  if (problem === null) return null;
  return problem.endsWith('is a reserved name') ? problem : `${field} ${problem}`;
}

const namespaceFields = ['namespace', 'namespace_id', 'namespace_path'] as const;

function namespaceText(user: User, parameters: Parameters): string {
  const reference = namespaceFields.map((name) => textOf(parameters, name)).find((text) => text !== null);
  return reference ?? user.username;
}

function targetNamespace({ database }: Services, user: User, parameters: Parameters): Namespace {
  const givenFields = namespaceFields.filter((name) => textOf(parameters, name) !== null);
  if (givenFields.length > 1) throw parameterError(400, `${givenFields.join(', ')} are mutually exclusive`);
  const namespace = database.namespace(namespaceText(user, parameters));
  if (namespace === undefined || !database.canSeeNamespace(user, namespace)) throw notFound('Namespace');
  if (!database.canCreateIn(user, namespace))
    throw messageError(400, 'User is not allowed to import projects');
  return namespace;
}

/** Returns the overrides, validated like the attributes of an edit. Blank overrides are ignored. */
function overridesOf({ tier, version }: Services, user: User, parameters: Parameters): Parameters {
  const overrides = parameters['override_params'] ?? {};
  if (typeof overrides !== 'object' || Array.isArray(overrides))
    throw parameterError(400, 'override_params is invalid');
  const nonBlankEntries = Object.entries(overrides as Parameters).filter(
    ([, value]) => value !== '' && value !== null,
  );
  try {
    const context = { tier, version, administrator: user.administrator };
    return readAttributes(Object.fromEntries(nonBlankEntries), 'edit', context);
  } catch (error) {
    const { error: text } = (error as Partial<ApiError>).body as { error: string };
    throw parameterError(400, text.replace(/(^|, )(\w+)/g, '$1override_params[$2]'));
  }
}
