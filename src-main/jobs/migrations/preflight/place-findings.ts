/** @file Obstacles to a migration in the namespaces that receive its projects (gitlab-facts 7 and 12). Pure. */
import { accessLevels } from './access-levels.ts';
import type { Facts, PlaceFacts, SideUser } from './facts.ts';
import { overall, type Found } from './found.ts';

/** The API of gitlab.com creates no top-level groups. */
const onGitlabCom = (url: string): boolean => new URL(url).hostname === 'gitlab.com';

export function placeFindings({ places, missingGroups, target, projects }: Facts): Found[] {
  const used = new Set(projects.map(({ placement }) => placement.namespace.toLowerCase()));
  return [
    ...[...places.values()].flatMap((place) =>
      place.kind === 'missing' || !used.has(place.fullPath.toLowerCase()) ? [] : existing(place, target.user),
    ),
    ...missingGroups.map((path) => missing(path, places, target.user, target.url)),
  ];
}

/** Returns the personal namespace above a path, where GitLab allows no groups; null if there is none. */
export function userNamespaceAbove(path: string, places: ReadonlyMap<string, PlaceFacts>): string | null {
  const [first = '', ...below] = path.split('/');
  const place = places.get(first.toLowerCase());
  return below.length > 0 && place?.kind === 'user' ? place.fullPath : null;
}

function existing(place: PlaceFacts, user: SideUser): Found[] {
  const { fullPath } = place;
  if (place.kind === 'user') return personal(place, user);
  if (place.markedForDeletionOn !== null) {
    return [
      overall(
        {
          code: 'group-pending-deletion',
          severity: 'blocker',
          message: `The group ${fullPath} on the target is marked for deletion since ${place.markedForDeletionOn}.`,
          advice: 'Restore it, or choose another place for the projects.',
        },
        fullPath,
      ),
    ];
  }
  const refusal = creationRefusal(place, user);
  return refusal === null ? [] : [overall(refusal, fullPath)];
}

function creationRefusal({ fullPath, projectCreation, role }: PlaceFacts, user: SideUser) {
  const severity = 'blocker' as const;
  if (projectCreation === 'noone') {
    return {
      code: 'group-takes-no-projects',
      severity,
      message: `Nobody may create projects in ${fullPath}.`,
      advice:
        'An owner of the group can allow it: Settings, General, Permissions, "Roles allowed to create projects".',
    };
  }
  if (user.administrator) return null;
  if (role === null) {
    return {
      code: 'group-role-unknown',
      severity: 'info' as const,
      message: `The role of ${user.username} in ${fullPath} is not known.`,
      advice: 'It must be Maintainer or Owner.',
    };
  }
  const needed = projectCreation === 'owner' ? accessLevels.owner : accessLevels.maintainer;
  if (projectCreation === 'administrator' || role < needed) {
    const wanted =
      projectCreation === 'administrator'
        ? 'administrator'
        : needed === accessLevels.owner
          ? 'Owner'
          : 'Maintainer';
    return {
      code: 'group-role-too-low',
      severity,
      message: `${user.username} may not import into ${fullPath}: it takes the role ${wanted}.`,
      advice: 'Have an owner of the group raise the role, or use another account.',
    };
  }
  return null;
}

function personal({ fullPath }: PlaceFacts, user: SideUser): Found[] {
  if (fullPath.toLowerCase() !== user.username.toLowerCase() && !user.administrator) {
    return [
      overall(
        {
          code: 'namespace-of-another',
          severity: 'blocker',
          message: `${fullPath} is the personal namespace of another user.`,
          advice: 'Choose a group for the projects.',
        },
        fullPath,
      ),
    ];
  }
  if (user.projectsLimit !== 0) return [];
  return [
    overall(
      {
        code: 'no-personal-projects',
        severity: 'blocker',
        message: `${user.username} may not own projects.`,
        advice: 'Choose a group for the projects, or have an administrator raise the limit.',
      },
      fullPath,
    ),
  ];
}

function missing(path: string, places: ReadonlyMap<string, PlaceFacts>, user: SideUser, url: string): Found {
  const about = { code: 'group-missing', message: `The target has no group ${path}.` };
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const blocked = (why: string, advice: string): Found =>
    overall({ ...about, severity: 'blocker', message: `${about.message} ${why}`, advice }, path);
  if (parent === '') {
    if (onGitlabCom(url)) {
      return blocked(
        'The API of GitLab.com creates no top-level groups.',
        'Create it in the browser, then check again; or choose an existing group for the projects.',
      );
    }
    if (user.mayCreateGroups === false) {
      return blocked(
        `${user.username} may not create top-level groups.`,
        'Have it created by somebody who may, or choose an existing group for the projects.',
      );
    }
  }
  const above = places.get(parent.toLowerCase());
  const needed = above?.subgroupCreation === 'owner' ? accessLevels.owner : accessLevels.maintainer;
  if (above?.kind === 'group' && !user.administrator && above.role !== null && above.role < needed) {
    return blocked(
      `${user.username} may not create groups in ${parent}.`,
      'Have an owner of that group create it, or raise the role.',
    );
  }
  return overall(
    {
      ...about,
      severity: 'warning',
      advice: 'It is created if the migration is started with the option to create groups.',
    },
    path,
  );
}
