import { expect, test } from 'vitest';
import { rank } from '../../../src-renderer/shell/rank.ts';

const entries = ['Go to Projects list', 'Go to Import restore', 'Refresh work', 'Reimport'];
const ranked = (query: string): string[] => rank(query, entries, (title) => ({ title }));

test('without words all are there in their order', () => {
  expect(ranked('  ')).toEqual(entries);
});

test('every word must occur', () => {
  expect(ranked('go list')).toEqual(['Go to Projects list']);
  expect(ranked('go nowhere')).toEqual([]);
});

test('the beginning of a word counts for more than its middle, the beginning of all for most', () => {
  expect(ranked('import')).toEqual(['Go to Import restore', 'Reimport']);
  expect(ranked('re')[0]).toBe('Refresh work');
});

test('what was typed as a whole is meant before what only contains it; keywords count as well', () => {
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
