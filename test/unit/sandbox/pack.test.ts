import { expect, test } from 'vitest';
import { countCommits } from '../../../src-main/sandbox/content/pack.ts';
import { BundleBuilder } from '../../../src-main/sandbox/content/git-bundle.ts';

test('only the commits of a bundle are counted, not its other objects', () => {
  const writer = new BundleBuilder();
  const author = { name: 'Mara', email: 'mara@sandbox.example' };
  let parents: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    const files = new Map([
      ['README.md', text],
      ['src/a.txt', text.repeat(5000)],
    ]);
    parents = [writer.commit({ message: text, unixSeconds: 1_700_000_000, author, files, parents })];
  }
  const [head = ''] = parents;
  writer.addRef('refs/heads/main', head);
  writer.addRef('refs/tags/v1', writer.tag('v1', head, 'Version 1', author, 1_700_000_001));

  expect(countCommits(writer.createBundle(head))).toBe(3);
});

test('a missing or unreadable bundle has no commits', () => {
  expect(countCommits(undefined)).toBe(0);
  expect(countCommits(Buffer.from('# v2 git bundle\n\nPACK'))).toBe(0);
  expect(countCommits(Buffer.from('nothing of the kind'))).toBe(0);
});
