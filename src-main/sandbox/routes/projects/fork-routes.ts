/** @file Forking (gitlab-facts 14.4 and 1.3). The new project exists at once; its repository is copied afterwards. */
import type { FastifyInstance } from 'fastify';
import { parameterError, notFound, messageError } from '../../requests/api-error.ts';
import { receiveBody, type Parameters } from '../../requests/bodies.ts';
import { emptyContent, refsOf } from '../../content/project-content.ts';
import { canReadCode, isFeatureVisible } from '../../projects/project-facts.ts';
import {
  capVisibility,
  exceedsVisibility,
  projectLimitProblem,
  validationErrors,
} from '../../projects/project-making.ts';
import { parseBoolean, textParameter } from '../../requests/query.ts';
import { callerOf, faultSubject } from '../../requests/server.ts';
import { findProject, type Services } from '../../services.ts';
import {
  fullPath,
  visibilities,
  type Namespace,
  type Project,
  type User,
  type Visibility,
} from '../../sandbox-database.ts';
import type { IdRoute } from '../project-access.ts';
import { projectView } from './project-view.ts';

const namespaceNames = ['namespace', 'namespace_id', 'namespace_path'] as const;
const nameTakenText = 'Name has already been taken';

export function forkRoutes(app: FastifyInstance, services: Services): void {
  const { database, clock, cloner, faults, folder } = services;

  app.post<IdRoute>('/projects/:id/fork', async (request, reply) => {
    const { user } = callerOf(request);
    const { parameters } = await receiveBody(request, folder, 0);
    const options = parseForkOptions(parameters);
    const source = findProject(database, user, request.params.id);
    const mayFork =
      canReadCode(database, user, source) && isFeatureVisible(database, user, source, 'forking');
    if (!mayFork) throw messageError(404, '404 Not Found');
    const namespace = targetOf(user, parameters);
    const branch = textParameter(parameters, 'branches');
    if (branch !== null) {
      const { branches } = await refsOf(source.content());
      if (!branches.some((ref) => ref.name === branch)) throw notFound('Source Branch');
    }
    const fork = createFork(user, source, namespace, parameters, options);
    const [endFault] = faults.take(faultSubject(request, fullPath(fork)), ['end-fork']);
    cloner.start(fork, source, branch, endFault);
    return reply.code(201).send(projectView(services, fork, user));
  });

  const targetOf = (user: User, parameters: Parameters): Namespace => {
    const givenField = namespaceNames.find((name) => textParameter(parameters, name) !== null);
    const text = givenField === undefined ? user.username : (textParameter(parameters, givenField) ?? '');
    const namespace = database.namespace(text);
    if (namespace === undefined || !database.canSeeNamespace(user, namespace)) throw notFound('Namespace');
    if (!database.canCreateIn(user, namespace)) throw notFound('Target Namespace');
    return namespace;
  };

  const createFork = (
    user: User,
    source: Project,
    namespace: Namespace,
    parameters: Parameters,
    options: { visibility: Visibility | null; targetSelf: boolean },
  ): Project => {
    const name = textParameter(parameters, 'name') ?? source.name;
    const path = textParameter(parameters, 'path') ?? source.path;
    const defaultVisibility = capVisibility(source.visibility, namespace.visibility);
    const visibility = options.visibility ?? defaultVisibility;
    const problems = validationErrors(database, namespace, { name, path, visibility }, parameters);
    if (exceedsVisibility(visibility, source.visibility)) {
      const text = `${visibility} is not allowed since the fork source project has lower visibility.`;
      (problems['visibility_level'] ??= []).push(text);
    }
    const texts = Object.entries(problems).flatMap(([field, list]) =>
      list.map((text) => sentence(field, text)),
    );
    // GitLab refuses both the project's row and the row of its namespace.
    if (texts.includes(nameTakenText)) texts.unshift('Project namespace name has already been taken');
    if (texts.length > 0) throw messageError(409, texts);
    const limitError = projectLimitProblem(database, user, namespace);
    if (limitError !== null) throw messageError(409, [limitError]);
    const content = emptyContent();
    return database.addProject({
      namespace,
      name,
      path,
      visibility,
      description: textParameter(parameters, 'description') ?? source.description,
      creatorId: user.id,
      createdAt: clock.now(),
      topics: source.topics,
      attributes: { ...source.attributes, mr_default_target_self: options.targetSelf },
      forkOf: source.id,
      content: () => content,
    });
  };
}

/** Validates the parameters that need no project; throws 400. */
function parseForkOptions(parameters: Parameters): { visibility: Visibility | null; targetSelf: boolean } {
  const givenFields = namespaceNames.filter((name) => textParameter(parameters, name) !== null);
  if (givenFields.length > 1) throw parameterError(400, `${givenFields.join(', ')} are mutually exclusive`);
  const id = textParameter(parameters, 'namespace_id');
  if (id !== null && !/^\d+$/.test(id)) throw parameterError(400, 'namespace_id is invalid');
  const text = textParameter(parameters, 'visibility');
  const visibility = visibilities.find((name) => name === text) ?? null;
  if (text !== null && visibility === null)
    throw parameterError(400, 'visibility does not have a valid value');
  const flag = parameters['mr_default_target_self'];
  const targetSelf = typeof flag === 'string' ? parseBoolean(flag) : (flag ?? false);
  if (typeof targetSelf !== 'boolean') throw parameterError(400, 'mr_default_target_self is invalid');
  return { visibility, targetSelf };
}

function sentence(field: string, problem: string): string {
  const words = `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`;
  return `${words} ${problem}`;
}
