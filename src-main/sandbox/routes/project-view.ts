/** @file A project row as the API shows it: simple, full, with permissions and statistics (gitlab-facts 2.1). */
import { isoTime } from '../../platform/clock.ts';
import { recordsOf, sizeOf } from '../content/project-content.ts';
import type { Services } from '../services.ts';
import { fullPath, roles, type Project, type User } from '../world.ts';
import { basicUser, namespaceView } from './instance-routes.ts';

/** The fields that identify a project; import and export records begin with them. */
export function identityView(project: Project): Record<string, unknown> {
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: `${project.namespace.name} / ${project.name}`,
    path: project.path,
    path_with_namespace: fullPath(project),
    created_at: isoTime(project.createdAt),
  };
}

export function simpleView(services: Services, project: Project): Record<string, unknown> {
  const url = services.url();
  const path = fullPath(project);
  return {
    ...identityView(project),
    default_branch: project.defaultBranch,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: `git@${services.hostname()}:${path}.git`,
    http_url_to_repo: `${url}/${path}.git`,
    web_url: `${url}/${path}`,
    readme_url:
      project.defaultBranch === null ? null : `${url}/${path}/-/blob/${project.defaultBranch}/README.md`,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: isoTime(project.lastActivityAt),
    visibility: project.visibility,
    namespace: namespaceView(project.namespace, url),
  };
}

export interface FullViewOptions {
  /** A list leaves out what only a single read shows. */
  single: boolean;
  statistics: boolean;
}

export function fullView(
  services: Services,
  project: Project,
  user: User,
  options: FullViewOptions,
): Record<string, unknown> {
  const { world } = services;
  const url = services.url();
  const self = `${url}/api/v4/projects/${project.id}`;
  const role = world.role(user, project);
  const direct = project.members.get(user.id);
  const inherited = world.namespaceRole(user, project.namespace);
  const access = (level: number) => ({ access_level: level, notification_level: 3 });
  return {
    ...simpleView(services, project),
    _links: {
      self,
      issues: `${self}/issues`,
      merge_requests: `${self}/merge_requests`,
      repo_branches: `${self}/repository/branches`,
      labels: `${self}/labels`,
      events: `${self}/events`,
      members: `${self}/members`,
      cluster_agents: `${self}/cluster_agents`,
    },
    description_html: project.description ?? '',
    updated_at: isoTime(project.updatedAt),
    packages_enabled: true,
    empty_repo: project.defaultBranch === null,
    archived: project.archived,
    ...ownerView(services, project),
    container_registry_image_prefix: `registry.${services.hostname()}/${fullPath(project)}`,
    issues_enabled: true,
    merge_requests_enabled: true,
    wiki_enabled: true,
    jobs_enabled: true,
    snippets_enabled: true,
    issues_access_level: 'enabled',
    merge_requests_access_level: 'enabled',
    repository_access_level: 'enabled',
    builds_access_level: 'enabled',
    releases_access_level: 'enabled',
    creator_id: project.creatorId,
    import_status: project.importStatus,
    ...(role >= roles.maintainer
      ? {
          import_url: null,
          import_type: project.importType,
          ...(options.single ? { import_error: project.importError } : {}),
        }
      : {}),
    shared_with_groups: [],
    merge_method: 'merge',
    squash_option: 'default_off',
    marked_for_deletion_at: project.markedForDeletionOn,
    marked_for_deletion_on: project.markedForDeletionOn,
    repository_object_format: 'sha1',
    permissions: {
      project_access: direct === undefined ? null : access(direct),
      group_access: project.namespace.kind === 'user' || inherited === 0 ? null : access(inherited),
    },
    ...(options.single
      ? {
          open_issues_count: recordsOf(project.content(), 'issues').filter((row) => row['state'] !== 'closed')
            .length,
        }
      : {}),
    ...(options.statistics && role >= roles.reporter ? { statistics: statistics(project) } : {}),
  };
}

/** Personal projects alone have an owner. */
function ownerView({ world, url }: Services, { namespace }: Project): object {
  if (namespace.kind !== 'user') return {};
  const owner = [...world.users.values()].find((row) => row.username === namespace.path);
  return owner === undefined ? {} : { owner: basicUser(owner, url()) };
}

function statistics(project: Project): Record<string, number> {
  const { members } = project.content();
  const sum = (prefix: string) =>
    [...members].reduce(
      (total, [name, bytes]) => (name.startsWith(prefix) ? total + sizeOf(bytes) : total),
      0,
    );
  const repository = sizeOf(members.get('project.bundle'));
  const wiki = sizeOf(members.get('project.wiki.bundle'));
  const lfs = sum('lfs-objects/');
  const snippets = sum('snippets/');
  const uploads = sum('uploads/');
  return {
    // Counted in the background on a real server, and often still zero.
    commit_count: 0,
    storage_size: repository + wiki + lfs + snippets + uploads,
    repository_size: repository,
    wiki_size: wiki,
    lfs_objects_size: lfs,
    job_artifacts_size: 0,
    pipeline_artifacts_size: 0,
    packages_size: 0,
    snippets_size: snippets,
    uploads_size: uploads,
    container_registry_size: 0,
  };
}
