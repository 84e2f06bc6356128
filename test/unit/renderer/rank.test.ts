import { expect, test } from 'vitest';
import { rank } from '../../../src-renderer/shell/rank.ts';

const entries = ['Go to Projects list', 'Go to Import restore', 'Refresh work', 'Reimport'];
const ranked = (query: string): string[] => rank(query, entries, (title) => ({ title }));

test('without words all entries are returned in their order', () => {
  expect(ranked('  ')).toEqual(entries);
});

test('every word must occur in an entry', () => {
  expect(ranked('go list')).toEqual(['Go to Projects list']);
  expect(ranked('go nowhere')).toEqual([]);
});

test('a match at the beginning of a word ranks above one inside a word, and a match at the beginning of the title ranks first', () => {
  expect(ranked('import')).toEqual(['Go to Import restore', 'Reimport']);
  expect(ranked('re')[0]).toBe('Refresh work');
});

test('an entry that ends with the search text ranks above one that only contains it; keywords are searched too', () => {
  const alike = [
    { title: 'Back up all projects of work' },
    { title: 'Go to Projects', keywords: 'list' },
    { title: 'Refresh', keywords: 'projects' },
  ];
  expect(rank('projects', alike, (entry) => entry).map(({ title }) => title)).toEqual([
    'Go to Projects',
    'Back up all projects of work',
    'Refresh',
  ]);
});
