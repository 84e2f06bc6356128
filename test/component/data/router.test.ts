import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  hrefOf,
  navigationEntryOf,
  router,
  navigationViews,
} from '../../../src-renderer/data/places/router.svelte.ts';

let end: () => void;
beforeEach(() => {
  window.location.hash = '';
  end = router.follow();
});
afterEach(() => {
  end();
});

test('a link names the view and the parameters that have a value', () => {
  expect(hrefOf('projects', { instance: 'work', project: 'a b/ä&c', search: null, backupStatus: '' })).toBe(
    '#/projects?instance=work&project=a+b%2F%C3%A4%26c',
  );
  expect(hrefOf('overview')).toBe('#/overview');
});

test('a parameter that is written into a link is read from it unchanged', async () => {
  router.go('projects', { project: 'a b/ä&c?x=1#y' });
  await expect.poll(() => router.view).toBe('projects');
  expect([router.parameter('project'), router.parameter('instance')]).toEqual(['a b/ä&c?x=1#y', null]);
});

test('parameters are replaced without a new entry in the history', async () => {
  router.go('archives', { archive: '1' });
  await expect.poll(() => router.view).toBe('archives');
  router.go('projects', { instance: 'work' });
  await expect.poll(() => router.view).toBe('projects');
  router.replace({ project: 'group/app', instance: null });
  expect([router.parameter('project'), router.parameter('instance')]).toEqual(['group/app', null]);
  expect(window.location.hash).toBe('#/projects?project=group%2Fapp');
  window.history.back();
  await expect.poll(() => [router.view, router.parameter('archive')]).toEqual(['archives', '1']);
});

test('a view that is reached from another one is a known view, and the navigation marks the other one', async () => {
  router.go('find', { instance: 'work' });
  await expect.poll(() => [router.view, router.unknownView]).toEqual(['find', null]);
  expect(navigationEntryOf('find')).toBe('projects');
  expect(navigationViews.map((view) => navigationEntryOf(view))).toEqual([...navigationViews]);
});

test.each(['toString', 'constructor', 'nothing'])('%s is not a view', async (name) => {
  window.location.hash = `#/${name}`;
  await expect.poll(() => router.unknownView).toBe(name);
});
