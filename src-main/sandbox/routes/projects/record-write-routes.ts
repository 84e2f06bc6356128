/**
 * @file Adds and edits the records of a project that people can repair after an import: issues, merge requests, labels,
 * milestones and protections (gitlab-facts 14.6).
 */
import type { FastifyInstance } from 'fastify';
import { isoTime } from '../../../platform/clock.ts';
import { encodeRecords, recordsOf, type JsonRecord } from '../../content/project-content.ts';
import { messageError, notFound, parameterError } from '../../requests/api-error.ts';
import { parametersOf, type Parameters } from '../../requests/bodies.ts';
import { queryOf, parseBoolean } from '../../requests/query.ts';
import type { Services } from '../../services.ts';
import { roles, type Project } from '../../sandbox-database.ts';
import { projectAccess, type IdRoute } from '../project-access.ts';
import { noteableViews, objectsIn } from '../transfers/noteable-views.ts';
import { labelView, milestoneView } from '../transfers/relation-routes.ts';
import { protectedBranchView, protectedTagView } from './protection-routes.ts';

interface NamedRoute {
  Params: { id: string; name: string };
}
interface IidRoute {
  Params: { id: string; iid: string };
}

/** The columns that take a parameter of the same name. */
const plainColumns = {
  issues: ['title', 'description', 'due_date', 'weight'],
  merge_requests: ['title', 'description', 'target_branch'],
  milestones: ['title', 'description', 'due_date', 'start_date'],
  labels: ['color', 'description'],
} as const;
const newLabel = { description: null, priorities: [], type: 'ProjectLabel', template: false, group_id: null };
const switches = ['confidential', 'discussion_locked', 'squash'] as const;
const states: Readonly<Record<string, string>> = { close: 'closed', reopen: 'opened', activate: 'active' };

export function recordWriteRoutes(app: FastifyInstance, services: Services): void {
  const { clock, tier } = services;
  const { findProjectWithRole } = projectAccess(services);
  const { issueView, mergeRequestView } = noteableViews(services);

  const columnsFrom = (
    relation: keyof typeof plainColumns,
    parameters: Parameters,
    project: Project,
  ): JsonRecord => {
    const columns: JsonRecord = {};
    for (const name of plainColumns[relation]) if (name in parameters) columns[name] = parameters[name];
    for (const name of switches) {
      if (name in parameters) columns[name] = parseBoolean(String(parameters[name]));
    }
    const event = parameters['state_event'];
    if (typeof event === 'string') columns['state'] = states[event] ?? event;
    if ('labels' in parameters) columns['label_links'] = labelLinks(project, parameters['labels']);
    if ('add_labels' in parameters) columns['added_links'] = labelLinks(project, parameters['add_labels']);
    if ('milestone_id' in parameters) columns['milestone'] = milestoneOf(project, parameters['milestone_id']);
    if ('priority' in parameters) columns['priorities'] = prioritiesOf(project, parameters['priority']);
    if (Object.keys(columns).length === 0) {
      throw parameterError(
        400,
        `${plainColumns[relation].join(', ')} are missing, at least one parameter must be provided`,
      );
    }
    return columns;
  };

  const milestoneOf = (project: Project, id: unknown): JsonRecord | null => {
    const index = recordsOf(project.content(), 'milestones').findIndex(
      (_record, each) => milestoneView(_record, each, project).id === Number(id),
    );
    return recordsOf(project.content(), 'milestones')[index] ?? null;
  };

  const replaceRecord = (
    project: Project,
    relation: string,
    index: number,
    columns: JsonRecord,
  ): JsonRecord => {
    const records = [...recordsOf(project.content(), relation)];
    const { label_links: links, added_links: added, ...others } = { ...records[index], ...columns };
    const labels = [...objectsIn(links), ...objectsIn(added)];
    const hasLabels = labels.length > 0 || 'label_links' in columns;
    const record = { ...others, ...(hasLabels && { label_links: labels }), updated_at: isoTime(clock.now()) };
    records[index] = record;
    project.content().relations.set(relation, encodeRecords(records));
    return record;
  };

  const addRecord = (
    project: Project,
    relation: string,
    columns: JsonRecord,
  ): { record: JsonRecord; index: number } => {
    const now = isoTime(clock.now());
    const records = recordsOf(project.content(), relation);
    const record = { ...columns, project_id: project.id, created_at: now, updated_at: now };
    project.content().relations.set(relation, encodeRecords([...records, record]));
    return { record, index: records.length };
  };

  /** Labels that the project lacks are created, as GitLab does. */
  const labelLinks = (project: Project, labels: unknown): JsonRecord[] => {
    const names = Array.isArray(labels) ? labels.map(String) : String(labels).split(',');
    return names
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((title) => {
        const known = recordsOf(project.content(), 'labels').find((label) => label['title'] === title);
        return {
          label: known ?? addRecord(project, 'labels', { ...newLabel, title, color: '#428BCA' }).record,
        };
      });
  };

  for (const [relation, view, minRole] of [
    ['issues', issueView, roles.reporter],
    ['merge_requests', mergeRequestView, roles.developer],
  ] as const) {
    app.put<IidRoute>(`/projects/:id/${relation}/:iid`, (request) => {
      const { project } = findProjectWithRole(request, minRole);
      const index = indexOf(project, relation, 'iid', request.params.iid);
      const record = replaceRecord(
        project,
        relation,
        index,
        columnsFrom(relation, parametersOf(request), project),
      );
      return view(record, index, project);
    });
  }

  app.get<NamedRoute>('/projects/:id/labels/:name', (request) => {
    const { project } = findProjectWithRole(request);
    const index = indexOf(project, 'labels', 'title', request.params.name);
    return labelView(recordsOf(project.content(), 'labels')[index] ?? {}, index, project);
  });
  app.post<IdRoute>('/projects/:id/labels', (request, reply) => {
    const { project } = findProjectWithRole(request, roles.reporter);
    const parameters = parametersOf(request);
    const title = requiredText(parameters, 'name');
    requiredText(parameters, 'color');
    if (isTaken(project, 'labels', 'title', title)) throw messageError(409, 'Label already exists');
    const { record, index } = addRecord(project, 'labels', {
      ...newLabel,
      title,
      ...columnsFrom('labels', parameters, project),
    });
    return reply.code(201).send(labelView(record, index, project));
  });
  app.put<NamedRoute>('/projects/:id/labels/:name', (request) => {
    const { project } = findProjectWithRole(request, roles.reporter);
    const index = indexOf(project, 'labels', 'title', request.params.name);
    const columns = columnsFrom('labels', parametersOf(request), project);
    return labelView(replaceRecord(project, 'labels', index, columns), index, project);
  });

  app.post<IdRoute>('/projects/:id/milestones', (request, reply) => {
    const { project } = findProjectWithRole(request, roles.reporter);
    const parameters = parametersOf(request);
    const title = requiredText(parameters, 'title');
    if (isTaken(project, 'milestones', 'title', title)) {
      throw messageError(400, { title: ['already being used for another group or project milestone.'] });
    }
    const iids = recordsOf(project.content(), 'milestones').map(({ iid }) => Number(iid));
    const { record, index } = addRecord(project, 'milestones', {
      ...{ title, description: null, due_date: null, start_date: null, group_id: null, state: 'active' },
      ...columnsFrom('milestones', parameters, project),
      iid: Math.max(0, ...iids) + 1,
    });
    return reply.code(201).send(milestoneView(record, index, project));
  });
  app.put<IidRoute>('/projects/:id/milestones/:iid', (request) => {
    const { project } = findProjectWithRole(request, roles.reporter);
    // GitLab identifies a milestone by its id here.
    const index = recordsOf(project.content(), 'milestones').findIndex(
      (record, each) => String(milestoneView(record, each, project).id) === request.params.iid,
    );
    if (index < 0) throw notFound('Milestone');
    const columns = columnsFrom('milestones', parametersOf(request), project);
    return milestoneView(replaceRecord(project, 'milestones', index, columns), index, project);
  });

  const levelOf = (parameters: Parameters, name: string): JsonRecord[] => [
    { access_level: Number(parameters[name] ?? roles.maintainer), user_id: null, group_id: null },
  ];
  for (const [relation, view, columnsOf] of [
    [
      'protected_branches',
      protectedBranchView(tier),
      (parameters: Parameters): JsonRecord => ({
        push_access_levels: levelOf(parameters, 'push_access_level'),
        merge_access_levels: levelOf(parameters, 'merge_access_level'),
        unprotect_access_levels: [],
        allow_force_push: isOn(parameters['allow_force_push']),
        code_owner_approval_required: isOn(parameters['code_owner_approval_required']),
      }),
    ],
    [
      'protected_tags',
      protectedTagView,
      (parameters: Parameters): JsonRecord => ({
        create_access_levels: levelOf(parameters, 'create_access_level'),
      }),
    ],
  ] as const) {
    const kind = relation === 'protected_branches' ? 'branch' : 'tag';
    app.get<NamedRoute>(`/projects/:id/${relation}/:name`, (request) => {
      const { project } = findProjectWithRole(request, roles.maintainer);
      const index = indexOf(project, relation, 'name', request.params.name);
      return view(recordsOf(project.content(), relation)[index] ?? {}, index + 1);
    });
    app.post<IdRoute>(`/projects/:id/${relation}`, (request, reply) => {
      const { project } = findProjectWithRole(request, roles.maintainer);
      const parameters = { ...Object.fromEntries(queryOf(request)), ...parametersOf(request) };
      const name = requiredText(parameters, 'name');
      if (isTaken(project, relation, 'name', name)) {
        throw messageError(409, `Protected ${kind} '${name}' already exists`);
      }
      const { record, index } = addRecord(project, relation, { name, ...columnsOf(parameters) });
      return reply.code(201).send(view(record, index + 1));
    });
  }
}

/** Returns the position of the record whose column has the value. Throws 404. */
function indexOf(project: Project, relation: string, column: string, value: string): number {
  const index = recordsOf(project.content(), relation).findIndex(
    (record) => String(record[column]) === value,
  );
  if (index < 0) throw messageError(404, '404 Not found');
  return index;
}

const isOn = (value: unknown): boolean => value === true || value === 'true';

const isTaken = (project: Project, relation: string, column: string, value: string): boolean =>
  recordsOf(project.content(), relation).some((record) => record[column] === value);

function requiredText(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (typeof value !== 'string' || value === '') throw parameterError(400, `${name} is missing`);
  return value;
}

const prioritiesOf = (project: Project, priority: unknown): JsonRecord[] =>
  priority === null ? [] : [{ project_id: project.id, priority: Number(priority) }];
