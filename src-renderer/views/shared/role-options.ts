/** @file The roles of GitLab that a list can be filtered by, as options of a `Select`. */
import { projectsText } from '../projects/projects.text.ts';

const roles = [10, 15, 20, 30, 40, 50];

export const roleOptions = roles.map((level) => ({
  value: String(level),
  label: projectsText.role(level),
}));
