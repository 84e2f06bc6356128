/** @file The filters of GitLab's project lists (gitlab-facts 14.2 and 10). */
import { invalid } from '../requests/api-error.ts';
import { featureVisible, languagesOf } from './project-facts.ts';
import { booleanOf, choiceOf, numberOf, timeOf } from '../requests/query.ts';
import type { Tier } from '../tier.ts';
import { fullPath, roles, type Project, type User, type World } from '../world.ts';

type Test = (project: Project) => boolean;

/** The facts besides the project that filters use. */
export interface Viewer {
  world: World;
  user: User | null;
  tier: Tier;
}

const accessLevels = [5, 10, 15, 20, 25, 30, 40, 50];

/**
 * Yields the projects of `rows` that the caller may see and that match the query, each tested on demand. Throws 400 at
 * once for an invalid value. Filters for administrators or paid tiers have no effect for others.
 */
export function filterProjects(
  viewer: Viewer,
  rows: Iterable<Project>,
  query: URLSearchParams,
): Iterable<Project> {
  const { world, user, tier } = viewer;
  const administrator = user?.administrator === true;
  const isPaid = tier !== 'free';
  const asksForOwn = ['membership', 'owned', 'starred', 'imported'].some(
    (name) => booleanOf(query, name) === true,
  );
  const least = minLevel(query);
  const withPending = administrator && booleanOf(query, 'include_pending_delete') === true;
  const withHidden = administrator && isPaid && booleanOf(query, 'include_hidden') === true;
  const tests: Test[] = [
    ...idTests(query),
    (project) => withPending || !project.pendingDelete,
    (project) => withHidden || !project.hidden,
    ...timeTests(query),
    ...ownTests(world, user, query, least),
    ...featureTests(viewer, query),
    ...(administrator ? administratorTests(query) : []),
    ...(isPaid ? paidTests(query) : []),
    ...searchTests(query),
    (project) => world.canRead(user, project),
  ];
  if (user === null && (asksForOwn || least !== null)) return [];
  return passing(rows, tests);
}

function* passing(rows: Iterable<Project>, tests: readonly Test[]): Generator<Project, void> {
  for (const project of rows) if (tests.every((test) => test(project))) yield project;
}

function minLevel(query: URLSearchParams): number | null {
  const least = numberOf(query, 'min_access_level');
  if (least !== null && !accessLevels.includes(least)) {
    throw invalid(400, 'min_access_level does not have a valid value');
  }
  return least;
}

function idTests(query: URLSearchParams): Test[] {
  const after = numberOf(query, 'id_after');
  const before = numberOf(query, 'id_before');
  return [
    ...(after === null ? [] : [(project: Project) => project.id > after]),
    ...(before === null ? [] : [(project: Project) => project.id < before]),
  ];
}

function timeTests(query: URLSearchParams): Test[] {
  const bounds = (name: string, timeIn: (project: Project) => number): Test[] => {
    const after = timeOf(query, `${name}_after`);
    const before = timeOf(query, `${name}_before`);
    return [
      ...(after === null ? [] : [(project: Project) => timeIn(project) > after]),
      ...(before === null ? [] : [(project: Project) => timeIn(project) < before]),
    ];
  };
  const updated = bounds('updated', (project) => project.updatedAt);
  // These filters work only with this order.
  const isByUpdate = query.get('order_by') === 'updated_at';
  return [...(isByUpdate ? updated : []), ...bounds('last_activity', (project) => project.lastActivityAt)];
}

/** Tests of the caller's own relation to a project; an administrator's rights do not count. */
function ownTests(world: World, user: User | null, query: URLSearchParams, least: number | null): Test[] {
  if (user === null) return [];
  const role = (project: Project): number => world.memberRole(user, project);
  const tests: Test[] = [];
  if (booleanOf(query, 'membership') === true) tests.push((project) => role(project) > roles.none);
  if (booleanOf(query, 'owned') === true) tests.push((project) => role(project) >= roles.owner);
  if (least !== null) tests.push((project) => role(project) >= least);
  if (booleanOf(query, 'starred') === true) tests.push((project) => project.stars.has(user.id));
  if (booleanOf(query, 'imported') === true) {
    tests.push((project) => project.importType !== null && project.creatorId === user.id);
  }
  // Similarity is only compared for the caller's own projects.
  if (isBySimilarity(query)) tests.push((project) => role(project) > roles.none);
  return tests;
}

/** Whether a list is sorted by similarity, which requires a search. */
export function isBySimilarity(query: URLSearchParams): boolean {
  return query.get('order_by') === 'similarity' && (query.get('search') ?? '') !== '';
}

function featureTests({ world, user }: Viewer, query: URLSearchParams): Test[] {
  const tests: Test[] = [];
  const archived = booleanOf(query, 'archived');
  if (archived !== null) tests.push((project) => project.archived === archived);
  const active = booleanOf(query, 'active');
  const isActive = (project: Project) => !project.archived && project.markedForDeletionOn === null;
  if (active !== null) tests.push((project) => isActive(project) === active);
  const visibility = choiceOf(query, 'visibility', ['private', 'internal', 'public']);
  if (visibility !== null) tests.push((project) => project.visibility === visibility);
  for (const feature of ['issues', 'merge_requests'] as const) {
    const wanted = booleanOf(query, `with_${feature}_enabled`);
    if (wanted === true) tests.push((project) => featureVisible(world, user, project, feature));
  }
  const language = query.get('with_programming_language')?.toLowerCase() ?? '';
  if (language !== '') {
    tests.push((project) =>
      Object.keys(languagesOf(project)).some((name) => name.toLowerCase() === language),
    );
  }
  const topics = (query.get('topic') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const has = (project: Project, topic: string) =>
    project.topics.some((name) => name.toLowerCase() === topic);
  if (topics.length > 0) tests.push((project) => topics.every((topic) => has(project, topic)));
  const topicId = numberOf(query, 'topic_id');
  if (topicId !== null) {
    const topic = [...world.topics].find(([, row]) => row.id === topicId)?.[0];
    tests.push((project) => topic !== undefined && has(project, topic));
  }
  return tests;
}

function administratorTests(query: URLSearchParams): Test[] {
  const tests: Test[] = [];
  const storage = query.get('repository_storage') ?? '';
  if (storage !== '') {
    tests.push((project) => (project.attributes['repository_storage'] ?? 'default') === storage);
  }
  for (const [name, value] of query) {
    const key = /^custom_attributes\[([^\]]+)\]$/.exec(name)?.[1];
    if (key !== undefined) tests.push((project) => project.customAttributes.get(key) === value);
  }
  return tests;
}

function paidTests(query: URLSearchParams): Test[] {
  const tests: Test[] = [];
  const day = timeOf(query, 'marked_for_deletion_on') === null ? null : query.get('marked_for_deletion_on');
  if (day !== null) tests.push((project) => project.markedForDeletionOn === day.slice(0, 10));
  const repository = booleanOf(query, 'repository_checksum_failed');
  if (repository !== null) tests.push((project) => project.repositoryChecksumFailed === repository);
  const wiki = booleanOf(query, 'wiki_checksum_failed');
  if (wiki !== null) tests.push((project) => project.wikiChecksumFailed === wiki);
  return tests;
}

/** Every word must occur; one of fewer than three characters only matches a whole field. */
function searchTests(query: URLSearchParams): Test[] {
  const words = (query.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const isWide = booleanOf(query, 'search_namespaces') === true;
  if (words.length === 0) return [];
  return [
    (project) => {
      const fields = [project.path, project.name, project.description ?? ''];
      if (isWide) fields.push(fullPath(project), project.namespace.name);
      const texts = fields.map((text) => text.toLowerCase());
      return words.every((word) =>
        texts.some((text) => (word.length < 3 ? text === word : text.includes(word))),
      );
    },
  ];
}
