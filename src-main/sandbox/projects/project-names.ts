/** @file GitLab's rules for the name and path of a new project (gitlab-facts 7.1). */
import type { Namespace, Project, SandboxDatabase } from '../sandbox-database.ts';

const pathRule =
  "can only include non-accented letters, digits, '_', '-' and '.'. It must not start with '-', '_', or '.', " +
  "nor end with '-', '_', '.', '.git', or '.atom'.";

const nameRule =
  "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. " +
  "It must start with a letter, digit, emoji, or '_'.";

const reserved = new Set(
  (
    '- badges blame blob builds commits create create_dir edit environments/folders files find_file ' +
    'gitlab-lfs/objects info/lfs/objects new preview raw refs tree update wikis'
  ).split(' '),
);

/** Returns the error of a path as text that follows the word "Path", or null. */
export function pathProblem(path: string): string | null {
  if (path === '') return "can't be blank";
  if (reserved.has(path)) return `${path} is a reserved name`;
  if (path.length > 255) return 'is too long (maximum is 255 characters)';
  const isWellFormed = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/i.test(path) && !/\.(?:git|atom)$/i.test(path);
  return isWellFormed ? null : pathRule;
}

export function nameProblem(name: string): string | null {
  if (name.trim() === '') return "can't be blank";
  if (Array.from(name).length > 255) return 'is too long (maximum is 255 characters)';
  const isWellFormed =
    /^[\p{L}\p{N}\p{Extended_Pictographic}_][\p{L}\p{M}\p{N}\p{Emoji}\p{Pd}\u200D_.+ ]*$/u.test(name);
  return isWellFormed ? null : nameRule;
}

/** Returns the name in lower case, with dashes between words. */
export function pathFrom(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/[._-]*-[._-]*/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
}

/** Reports for the name and the path whether another project of the namespace already has it. */
export function takenFields(
  database: SandboxDatabase,
  namespace: Namespace,
  { name, path, except }: { name: string; path: string; except?: Project },
): { name: boolean; path: boolean } {
  const projectAtPath = database.projectAt(`${namespace.fullPath}/${path}`);
  const lowerCaseName = name.toLowerCase();
  return {
    path: projectAtPath !== undefined && projectAtPath !== except,
    name: [...database.projects.values()].some(
      (row) => row !== except && row.namespace === namespace && row.name.toLowerCase() === lowerCaseName,
    ),
  };
}
