/**
 * @file The noun *scope*: the projects of an instance that "all" includes for an account, and why a project left it.
 * Contains the words that the command line and the window share. Has no schema, so that the page can import it.
 */

/**
 * `member`: projects that the account is a member of; `owned`: projects that it owns; `visible`: projects that it sees.
 */
export const scopes = ['member', 'owned', 'visible'] as const;
export type Scope = (typeof scopes)[number];

/** Returns the scope in words. `username` is null if it is unknown. */
export function scopeText(scope: Scope, username: string | null): string {
  const account = username ?? 'this account';
  switch (scope) {
    case 'member':
      return `projects that ${account} is a member of`;
    case 'owned':
      return `projects that ${account} owns`;
    case 'visible':
      return `all projects that ${account} sees`;
  }
}

/** Returns the sentence about visible projects outside the scope. */
export function excludedProjectsText(scope: Scope, username: string | null, outsideCount: number): string {
  const account = username ?? 'This account';
  return `${account} sees ${outsideCount} more ${outsideCount === 1 ? 'project' : 'projects'} that ${outsideCount === 1 ? 'is' : 'are'} left out: only ${scopeText(scope, username)} are backed up.`;
}

/**
 * Why a project left the scope. `deleted-or-hidden`: GitLab responds with 404 in both cases, unless the account is an
 * administrator. `marked`: the project is marked for deletion. `unknown`: too many projects left at once to check each.
 */
export const outOfScopeReasons = [
  'deleted',
  'deleted-or-hidden',
  'marked',
  'membership-lost',
  'ownership-lost',
  'role-lost',
  'moved',
  'archived',
  'outside-rule',
  'unknown',
] as const;
export type OutOfScopeReason = (typeof outOfScopeReasons)[number];

/** A project that left the scope. */
export interface OutOfScopeProject {
  id: number;
  /** The last path of the project in the scope. */
  fullPath: string;
  reason: OutOfScopeReason;
  /** The day on which it was marked for deletion, or the new path. */
  detail: string | null;
}

/**
 * Returns why a project left the scope, as a phrase after its path. `detail`: the day on which it was marked for
 * deletion, or the new path.
 */
export function outOfScopeText(reason: OutOfScopeReason, detail: string | null): string {
  switch (reason) {
    case 'deleted':
      return 'deleted on GitLab';
    case 'deleted-or-hidden':
      return 'deleted on GitLab, or hidden from this account';
    case 'marked':
      return detail === null ? 'marked for deletion' : `marked for deletion on ${detail}`;
    case 'membership-lost':
      return 'this account is no longer a member';
    case 'ownership-lost':
      return 'this account is no longer an owner';
    case 'role-lost':
      return 'the role of this account is too low for an export now';
    case 'moved':
      return detail === null ? 'moved' : `moved to ${detail}`;
    case 'archived':
      return 'marked as archived on GitLab';
    case 'outside-rule':
      return 'the rule of the plan no longer matches';
    case 'unknown':
      return 'no longer in the list of GitLab';
  }
}

/** Returns how many archives of a project that left the scope are stored, in words. */
export const keptArchivesText = (archiveCount: number): string =>
  archiveCount === 0
    ? 'no archive kept'
    : `${archiveCount} ${archiveCount === 1 ? 'archive' : 'archives'} kept`;
