/** @file The filters of GitLab's project lists (gitlab-facts 14.2 and 10). */
import { parameterError } from '../requests/api-error.ts';
import { isFeatureVisible, languagesOf } from './project-facts.ts';
import { booleanOf, choiceOf, numberOf, timeOf } from '../requests/query.ts';
import type { Tier } from '../tier.ts';
import {
  fullPath,
  roles,
  visibilities,
  type Project,
  type User,
  type SandboxDatabase,
} from '../sandbox-database.ts';

type Test = (project: Project) => boolean;

interface Viewer {
  database: SandboxDatabase;
  user: User | null;
  tier: Tier;
}

const accessLevels = [5, 10, 15, 20, 25, 30, 40, 50];

/** Returns the test for a value of the query, or no test if the query lacks the value. */
const testIf = <Value>(value: Value | null, test: (project: Project, value: Value) => boolean): Test[] =>
  value === null ? [] : [(project) => test(project, value)];

/** Returns the test for a flag that has an effect only when it is set. */
const testIfSet = (query: URLSearchParams, name: string, test: Test): Test[] =>
  booleanOf(query, name) === true ? [test] : [];

/**
 * Yields the projects of `rows` that the caller may see and that match the query, each tested on demand. Throws 400 at
 * once for an invalid value. Filters for administrators or paid tiers have no effect for others.
 */
export function filterProjects(
  viewer: Viewer,
  rows: Iterable<Project>,
  query: URLSearchParams,
): Iterable<Project> {
  const { database, user, tier } = viewer;
  const isAdministrator = user?.administrator === true;
  const isPaid = tier !== 'free';
  const hasCallerFilter = ['membership', 'owned', 'starred', 'imported'].some(
    (name) => booleanOf(query, name) === true,
  );
  const minAccessLevel = minLevel(query);
  const includesPending = isAdministrator && booleanOf(query, 'include_pending_delete') === true;
  const includesHidden = isAdministrator && isPaid && booleanOf(query, 'include_hidden') === true;
  const tests: Test[] = [
    ...testIf(numberOf(query, 'id_after'), (project, after) => project.id > after),
    ...testIf(numberOf(query, 'id_before'), (project, before) => project.id < before),
    (project) => includesPending || !project.pendingDelete,
    (project) => includesHidden || !project.hidden,
    ...timeTests(query),
    ...(user === null ? [] : callerTests(database, user, query, minAccessLevel)),
    ...featureTests(viewer, query),
    ...(isAdministrator ? administratorTests(query) : []),
    ...(isPaid ? paidTests(query) : []),
    ...searchTests(query),
    (project) => database.canRead(user, project),
  ];
  if (user === null && (hasCallerFilter || minAccessLevel !== null)) return [];
  return filterRows(rows, tests);
}

function* filterRows(rows: Iterable<Project>, tests: readonly Test[]): Generator<Project, void> {
  for (const project of rows) if (tests.every((test) => test(project))) yield project;
}

function minLevel(query: URLSearchParams): number | null {
  const minAccessLevel = numberOf(query, 'min_access_level');
  if (minAccessLevel === null || accessLevels.includes(minAccessLevel)) return minAccessLevel;
  throw parameterError(400, 'min_access_level does not have a valid value');
}

function timeTests(query: URLSearchParams): Test[] {
  const boundTests = (name: string, getTime: (project: Project) => number): Test[] => [
    ...testIf(timeOf(query, `${name}_after`), (project, after) => getTime(project) > after),
    ...testIf(timeOf(query, `${name}_before`), (project, before) => getTime(project) < before),
  ];
  const updateTests = boundTests('updated', (project) => project.updatedAt);
  // The filters `updated_after` and `updated_before` work only in the order `updated_at`.
  const isSortedByUpdate = query.get('order_by') === 'updated_at';
  return [
    ...(isSortedByUpdate ? updateTests : []),
    ...boundTests('last_activity', (project) => project.lastActivityAt),
  ];
}

/** Tests of the caller's own relation to a project; an administrator's rights do not count. */
function callerTests(
  database: SandboxDatabase,
  user: User,
  query: URLSearchParams,
  minAccessLevel: number | null,
): Test[] {
  const role = (project: Project): number => database.memberRole(user, project);
  const isMember: Test = (project) => role(project) > roles.none;
  const isImported: Test = (project) => project.importType !== null && project.creatorId === user.id;
  return [
    ...testIfSet(query, 'membership', isMember),
    ...testIfSet(query, 'owned', (project) => role(project) >= roles.owner),
    ...testIf(minAccessLevel, (project, level) => role(project) >= level),
    ...testIfSet(query, 'starred', (project) => project.stars.has(user.id)),
    ...testIfSet(query, 'imported', isImported),
    // Sorting by similarity returns only projects that the caller is a member of.
    ...(isSortedBySimilarity(query) ? [isMember] : []),
  ];
}

export function isSortedBySimilarity(query: URLSearchParams): boolean {
  return query.get('order_by') === 'similarity' && (query.get('search') ?? '') !== '';
}

function featureTests({ database, user }: Viewer, query: URLSearchParams): Test[] {
  const isActive: Test = (project) => !project.archived && project.markedForDeletionOn === null;
  const isVisible =
    (feature: string): Test =>
    (project) =>
      isFeatureVisible(database, user, project, feature);
  const hasTopic = (project: Project, topic: string): boolean =>
    project.topics.some((name) => name.toLowerCase() === topic);
  const language = query.get('with_programming_language')?.toLowerCase() ?? '';
  const topics = (query.get('topic') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const topicOf = new Map([...database.topics].map(([topic, { id }]) => [id, topic]));
  return [
    ...testIf(booleanOf(query, 'archived'), (project, archived) => project.archived === archived),
    ...testIf(booleanOf(query, 'active'), (project, active) => isActive(project) === active),
    ...testIf(choiceOf(query, 'visibility', visibilities), (project, value) => project.visibility === value),
    ...testIfSet(query, 'with_issues_enabled', isVisible('issues')),
    ...testIfSet(query, 'with_merge_requests_enabled', isVisible('merge_requests')),
    ...testIf(language || null, (project, value) =>
      Object.keys(languagesOf(project)).some((name) => name.toLowerCase() === value),
    ),
    (project) => topics.every((topic) => hasTopic(project, topic)),
    ...testIf(numberOf(query, 'topic_id'), (project, id) => hasTopic(project, topicOf.get(id) ?? '')),
  ];
}

function administratorTests(query: URLSearchParams): Test[] {
  const customTests = [...query].flatMap(([name, value]) => {
    const key = /^custom_attributes\[([^\]]+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [(project: Project) => project.customAttributes.get(key) === value];
  });
  const storageOf = ({ attributes }: Project): unknown => attributes['repository_storage'] ?? 'default';
  const storage = query.get('repository_storage') ?? '';
  return [...testIf(storage || null, (project, value) => storageOf(project) === value), ...customTests];
}

function paidTests(query: URLSearchParams): Test[] {
  const day = timeOf(query, 'marked_for_deletion_on') === null ? null : query.get('marked_for_deletion_on');
  return [
    ...testIf(day, (project, value) => project.markedForDeletionOn === value.slice(0, 10)),
    ...testIf(
      booleanOf(query, 'repository_checksum_failed'),
      (project, failed) => project.repositoryChecksumFailed === failed,
    ),
    ...testIf(
      booleanOf(query, 'wiki_checksum_failed'),
      (project, failed) => project.wikiChecksumFailed === failed,
    ),
  ];
}

/** Every word must occur. A word of fewer than three characters matches only a whole field. */
function searchTests(query: URLSearchParams): Test[] {
  const words = (query.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const searchesNamespaces = booleanOf(query, 'search_namespaces') === true;
  if (words.length === 0) return [];
  return [
    (project) => {
      const fields = [project.path, project.name, project.description ?? ''];
      if (searchesNamespaces) fields.push(fullPath(project), project.namespace.name);
      const texts = fields.map((text) => text.toLowerCase());
      return words.every((word) =>
        texts.some((text) => (word.length < 3 ? text === word : text.includes(word))),
      );
    },
  ];
}
