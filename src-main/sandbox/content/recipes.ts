/** @file Recipes for the projects that a sandbox is seeded with: how many records of each kind `generate.ts` makes. */
import type { Visibility } from '../sandbox-database.ts';

/** The kinds of records that a recipe counts, each with its maximum in a light project (see `recipeOf`). */
const maxLightCounts = {
  /** Commits on the default branch; 0 for an empty repository. */
  commits: 3,
  /** Branches besides the default branch. */
  branches: 3,
  /** Tags; every third tag is annotated. */
  tags: 3,
  labels: 3,
  milestones: 3,
  issues: 6,
  /** Discussions of up to three notes per issue; every issue also has a system note. */
  discussions: 1,
  mergeRequests: 3,
  /** Comments per merge request. */
  diffNotes: 1,
  /** Comments on commits. */
  commitNotes: 2,
  releases: 3,
  pipelines: 3,
  snippets: 1,
  uploads: 1,
  lfsObjects: 1,
  badges: 1,
  schedules: 1,
  /** At most one protected environment, one approval rule, one push rule, one setting of error tracking, and one avatar. */
  environments: 1,
  approvalRules: 1,
  pushRules: 1,
  errorTrackings: 1,
  avatars: 1,
};
const kinds = Object.keys(maxLightCounts) as (keyof typeof maxLightCounts)[];

type Counts = Record<keyof typeof maxLightCounts, number>;

interface ProjectFields {
  path: string;
  name: string;
  /** Full path of a seeded group. */
  group: string;
  description: string;
  visibility: Visibility;
  archived: boolean;
  wiki: boolean;
  /** The vocabulary of titles and texts. */
  words: 'plain' | 'unicode';
}

export type Recipe = ProjectFields & Counts;

/** Creates a recipe. Counts default to 0, commits to 4. */
function recipe(
  description: string,
  fields: Pick<ProjectFields, 'path' | 'name' | 'group'> & Partial<ProjectFields>,
  counts: Partial<Counts>,
): Recipe {
  const zeroCounts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Counts;
  const defaults = { visibility: 'private', archived: false, wiki: false, words: 'plain' } as const;
  return { ...zeroCounts, ...defaults, commits: 4, description, ...fields, ...counts };
}

export const recipes: readonly Recipe[] = [
  recipe(
    'Issues with discussions, sorted by labels and milestones',
    { path: 'compass', name: 'Compass', group: 'atlas' },
    { labels: 6, milestones: 3, issues: 24, discussions: 3, branches: 1 },
  ),
  recipe(
    'Merge requests with comments on their diffs',
    { path: 'ferry', name: 'Ferry', group: 'atlas/tools' },
    {
      commits: 8,
      branches: 6,
      labels: 3,
      milestones: 1,
      issues: 4,
      discussions: 1,
      mergeRequests: 12,
      diffNotes: 3,
      commitNotes: 4,
    },
  ),
  recipe(
    'Tagged releases and many pipelines',
    { path: 'lighthouse', name: 'Lighthouse', group: 'borealis', visibility: 'internal' },
    { commits: 12, branches: 2, tags: 9, milestones: 2, issues: 5, releases: 6, pipelines: 30 },
  ),
  recipe(
    'A wiki, uploads, snippets and large files',
    { path: 'almanac', name: 'Almanac', group: 'atlas', wiki: true },
    { issues: 6, discussions: 1, uploads: 5, lfsObjects: 2, snippets: 3, avatars: 1 },
  ),
  recipe(
    'An empty repository with a few issues',
    { path: 'blank-slate', name: 'Blank slate', group: 'borealis' },
    { commits: 0, labels: 1, issues: 3, errorTrackings: 1 },
  ),
  recipe(
    'The large one',
    { path: 'caravan', name: 'Caravan', group: 'atlas/tools', visibility: 'internal', wiki: true },
    {
      commits: 60,
      branches: 20,
      tags: 12,
      labels: 25,
      milestones: 8,
      issues: 240,
      discussions: 2,
      mergeRequests: 60,
      diffNotes: 2,
      commitNotes: 5,
      releases: 8,
      pipelines: 80,
      snippets: 3,
      uploads: 3,
      badges: 3,
      schedules: 3,
      environments: 1,
      approvalRules: 1,
      pushRules: 1,
    },
  ),
  recipe(
    'Wszystko po swojemu: 日本語, Ελληνικά, עברית, 🐢',
    { path: 'zolw', name: 'Żółw 日本語 Ελλάδα', group: 'borealis', words: 'unicode' },
    { labels: 4, milestones: 2, issues: 10, discussions: 2, mergeRequests: 3, diffNotes: 1, branches: 3 },
  ),
  recipe(
    'Archived and public',
    { path: 'museum', name: 'Museum', group: 'atlas', visibility: 'public', archived: true },
    { tags: 2, issues: 7, mergeRequests: 2, releases: 1 },
  ),
];

/**
 * Returns the recipe of the nth seeded project (from 0). After the first round of recipes, all projects are light; with
 * `isLight`, those of the first round, too.
 */
export function recipeOf(index: number, isLight: boolean): Recipe {
  const round = Math.floor(index / recipes.length);
  const recipe = recipes[index % recipes.length] as Recipe;
  const first = isLight || round > 0 ? lightened(recipe) : recipe;
  if (round === 0) return first;
  return { ...first, path: `${first.path}-${round + 1}`, name: `${first.name} ${round + 1}` };
}

function lightened(recipe: Recipe): Recipe {
  const counts = kinds.map((kind) => [kind, Math.min(recipe[kind], maxLightCounts[kind])]);
  return { ...recipe, ...(Object.fromEntries(counts) as Counts) };
}
