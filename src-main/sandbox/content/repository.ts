/** @file The git repositories of a seeded project: linear commits, branches that each add two files, tags, and a wiki. */
import { type SeededRandom, baseTime } from './seeded-random.ts';
import { BundleBuilder } from './git-bundle.ts';
import type { Recipe } from './recipes.ts';

import type { Author } from './records.ts';

type CommitAuthor = Pick<Author, 'name' | 'email'>;
/** A branch besides `main`: one commit that adds the files on top of `base`. */
export interface TopicBranch {
  name: string;
  sha: string;
  base: string;
  files: AddedFile[];
}

export interface AddedFile {
  path: string;
  text: string;
}

export interface GeneratedRepository {
  bundle: Buffer;
  head: string;
  branches: TopicBranch[];
  tags: { name: string; sha: string }[];
}

export function generateRepository(
  recipe: Recipe,
  random: SeededRandom,
  author: CommitAuthor,
): GeneratedRepository {
  const writer = new BundleBuilder();
  const files = new Map<string, string>();
  let seconds = baseTime / 1000;
  let parents: string[] = [];
  const commit = (message: string, tree: ReadonlyMap<string, string>): string => {
    seconds += 3600;
    return writer.commit({ message, unixSeconds: seconds, author, files: tree, parents });
  };

  const main: string[] = [];
  for (let index = 0; index < recipe.commits; index += 1) {
    const path = index === 0 ? 'README.md' : `src/${random.words(1)}/${random.words(1)}-${index}.txt`;
    files.set(path, index === 0 ? `# ${recipe.name}\n\n${recipe.description}\n` : generateText(random));
    const sha = commit(`Add ${path}`, files);
    main.push(sha);
    parents = [sha];
  }
  const head = main.at(-1) ?? '';
  writer.addRef('refs/heads/main', head);

  const branches = Array.from({ length: recipe.branches }, (_, index) => {
    const name = `topic/${index + 1}-${recipe.words === 'unicode' ? 'żółw' : 'change'}`;
    const path = `changes/${index + 1}.txt`;
    const added = [
      { path, text: generateText(random) },
      { path: `changes/${index + 1}-why.txt`, text: `Why ${path} changes.\n` },
    ];
    const tree = new Map([...files, ...added.map(({ path: to, text }) => [to, text] as const)]);
    const sha = commit(`Change ${path}`, tree);
    writer.addRef(`refs/heads/${name}`, sha);
    return { name, sha, base: head, files: added };
  });

  const tags = Array.from({ length: recipe.tags }, (_, index) => {
    const name = `v0.${index + 1}.0`;
    const sha = main[index % main.length] ?? head;
    const isAnnotated = index % 3 === 0;
    const target = isAnnotated ? writer.tag(name, sha, `Version ${name}`, author, seconds) : sha;
    writer.addRef(`refs/tags/${name}`, target);
    return { name, sha };
  });
  return { bundle: writer.createBundle(head), head, branches, tags };
}

export function generateWiki(random: SeededRandom, author: CommitAuthor): Buffer {
  const writer = new BundleBuilder();
  const files = new Map([
    ['home.md', `# Home\n\n${generateText(random)}`],
    ['guide/start.md', generateText(random)],
  ]);
  const head = writer.commit({
    message: 'Create home',
    unixSeconds: baseTime / 1000,
    author,
    files,
    parents: [],
  });
  writer.addRef('refs/heads/main', head);
  return writer.createBundle(head);
}

function generateText(random: SeededRandom): string {
  return Array.from({ length: 3 + random.integerBelow(8) }, () => `${random.words(6)}\n`).join('');
}
