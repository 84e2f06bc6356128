/** @file Creating and editing projects (gitlab-facts 14.3, 1.3 and 7.1). */
import type { FastifyInstance } from 'fastify';
import { parameterError, notFound, messageError } from '../../requests/api-error.ts';
import type { AttributeUse } from '../../projects/attribute-table.ts';
import { hasEditAttributes, readParameters, readAttributes } from '../../projects/attributes.ts';
import type { Parameters } from '../../requests/bodies.ts';
import { emptyContent, refsOf } from '../../content/project-content.ts';
import {
  projectLimitProblem,
  requireAllowedVisibility,
  validationErrors,
  readmeBundle,
  throwIfProblems,
  setAttributes,
  withoutCredentials,
} from '../../projects/project-making.ts';
import { pathFrom } from '../../projects/project-names.ts';
import { textParameter } from '../../requests/query.ts';
import { callerOf } from '../../requests/server.ts';
import type { Services } from '../../services.ts';
import {
  fullPath,
  roles,
  type Namespace,
  type Project,
  type User,
  type Visibility,
} from '../../sandbox-database.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { projectView } from './project-view.ts';

const builtInTemplates = new Set(
  'rails spring express iosswift dotnetcore android gomicro gatsby hugo jekyll plainhtml hexo'.split(' '),
);

export function projectWriteRoutes(app: FastifyInstance, services: Services): void {
  const { database, clock, cloner, tier, version, folder } = services;

  const read = (caller: User, parameters: Parameters, use: AttributeUse): Parameters =>
    readAttributes(parameters, use, { tier, version, administrator: caller.administrator });

  app.post('/projects', async (request, reply) => {
    const { user } = callerOf(request);
    const parameters = await readParameters(request, folder);
    if (textParameter(parameters, 'name') === null && textParameter(parameters, 'path') === null) {
      throw parameterError(400, 'name, path are missing, at least one parameter must be provided');
    }
    const attributes = read(user, parameters, 'create');
    const project = create(user, targetOf(user, attributes), attributes, user);
    return reply.code(201).send(projectView(services, project, user));
  });

  app.post<{ Params: { user_id: string } }>('/projects/user/:user_id', async (request, reply) => {
    const { user: caller } = callerOf(request);
    if (!caller.administrator) throw messageError(403, '403 Forbidden');
    const { user_id: id } = request.params;
    if (!/^\d+$/.test(id)) throw parameterError(400, 'user_id is invalid');
    const parameters = await readParameters(request, folder);
    if (textParameter(parameters, 'name') === null) throw parameterError(400, 'name is missing');
    const owner = database.users.get(Number(id));
    if (owner === undefined) throw notFound('User');
    const attributes = read(caller, parameters, 'createFor');
    const project = create(owner, targetOf(owner, attributes), attributes, caller);
    return reply.code(201).send(projectView(services, project, caller));
  });

  /** Returns the namespace of the new project. GitLab has no special error for a missing namespace. */
  const targetOf = (user: User, { namespace_id: id }: Parameters): Namespace => {
    const namespace = typeof id === 'number' ? database.namespaces.get(id) : database.personalNamespace(user);
    if (namespace === undefined || !database.canCreateIn(user, namespace)) {
      throw messageError(400, { namespace: ['is not valid'] });
    }
    return namespace;
  };

  const create = (owner: User, namespace: Namespace, attributes: Parameters, author: User): Project => {
    const textOf = (name: string): string | null => textParameter(attributes, name);
    const name = textOf('name') ?? textOf('path') ?? '';
    const path = textOf('path') ?? pathFrom(name);
    const visibility = (textOf('visibility') ?? 'private') as Visibility;
    requireAllowedVisibility(database, owner, visibility);
    throwIfProblems(validationErrors(database, namespace, { name, path, visibility }, attributes));
    const limitError = projectLimitProblem(database, owner, namespace);
    if (limitError !== null) throw messageError(403, { error: [limitError] });
    const importUrl = textOf('import_url');
    if (importUrl !== null && services.disabledFeatures.has('repository-import'))
      throw messageError(403, '403 Forbidden');
    const withReadme = attributes['initialize_with_readme'] === true;
    if (importUrl !== null && withReadme) throw messageError(400, { import_url: ['not a git repository'] });
    const cloneSource = importUrl === null ? null : findProjectByUrl(importUrl);
    const template = templateOf(owner, attributes);

    const content = emptyContent();
    const project = database.addProject({
      namespace,
      path,
      name,
      visibility,
      creatorId: owner.id,
      createdAt: clock.now(),
      content: () => content,
    });
    const { default_branch: branch, ...otherAttributes } = withoutCreationOnly(attributes);
    setAttributes(database, project, otherAttributes);
    if (cloneSource !== null) {
      project.importType = 'git';
      cloner.start(project, cloneSource, null);
    } else if (template !== null && template !== 'built-in') {
      cloner.start(project, template, null);
    } else if (withReadme || template !== null) {
      project.defaultBranch = typeof branch === 'string' && branch !== '' ? branch : 'main';
      content.otherFiles.set('project.bundle', readmeBundle(project, author, project.defaultBranch));
    }
    return project;
  };

  /** The sandbox can only import its own repositories. */
  const findProjectByUrl = (importUrl: string): Project => {
    const address = withoutCredentials(importUrl);
    const project = [...database.projects.values()].find(
      (row) => address === `${services.url()}/${fullPath(row)}.git`,
    );
    if (project === undefined) {
      throw messageError(422, 'Unable to access repository with the URL and credentials provided');
    }
    return project;
  };

  const templateOf = (user: User, attributes: Parameters): Project | 'built-in' | null => {
    const name = textParameter(attributes, 'template_name');
    const id = attributes['template_project_id'];
    const unknownTemplateError = (): Error =>
      messageError(400, { template_name: [`'${name ?? String(id)}' is unknown or invalid`] });
    if (attributes['use_custom_template'] !== true) {
      if (name !== null && !builtInTemplates.has(name)) throw unknownTemplateError();
      return name === null ? null : 'built-in';
    }
    const groupId = attributes['group_with_project_templates_id'];
    const project = [...database.projects.values()].find(
      (row) =>
        (typeof id === 'number' ? row.id === id : row.name === name || row.path === name) &&
        (groupId === undefined || row.namespace.id === groupId) &&
        database.canRead(user, row),
    );
    if (project === undefined) throw unknownTemplateError();
    return project;
  };

  app.put<IdRoute>('/projects/:id', async (request) => {
    const { user, project } = projectAccess(services).findProjectWithRole(request, roles.maintainer);
    const parameters = await readParameters(request, folder);
    const attributes = read(user, parameters, 'edit');
    // Attributes that the tier lacks are accepted and leave the project unchanged.
    if (!hasEditAttributes(parameters)) {
      throw parameterError(400, 'no parameters are given, at least one parameter must be provided');
    }
    await edit(project, attributes);
    return projectView(services, project, user);
  });

  const edit = async (project: Project, attributes: Parameters): Promise<void> => {
    const { namespace } = project;
    const name = typeof attributes['name'] === 'string' ? attributes['name'] : project.name;
    const path = typeof attributes['path'] === 'string' ? attributes['path'] : project.path;
    const visibility = (textParameter(attributes, 'visibility') ?? project.visibility) as Visibility;
    const problems = validationErrors(
      database,
      namespace,
      { name, path, visibility, except: project },
      attributes,
    );
    // A name that GitLab itself assigned may break the rules for new names, and is kept.
    if (name === project.name) delete problems['name'];
    if (path === project.path) delete problems['path'];
    throwIfProblems(problems);
    const branch = textParameter(attributes, 'default_branch');
    if (branch !== null) {
      const { branches } = await refsOf(project.content());
      if (!branches.some((ref) => ref.name === branch)) {
        throw messageError(400, { base: ['Could not set the default branch'] });
      }
      project.defaultBranch = branch;
    }
    if (path !== project.path || name !== project.name) database.renameWithRedirect(project, path, name);
    setAttributes(database, project, attributes);
    project.updatedAt = clock.now();
  };
}

/** Attributes that only control how the project is created. */
const creationOnlyNames = (
  'namespace_id initialize_with_readme use_custom_template template_name template_project_id ' +
  'group_with_project_templates_id'
).split(' ');

const withoutCreationOnly = (attributes: Parameters): Parameters =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !creationOnlyNames.includes(name)));
