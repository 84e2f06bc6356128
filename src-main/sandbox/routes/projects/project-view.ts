/** @file A project in the API: simple, full, with permissions and statistics (gitlab-facts 2.1). */
import { isoTime } from '../../../platform/clock.ts';
import { attributesJson, attributesView, containerExpirationPolicy } from '../../projects/attributes-view.ts';
import {
  canReadCode,
  isFeatureVisible,
  licenseOf,
  countOpenIssues,
  statisticsOf,
} from '../../projects/project-facts.ts';
import { booleanOf } from '../../requests/query.ts';
import type { Services } from '../../services.ts';
import { fullPath, hexDigest, roles, type Project, type User } from '../../sandbox-database.ts';
import { basicUser, humanName, namespaceView } from './record-views.ts';

type View = Record<string, unknown>;

/** The fields that identify a project; import and export records begin with them. */
export function identityView(project: Project): View {
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: `${humanName(project.namespace)} / ${project.name}`,
    path: project.path,
    path_with_namespace: fullPath(project),
    created_at: isoTime(project.createdAt),
  };
}

/**
 * Optional parts of a project's record. Only a `single` record has import errors and `license`. Replies to changes have
 * no `permissions`.
 */
export type ViewOptions = Partial<
  Record<'single' | 'permissions' | 'simple' | 'statistics' | 'license' | 'customAttributes', boolean>
>;

export function viewOptions(query: URLSearchParams, single: boolean): ViewOptions {
  const isRequested = (name: string): boolean => booleanOf(query, name) === true;
  return {
    single,
    permissions: true,
    simple: !single && isRequested('simple'),
    statistics: isRequested('statistics'),
    license: single && isRequested('license'),
    customAttributes: isRequested('with_custom_attributes'),
  };
}

/** Returns the record for this caller: simple without an account, full for everybody else. */
export function projectView(
  services: Services,
  project: Project,
  user: User | null,
  options: ViewOptions = {},
): View {
  if (user === null || options.simple === true) return simpleView(services, project, user, options);
  const { before, after } = fullView(services, project, user, options);
  return { ...before, ...attributesView(services, project, user), ...after };
}

/** `projectView` as JSON, for lists: parts that many projects have in common are encoded once. */
export function projectJson(
  services: Services,
  project: Project,
  user: User | null,
  options: ViewOptions,
): string {
  const isSimple = user === null || options.simple === true;
  if (isSimple) return JSON.stringify(simpleView(services, project, user, options));
  const { before, after } = fullView(services, project, user, options);
  const attributes = attributesJson(services, project, user);
  return `${JSON.stringify(before).slice(0, -1)},${attributes.slice(1, -1)},${JSON.stringify(after).slice(1)}`;
}

function simpleView(services: Services, project: Project, user: User | null, options: ViewOptions): View {
  const { avatar, defaultBranch } = project;
  const url = services.url();
  const path = fullPath(project);
  const isAdministrator = user?.administrator === true;
  const mayReadCode = canReadCode(services.database, user, project);
  const fileAt = (name: string): string => `${url}/${path}/-/blob/${defaultBranch}/${name}`;
  const license = mayReadCode ? licenseOf(project) : null;
  const topics = [...project.topics].sort();
  return {
    ...identityView(project),
    ...(mayReadCode && {
      default_branch: defaultBranch,
      readme_url: defaultBranch === null ? null : fileAt('README.md'),
      forks_count: project.forks.size,
    }),
    tag_list: topics,
    topics,
    ssh_url_to_repo: `git@${services.hostname()}:${path}.git`,
    http_url_to_repo: `${url}/${path}.git`,
    web_url: `${url}/${path}`,
    ...(options.license === true &&
      mayReadCode && { license_url: license === null ? null : fileAt('LICENSE'), license }),
    avatar_url:
      avatar === null ? null : `${url}/uploads/-/system/project/avatar/${project.id}/${avatar.name}`,
    star_count: project.stars.size,
    last_activity_at: isoTime(project.lastActivityAt),
    visibility: project.visibility,
    namespace: namespaceView(project.namespace, url),
    ...(isAdministrator && {
      ...(options.customAttributes === true && {
        custom_attributes: [...project.customAttributes].map(([key, value]) => ({ key, value })),
      }),
      repository_storage: project.attributes['repository_storage'] ?? 'default',
    }),
  };
}

/** Returns the fields before and after the attributes in a signed-in caller's record. */
function fullView(services: Services, project: Project, user: User, options: ViewOptions) {
  const { database, deletions } = services;
  const role = database.role(user, project);
  const isMaintainer = role >= roles.maintainer;
  const canSee = (feature: string) => isFeatureVisible(database, user, project, feature);
  const { markedForDeletionOn: markedOn } = project;
  const fieldsBefore = {
    ...simpleView(services, project, user, options),
    ...linksView(services, project, user),
    description_html: htmlOf(project.description),
    updated_at: isoTime(project.updatedAt),
    empty_repo: project.defaultBranch === null,
    archived: project.archived,
    ...ownerView(services, project),
    container_registry_image_prefix: `registry.${services.hostname()}/${fullPath(project)}`,
  };
  const fieldsAfter = {
    container_expiration_policy: containerExpirationPolicy(project),
    can_create_merge_request_in: role >= roles.developer || (role > roles.none && canSee('forking')),
    creator_id: project.creatorId,
    ...(isMaintainer && {
      service_desk_address: serviceDeskAddress(services, project),
      import_url: project.attributes['import_url'] ?? null,
      import_type: project.importType,
      ...(options.single === true && { import_error: project.importError }),
      runners_token: `GR1348941${hexDigest(`runners ${project.id}`, 20)}`,
    }),
    import_status: project.importStatus,
    shared_with_groups: sharesView(services, project, user),
    ...forkView(services, project, user),
    ...(deletions.options.delayed && { marked_for_deletion_at: markedOn, marked_for_deletion_on: markedOn }),
    ...(options.permissions === true && { permissions: permissionsView(services, project, user) }),
    ...(canSee('issues') && { open_issues_count: countOpenIssues(project) }),
    ...(options.statistics === true && role >= roles.reporter && { statistics: statisticsOf(project) }),
  };
  return { before: fieldsBefore, after: fieldsAfter };
}

function serviceDeskAddress({ hostname }: Services, project: Project): string | null {
  if (project.attributes['service_desk_enabled'] !== true) return null;
  const slug = fullPath(project).toLowerCase().replaceAll('/', '-');
  return `incoming+${slug}-${project.id}-issue-@${hostname()}`;
}

/** Returns addresses below the configured URL, without addresses of features that the caller does not see. */
function linksView({ database, url }: Services, project: Project, user: User): object {
  const self = `${url()}/api/v4/projects/${project.id}`;
  const canSee = (feature: string) => isFeatureVisible(database, user, project, feature);
  return {
    _links: {
      self,
      ...(canSee('issues') && { issues: `${self}/issues` }),
      ...(canSee('merge_requests') && { merge_requests: `${self}/merge_requests` }),
      repo_branches: `${self}/repository/branches`,
      labels: `${self}/labels`,
      events: `${self}/events`,
      members: `${self}/members`,
      cluster_agents: `${self}/cluster_agents`,
    },
  };
}

function htmlOf(description: string | null): string {
  if (description === null || description === '') return '';
  const text = description.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p data-sourcepos="1:1-1:${Buffer.byteLength(description)}" dir="auto">${text}</p>`;
}

/** Only personal projects have an owner. */
function ownerView({ database, url }: Services, { namespace, createdAt }: Project): object {
  if (namespace.kind !== 'user') return {};
  const owner = database.userByUsername(namespace.path);
  if (owner === undefined) return {};
  return { owner: { ...basicUser(owner, url()), created_at: isoTime(createdAt) } };
}

function permissionsView({ database }: Services, project: Project, user: User): object {
  const access = (level: number | undefined) =>
    level === undefined ? null : { access_level: level, notification_level: 3 };
  const directLevel = project.members.get(user.id);
  const inheritedLevel = database.namespaceRole(user, project.namespace) || undefined;
  // The owner of a personal namespace is a member with role Owner of each project in it.
  return project.namespace.kind === 'user'
    ? { project_access: access(directLevel ?? inheritedLevel), group_access: null }
    : { project_access: access(directLevel), group_access: access(inheritedLevel) };
}

/** Returns the groups that the caller may see. */
function sharesView({ database }: Services, project: Project, user: User): object[] {
  return [...project.shares].flatMap(([id, level]) => {
    const group = database.namespaces.get(id);
    if (group === undefined || !database.canSeeNamespace(user, group)) return [];
    return [
      {
        ...{ group_id: id, group_name: group.name, group_full_path: group.fullPath },
        ...{ group_access_level: level, expires_at: null },
      },
    ];
  });
}

/** A fork shows its source only to callers who may read the source. */
function forkView(services: Services, project: Project, user: User): object {
  if (project.forkOf === null) return {};
  const source = services.database.projects.get(project.forkOf);
  const forkFields = { mr_default_target_self: project.attributes['mr_default_target_self'] ?? false };
  if (source === undefined || source.pendingDelete || !services.database.canRead(user, source))
    return forkFields;
  const view = simpleView(services, source, user, { license: true });
  return { ...forkFields, forked_from_project: view };
}
