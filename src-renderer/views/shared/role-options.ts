/** @file GitLab's roles as options of a `Select` that filters a list. */
import { projectsText } from '../projects/projects.text.ts';

const roles = [10, 15, 20, 30, 40, 50];

export const roleOptions = roles.map((level) => ({
  value: String(level),
  label: projectsText.role(level),
}));
