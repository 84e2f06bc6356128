/** @file Obstacles to a migration in the namespaces that receive its projects (gitlab-facts 7 and 12). Pure. */
import { accessLevels } from '../access-levels.ts';
import type { Facts, NamespaceFacts, SideUser } from './facts.ts';
import {
  keepApplicable,
  blocker,
  info,
  migrationFinding,
  warning,
  type RuleFinding,
  type FindingDetails,
} from './rule-finding.ts';

const isGitlabCom = (url: string): boolean => new URL(url).hostname === 'gitlab.com';

export function namespaceFindings({
  namespacesByPath,
  missingGroups,
  target,
  projects,
}: Facts): RuleFinding[] {
  const used = new Set(projects.map(({ placement }) => placement.namespace.toLowerCase()));
  return [
    ...[...namespacesByPath.values()].flatMap((namespace) => {
      if (namespace.kind === 'missing' || !used.has(namespace.fullPath.toLowerCase())) return [];
      return keepApplicable([namespaceFinding(namespace, target.user)]).map((finding) =>
        migrationFinding(finding, namespace.fullPath),
      );
    }),
    ...missingGroups.map((path) => missingGroupFinding(path, namespacesByPath, target.user, target.url)),
  ];
}

/** Returns the personal namespace above a path, where GitLab allows no groups; null if there is none. */
export function userNamespaceAbove(
  path: string,
  namespacesByPath: ReadonlyMap<string, NamespaceFacts>,
): string | null {
  const [first = '', ...rest] = path.split('/');
  const namespace = namespacesByPath.get(first.toLowerCase());
  return rest.length > 0 && namespace?.kind === 'user' ? namespace.fullPath : null;
}

function namespaceFinding(namespace: NamespaceFacts, user: SideUser): FindingDetails | false {
  const { fullPath, projectCreation, role } = namespace;
  if (namespace.kind === 'user') return personalNamespaceFinding(namespace, user);
  if (namespace.markedForDeletionOn !== null) {
    return blocker(
      'group-pending-deletion',
      `The group ${fullPath} on the target has been marked for deletion since ${namespace.markedForDeletionOn}.`,
      'Restore it, or choose another place for the projects.',
    );
  }
  if (projectCreation === 'noone') {
    return blocker(
      'group-takes-no-projects',
      `Nobody may create projects in ${fullPath}.`,
      'An owner of the group can allow it: Settings, General, Permissions, "Roles allowed to create projects".',
    );
  }
  if (user.administrator) return false;
  if (role === null) {
    return info(
      'group-role-unknown',
      `The role of ${user.username} in ${fullPath} is not known.`,
      'The role must be Maintainer or Owner.',
    );
  }
  const isForOwners = projectCreation === 'owner';
  const isForAdministrators = projectCreation === 'administrator';
  const requiredLevel = isForOwners ? accessLevels.owner : accessLevels.maintainer;
  const requiredRole = isForAdministrators ? 'administrator' : isForOwners ? 'Owner' : 'Maintainer';
  return (
    (isForAdministrators || role < requiredLevel) &&
    blocker(
      'group-role-too-low',
      `${user.username} may not import into ${fullPath}: the role ${requiredRole} is required.`,
      'Have an owner of the group raise the role, or use another account.',
    )
  );
}

function personalNamespaceFinding({ fullPath }: NamespaceFacts, user: SideUser): FindingDetails | false {
  if (fullPath.toLowerCase() !== user.username.toLowerCase() && !user.administrator) {
    return blocker(
      'namespace-of-another',
      `${fullPath} is the personal namespace of another user.`,
      'Choose a group for the projects.',
    );
  }
  return (
    user.projectsLimit === 0 &&
    blocker(
      'no-personal-projects',
      `${user.username} may not own projects.`,
      'Choose a group for the projects, or have an administrator raise the limit.',
    )
  );
}

function missingGroupFinding(
  path: string,
  namespacesByPath: ReadonlyMap<string, NamespaceFacts>,
  user: SideUser,
  url: string,
): RuleFinding {
  const message = `The target has no group ${path}.`;
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const blockerFinding = (why: string, advice: string): RuleFinding =>
    migrationFinding(blocker('group-missing', `${message} ${why}`, advice), path);
  if (parent === '') {
    if (isGitlabCom(url)) {
      return blockerFinding(
        'The API of GitLab.com cannot create top-level groups.',
        'Create it in the browser, then check again; or choose an existing group for the projects.',
      );
    }
    if (user.mayCreateGroups === false) {
      return blockerFinding(
        `${user.username} may not create top-level groups.`,
        'Have a user with that right create it, or choose an existing group for the projects.',
      );
    }
  }
  const parentGroup = namespacesByPath.get(parent.toLowerCase());
  const requiredLevel =
    parentGroup?.subgroupCreation === 'owner' ? accessLevels.owner : accessLevels.maintainer;
  if (
    parentGroup?.kind === 'group' &&
    !user.administrator &&
    parentGroup.role !== null &&
    parentGroup.role < requiredLevel
  ) {
    return blockerFinding(
      `${user.username} may not create groups in ${parent}.`,
      'Have an owner of that group create it, or raise the role.',
    );
  }
  const advice = 'The group is created if the migration is started with the option to create groups.';
  return migrationFinding(warning('group-missing', message, advice), path);
}
