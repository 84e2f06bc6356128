/** @file Validates like GitLab's models when creating, editing and forking projects, and sets attributes. */
import { messageError } from '../requests/api-error.ts';
import { avatarProblem, FileParameter } from './attributes.ts';
import { isObject } from '../content/project-content.ts';
import type { Parameters } from '../requests/bodies.ts';
import { BundleBuilder } from '../content/git-bundle.ts';
import { nameProblem, pathProblem, takenFields } from './project-names.ts';
import {
  visibilities,
  type Namespace,
  type Project,
  type User,
  type Visibility,
  type SandboxDatabase,
} from '../sandbox-database.ts';

/** Fields of a project's row; other attributes are stored unchanged. */
const ownFields = new Set(
  'name path description visibility default_branch topics avatar import_url'.split(' '),
);

export type Problems = Record<string, string[]>;

export function validationErrors(
  database: SandboxDatabase,
  namespace: Namespace,
  wanted: { name: string; path: string; visibility: Visibility; except?: Project },
  attributes: Parameters,
): Problems {
  const problems: Problems = {};
  const add = (field: string, problem: string | null): void => {
    if (problem !== null) (problems[field] ??= []).push(problem);
  };
  add('name', nameProblem(wanted.name));
  add('path', pathProblem(wanted.path));
  const used = takenFields(database, namespace, wanted);
  if (used.name) add('name', 'has already been taken');
  if (used.path) add('path', 'has already been taken');
  const { description, avatar, build_timeout: timeout, ci_default_git_depth: depth } = attributes;
  if (typeof description === 'string' && Array.from(description).length > 2000) {
    add('description', 'is too long (maximum is 2000 characters)');
  }
  if (avatar instanceof FileParameter) add('avatar', avatarProblem(avatar));
  if (typeof timeout === 'number' && (timeout < 600 || timeout > 2_592_000)) {
    add('build_timeout', 'needs to be between 10 minutes and 1 month');
  }
  const depthField = 'ci_default_git_depth';
  if (typeof depth === 'number' && depth < 0) add(depthField, 'must be greater than or equal to 0');
  if (typeof depth === 'number' && depth > 1000) add(depthField, 'must be less than or equal to 1000');
  if (exceedsVisibility(wanted.visibility, namespace.visibility)) {
    add('visibility_level', `${wanted.visibility} is not allowed in a ${namespace.visibility} group.`);
  }
  return problems;
}

export function exceedsVisibility(visibility: Visibility, limit: Visibility): boolean {
  return visibilities.indexOf(visibility) > visibilities.indexOf(limit);
}

export function capVisibility(visibility: Visibility, limit: Visibility): Visibility {
  return exceedsVisibility(visibility, limit) ? limit : visibility;
}

/**
 * Throws 400 if the instance restricts the visibility for users who are no administrators. GitLab checks this before all
 * other attributes (`app/services/projects/create_service.rb`).
 */
export function requireAllowedVisibility(
  { restrictedVisibilities }: SandboxDatabase,
  { administrator }: User,
  visibility: Visibility,
): void {
  if (administrator || !restrictedVisibilities.has(visibility)) return;
  throw messageError(400, {
    visibility_level: [`${visibility} has been restricted by your GitLab administrator`],
  });
}

export function throwIfProblems(problems: Problems): void {
  if (Object.keys(problems).length > 0) throw messageError(400, problems);
}

/** Returns the refusal if the namespace is personal and its user has reached the limit of projects, or null. */
export function projectLimitProblem(
  database: SandboxDatabase,
  user: User,
  namespace: Namespace,
): string | null {
  if (namespace.kind !== 'user') return null;
  const count = [...database.projects.values()].filter((row) => row.namespace === namespace).length;
  if (count < user.projectsLimit) return null;
  return user.projectsLimit === 0
    ? 'You cannot create projects in your personal namespace. Contact your GitLab administrator.'
    : `You've reached your limit of ${user.projectsLimit} projects created. Contact your GitLab administrator.`;
}

/** Sets all attributes except name, path and default branch, which the callers set. */
export function setAttributes(database: SandboxDatabase, project: Project, attributes: Parameters): void {
  const { description, visibility, topics, avatar, import_url: importUrl } = attributes;
  if (description !== undefined) project.description = description as string | null;
  const wanted = visibilities.find((name) => name === visibility);
  if (wanted !== undefined) project.visibility = wanted;
  if (Array.isArray(topics))
    project.topics = topics.map((name) => database.findOrCreateTopic(String(name)).name);
  if (avatar === '' || avatar === null) project.avatar = null;
  if (avatar instanceof FileParameter)
    project.avatar = { name: avatar.name, bytes: { path: avatar.path, size: avatar.size } };
  if (typeof importUrl === 'string') project.attributes['import_url'] = withoutCredentials(importUrl);
  for (const [name, value] of Object.entries(attributes)) {
    if (ownFields.has(name)) continue;
    const before = project.attributes[name];
    project.attributes[name] = isObject(value) && isObject(before) ? { ...before, ...value } : value;
  }
}

/** Returns a URL as the API shows it: without user name and password. */
export function withoutCredentials(text: string): string {
  return text.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
}

/** Returns a bundle whose only commit adds a README. */
export function readmeBundle(project: Project, author: User, branch: string): Buffer {
  const writer = new BundleBuilder();
  const text = `# ${project.name}\n\n${project.description ?? ''}\n`;
  const head = writer.commit({
    message: 'Initial commit',
    unixSeconds: Math.floor(project.createdAt / 1000),
    author,
    files: new Map([['README.md', text]]),
    parents: [],
  });
  writer.addRef(`refs/heads/${branch}`, head);
  return writer.createBundle(head);
}
