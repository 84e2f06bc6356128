/** @file Every citation of `docs/gitlab-facts.md` names an existing section, and no comment cites a missing document. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const sections = [
  ...readFileSync(join(root, 'docs/gitlab-facts.md'), 'utf8').matchAll(/^#{2,3} (\d+(?:\.\d+)?) /gm),
].map((match) => match[1] ?? '');

/**
 * Matches `gitlab-facts` and the numbers after it: `5.5`, `1.3 and 7`, `14 to 16`. The page's own name and quoted marks
 * are no citations.
 */
const citation =
  /gitlab-facts(?!\.md|['"])(?<numbers> \d+(?:\.\d+)?(?:(?:, | and | or | to )\d+(?:\.\d+)?)*)?/g;
/** Documents that were never part of this repository. */
const numberedDocument = /\bdocuments? \d/gi;
const comment = /\/\*.*?\*\/|<!--.*?-->|(?<=^|\s)\/\/.*?$/gms;
const markdownName = /[\w./-]*\w\.md\b/g;

/** Returns what `text`, the content of the file at `path`, cites although it does not exist. */
function wrongCitations(path: string, text: string): string[] {
  // A citation may continue on the next line of a comment.
  const flat = text.replaceAll(/\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');
  const facts = [...flat.matchAll(citation)].flatMap(({ 0: matched, groups }) => {
    const numbers = groups?.['numbers']?.match(/\d+(?:\.\d+)?/g) ?? null;
    if (numbers === null) return [`${matched} without a section`];
    return numbers.filter((number) => !sections.includes(number)).map((number) => `gitlab-facts ${number}`);
  });
  const comments = path.endsWith('.md') ? '' : (text.match(comment) ?? []).join('\n');
  const files = (comments.match(markdownName) ?? []).filter(
    (name) => !existsSync(join(root, name)) && !existsSync(join(root, dirname(path), name)),
  );
  return [...facts, ...(flat.match(numberedDocument) ?? []), ...files];
}

const cited = globSync(['src-*/**/*.{ts,svelte}', 'test/**/*.ts', 'docs/**/*.md', '*.{md,ts,js,cjs}'], {
  cwd: root,
}).filter((path) => path !== relative(root, import.meta.filename));

test('the sections of the page are numbered in order', () => {
  const order = (number: string): number[] => number.split('.').map(Number);
  const sorted = [...new Set(sections)].toSorted((a, b) => {
    const [chapterA = 0, partA = 0] = order(a);
    const [chapterB = 0, partB = 0] = order(b);
    return chapterA - chapterB || partA - partB;
  });
  expect(sections.length).toBeGreaterThan(30);
  expect(sections).toEqual(sorted);
});

test('every citation names an existing section or document', () => {
  expect(cited.length).toBeGreaterThan(1000);
  const wrong = cited.flatMap((path) =>
    wrongCitations(path, readFileSync(join(root, path), 'utf8')).map((name) => `${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

describe('a citation', () => {
  test.each([
    ['/** Refuses it (gitlab-facts 5.5). */', []],
    ['/**\n * Refuses it (gitlab-facts 1.3, 5.5\n * and 7). */', []],
    ["const mark = 'gitlab-facts';", []],
    ['// docs/gitlab-facts.md has them.', []],
    ['/** Refuses it (gitlab-facts 5.99). */', ['gitlab-facts 5.99']],
    ['/** Refuses it (gitlab-facts 5.5 and\n * 99). */', ['gitlab-facts 99']],
    ["when: 'it is gone (gitlab-facts 99)',", ['gitlab-facts 99']],
    ['/** Refuses it (gitlab-facts, timeline). */', ['gitlab-facts without a section']],
    ['/** Refuses it. Document 2, Import a file. */', ['Document 2']],
    ['// As the documents\n// 1 and 2 have it.', ['documents 1']],
    ['/** See reliability.md. */', ['reliability.md']],
    ['<!-- See docs/archive-fields.md. -->', ['docs/archive-fields.md']],
    ["const name = 'archive-fields.md';", []],
  ])('in %j has the errors %j', (text, wrong) => {
    expect(wrongCitations('src-main/example.ts', text)).toEqual(wrong);
  });
});
