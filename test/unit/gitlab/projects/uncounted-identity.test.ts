import { expect, it } from 'vitest';
import { uncountedIdentity } from '../../../../src-main/gitlab/projects/uncounted-identity.ts';

it('a snippet and a schedule are identified by the second of their creation, and named as users see them', () => {
  const created = { created_at: '2026-01-02T03:04:05.678Z' };
  const archived = { created_at: '2026-01-02 03:04:05 UTC' };
  const snippet = uncountedIdentity('snippets', { title: 'A', ...created });
  expect(snippet).toEqual({ ...uncountedIdentity('snippets', { title: 'A', ...archived }) });
  expect(snippet.title).toBe('A');
  const schedule = { description: 'Nightly', ref: 'main' };
  expect(uncountedIdentity('pipeline_schedules', { ...schedule, ...created })).toEqual({
    ...{ key: snippet.key, title: 'Nightly' },
  });
  expect(uncountedIdentity('snippets', { title: 'A' }).key).toBeNull();
});

it('a badge is identified by its name, or by its addresses without a name', () => {
  const badge = { link_url: 'https://a.example', image_url: 'https://b.example/c.svg' };
  expect(uncountedIdentity('project_badges', { name: 'Build', ...badge }).key).toBe('Build');
  expect(uncountedIdentity('project_badges', { name: null, ...badge }).key).toBe(
    'https://a.example https://b.example/c.svg',
  );
  expect(uncountedIdentity('project_badges', {}).key).toBeNull();
});

it('a board is identified by its name, and a push rule by its project', () => {
  expect(uncountedIdentity('boards', { name: 'Development' })).toEqual({
    ...{ key: 'Development', title: 'Development' },
  });
  expect(uncountedIdentity('boards', {}).key).toBeNull();
  expect(uncountedIdentity('push_rule', {})).toEqual({ key: 'push_rule', title: null });
});
