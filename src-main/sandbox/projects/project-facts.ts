/** @file Facts derived from a project's row and content: features, sizes, languages, licence. */
import { countCommits } from '../content/pack.ts';
import { recordsOf, sizeOf } from '../content/project-content.ts';
import { hexDigest, roles, type Project, type User, type SandboxDatabase } from '../sandbox-database.ts';

/** Returns who may use a feature: `disabled`, `private` (members only), `enabled`. */
export function accessLevel(project: Project, feature: string): string {
  const level = project.attributes[`${feature}_access_level`];
  if (typeof level === 'string') return level;
  return feature === 'security_and_compliance' || feature === 'pages' ? 'private' : 'enabled';
}

export function isFeatureVisible(
  database: SandboxDatabase,
  user: User | null,
  project: Project,
  feature: string,
): boolean {
  const level = accessLevel(project, feature);
  if (level === 'disabled') return false;
  return level !== 'private' || database.role(user, project) > roles.none;
}

/** Returns true if the user may read the repository; a guest of a private project may not. */
export function canReadCode(database: SandboxDatabase, user: User | null, project: Project): boolean {
  if (!isFeatureVisible(database, user, project, 'repository')) return false;
  const isOpen = project.visibility === 'public' || (project.visibility === 'internal' && user !== null);
  return isOpen || database.role(user, project) >= roles.reporter;
}

const openIssueCounts = new WeakMap<Buffer, number>();

/**
 * Returns the number of open issues. The count is cached until the issues change, because every list of projects shows
 * it.
 */
export function countOpenIssues(project: Project): number {
  const content = (project.statisticsContent ?? project.content)();
  const bytes = content.relations.get('issues');
  if (bytes === undefined) return 0;
  const cachedCount = openIssueCounts.get(bytes);
  if (cachedCount !== undefined) return cachedCount;
  const count = recordsOf(content, 'issues').filter((row) => row['state'] !== 'closed').length;
  openIssueCounts.set(bytes, count);
  return count;
}

export function statisticsOf(project: Project): Record<string, number> {
  const { otherFiles } = (project.statisticsContent ?? project.content)();
  const sum = (prefix: string): number =>
    [...otherFiles].reduce(
      (total, [name, bytes]) => total + (name.startsWith(prefix) ? sizeOf(bytes) : 0),
      0,
    );
  const repository = sizeOf(otherFiles.get('project.bundle'));
  const wiki = sizeOf(otherFiles.get('project.wiki.bundle'));
  const lfs = sum('lfs-objects/');
  const snippets = sum('snippets/');
  const uploads = sum('uploads/');
  return {
    commit_count: countCommits(otherFiles.get('project.bundle')),
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

const languages = ['Ruby', 'Go', 'TypeScript', 'Python', 'Rust', 'Java', 'Shell', 'C'] as const;

/**
 * Returns percentages, the most used language first. They depend only on the project's name, so a copy has the same
 * languages.
 */
export function languagesOf(project: Project): Record<string, number> {
  if (project.defaultBranch === null) return {};
  const digits = hexDigest(`languages ${project.name}`, 8);
  const first = parseInt(digits.slice(0, 2), 16) % languages.length;
  const second = (first + 1 + (parseInt(digits.slice(2, 4), 16) % (languages.length - 1))) % languages.length;
  const share = 5500 + (parseInt(digits.slice(4), 16) % 4000);
  return { [languages[first] ?? 'C']: share / 100, [languages[second] ?? 'C']: (10_000 - share) / 100 };
}

/**
 * Returns the license, or null. Two in three projects with a non-empty repository have one, chosen by the project's
 * name.
 */
export function licenseOf(project: Project) {
  if (project.defaultBranch === null) return null;
  const license = (key: string, name: string, nickname: string | null) => ({
    key,
    name,
    nickname,
    html_url: `http://choosealicense.com/licenses/${key}/`,
    source_url: `https://opensource.org/licenses/${key}`,
  });
  const choices = [
    license('mit', 'MIT License', null),
    license('gpl-3.0', 'GNU General Public License v3.0', 'GNU GPLv3'),
    null,
  ];
  return choices[parseInt(hexDigest(`license ${project.name}`, 4), 16) % choices.length] ?? null;
}
