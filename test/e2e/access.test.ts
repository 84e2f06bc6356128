/** @file Nobody is shut out: axe finds nothing in any view, in either theme, also in a small window and at twice the size. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { openBrowserWorld, type BrowserWorld } from '../support/browser-world.ts';
import { fillWorld } from '../support/filled-world.ts';
import { openTestSandbox } from '../support/world.ts';

async function violations({ page }: BrowserWorld): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

async function viewsOf(world: BrowserWorld): Promise<[name: string, hash: string][]> {
  const { archives, jobs, imported } = await fillWorld(
    world,
    await openTestSandbox({ projects: 7 }),
    await openTestSandbox({ seed: 2 }),
  );
  const { instances } = await world.client.call('instance.list', {});
  const target = instances.find(({ name }) => name === 'new-home');
  const archive = archives[0];
  return [
    ['overview', '/overview'],
    ['projects', '/projects'],
    ['project', `/projects?instance=work&project=${encodeURIComponent(archive?.fullPath ?? '')}`],
    ['archives', '/archives'],
    ['archive', `/archives?archive=${archive?.id ?? ''}`],
    ['file', `/archives?file=${encodeURIComponent(archive?.absolutePath ?? '')}`],
    ['import', '/import'],
    ['import-chosen', `/import?archive=${encodeURIComponent(archive?.absolutePath ?? '')}`],
    ['check', '/check'],
    ['check-done', `/check?url=${encodeURIComponent(`${target?.url ?? ''}/${imported}`)}`],
    ['activity', '/activity'],
    ['activity-job', `/activity?job=${jobs.at(-1) ?? ''}`],
    ['instances', '/instances'],
    ['settings', '/settings'],
  ];
}

test.for(['light', 'dark'] as const)('axe finds nothing in any view (%s)', async (colorScheme) => {
  const world = await openBrowserWorld({ colorScheme });
  await world.page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(await violations(world), 'first start').toEqual([]);
  for (const [name, hash] of await viewsOf(world)) {
    await world.go(hash);
    await world.page.getByRole('heading', { level: 1 }).first().waitFor();
    await world.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await world.shot(`view-${name}-${colorScheme}`);
    expect(await violations(world), name).toEqual([]);
  }
});

test.for([
  ['900-by-600', { width: 900, height: 600 }],
  // What a window of 1280 by 800 has left when everything is shown twice as large.
  ['200-percent', { width: 640, height: 400 }],
] as const)('nothing is cut in a window of %s', async ([name, size]) => {
  const world = await openBrowserWorld({ size });
  for (const [view, hash] of await viewsOf(world)) {
    await world.go(hash);
    await world.page.getByRole('heading', { level: 1 }).first().waitFor();
    await world.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await world.shot(`view-${view}-${name}`);
    const wide = await world.page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(wide, view).toBe(0);
  }
});
