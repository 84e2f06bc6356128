/** @file The names of GitLab's roles, by their access levels (GitLab's API documentation, "Members"). */

const roles: Partial<Record<number, string>> = {
  5: 'Minimal access',
  10: 'Guest',
  15: 'Planner',
  20: 'Reporter',
  25: 'Security Manager',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
};

/** Returns the name of the role; the number for a level that this version does not know. */
export const roleText = (accessLevel: number): string => roles[accessLevel] ?? String(accessLevel);
