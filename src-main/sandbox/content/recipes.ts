/**
 * @file Recipes for the projects that a sandbox is seeded with, as data: how many records of each kind. `generate.ts`
 * follows them.
 */
import type { Visibility } from '../world.ts';

export interface Recipe {
  path: string;
  name: string;
  /** Full path of a seeded group. */
  group: string;
  description: string;
  visibility: Visibility;
  archived: boolean;
  /** Commits on the default branch; 0 for an empty repository. */
  commits: number;
  /** Branches besides the default one, and tags; every third tag is annotated. */
  branches: number;
  tags: number;
  labels: number;
  milestones: number;
  issues: number;
  /** Discussions of up to three notes per issue; every issue also has a system note. */
  discussions: number;
  mergeRequests: number;
  /** Diff comments per merge request. */
  diffNotes: number;
  releases: number;
  pipelines: number;
  snippets: number;
  uploads: number;
  lfsObjects: number;
  wiki: boolean;
  /** The vocabulary of titles and texts. */
  words: 'plain' | 'unicode';
}

const nothing: Omit<Recipe, 'path' | 'name' | 'group' | 'description'> = {
  visibility: 'private',
  archived: false,
  commits: 4,
  branches: 0,
  tags: 0,
  labels: 0,
  milestones: 0,
  issues: 0,
  discussions: 0,
  mergeRequests: 0,
  diffNotes: 0,
  releases: 0,
  pipelines: 0,
  snippets: 0,
  uploads: 0,
  lfsObjects: 0,
  wiki: false,
  words: 'plain',
};

export const recipes: readonly Recipe[] = [
  {
    ...nothing,
    path: 'compass',
    name: 'Compass',
    group: 'atlas',
    description: 'Issues with discussions, sorted by labels and milestones',
    labels: 6,
    milestones: 3,
    issues: 24,
    discussions: 3,
    branches: 1,
  },
  {
    ...nothing,
    path: 'ferry',
    name: 'Ferry',
    group: 'atlas/tools',
    description: 'Merge requests with comments on their diffs',
    commits: 8,
    branches: 6,
    labels: 3,
    milestones: 1,
    issues: 4,
    discussions: 1,
    mergeRequests: 12,
    diffNotes: 3,
  },
  {
    ...nothing,
    path: 'lighthouse',
    name: 'Lighthouse',
    group: 'borealis',
    description: 'Tagged releases and many pipelines',
    visibility: 'internal',
    commits: 12,
    branches: 2,
    tags: 9,
    milestones: 2,
    issues: 5,
    releases: 6,
    pipelines: 30,
  },
  {
    ...nothing,
    path: 'almanac',
    name: 'Almanac',
    group: 'atlas',
    description: 'A wiki, uploads, snippets and large files',
    wiki: true,
    issues: 6,
    discussions: 1,
    uploads: 5,
    lfsObjects: 2,
    snippets: 3,
  },
  {
    ...nothing,
    path: 'blank-slate',
    name: 'Blank slate',
    group: 'borealis',
    description: 'An empty repository with a few issues',
    commits: 0,
    labels: 1,
    issues: 3,
  },
  {
    ...nothing,
    path: 'caravan',
    name: 'Caravan',
    group: 'atlas/tools',
    description: 'The large one',
    visibility: 'internal',
    commits: 60,
    branches: 20,
    tags: 12,
    labels: 25,
    milestones: 8,
    issues: 240,
    discussions: 2,
    mergeRequests: 60,
    diffNotes: 2,
    releases: 8,
    pipelines: 80,
    uploads: 3,
    wiki: true,
  },
  {
    ...nothing,
    path: 'zolw',
    name: 'Żółw 日本語 Ελλάδα',
    group: 'borealis',
    description: 'Wszystko po swojemu: 日本語, Ελληνικά, עברית, 🐢',
    labels: 4,
    milestones: 2,
    issues: 10,
    discussions: 2,
    mergeRequests: 3,
    diffNotes: 1,
    branches: 3,
    words: 'unicode',
  },
  {
    ...nothing,
    path: 'museum',
    name: 'Museum',
    group: 'atlas',
    description: 'Archived and public',
    visibility: 'public',
    archived: true,
    tags: 2,
    issues: 7,
    mergeRequests: 2,
    releases: 1,
  },
];

/**
 * Returns the recipe of the nth seeded project (from 0). After the first round projects are light, so that many cost
 * little.
 */
export function recipeOf(index: number): Recipe {
  const round = Math.floor(index / recipes.length);
  const recipe = recipes[index % recipes.length] as Recipe;
  if (round === 0) return recipe;
  const atMost = (limit: number) => (count: number) => Math.min(count, limit);
  const few = atMost(3);
  return {
    ...recipe,
    path: `${recipe.path}-${round + 1}`,
    name: `${recipe.name} ${round + 1}`,
    commits: few(recipe.commits),
    branches: few(recipe.branches),
    tags: few(recipe.tags),
    labels: few(recipe.labels),
    milestones: few(recipe.milestones),
    issues: atMost(6)(recipe.issues),
    discussions: atMost(1)(recipe.discussions),
    mergeRequests: few(recipe.mergeRequests),
    diffNotes: atMost(1)(recipe.diffNotes),
    releases: few(recipe.releases),
    pipelines: few(recipe.pipelines),
    snippets: atMost(1)(recipe.snippets),
    uploads: atMost(1)(recipe.uploads),
    lfsObjects: atMost(1)(recipe.lfsObjects),
  };
}
