/** @file Roles by the numbers that GitLab gives them. */
import type { Project } from '../../../../src-preload/contract/projects/project.ts';

const roles: Record<number, string> = {
  5: 'Minimal',
  10: 'Guest',
  15: 'Planner',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
};

/** The account's role in the project; null where the instance did not say. */
export const roleOf = ({ accessLevel }: Project): string | null =>
  accessLevel === null ? null : (roles[accessLevel] ?? String(accessLevel));
