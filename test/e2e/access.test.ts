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

/** A view with what stands in it only once it is filled. */
type View = readonly [name: string, hash: string, shown: RegExp];

async function viewsOf(world: BrowserWorld): Promise<View[]> {
  const { archives, jobs, imported } = await fillWorld(
    world,
    await openTestSandbox({ projects: 7 }),
    await openTestSandbox({ seed: 2 }),
  );
  const { instances } = await world.client.call('instance.list', {});
  const target = instances.find(({ name }) => name === 'new-home');
  const archive = archives[0];
  const last = archive?.fullPath.split('/').at(-1) ?? '';
  const file = encodeURIComponent(archive?.absolutePath ?? '');
  const project = encodeURIComponent(archive?.fullPath ?? '');
  const address = encodeURIComponent(`${target?.url ?? ''}/${imported}`);
  return [
    ['overview', '/overview', /^Needs attention/],
    ['projects', '/projects', new RegExp(last)],
    ['project', `/projects?instance=work&project=${project}`, /^About the project$/],
    ['archives', '/archives', /^Projects with archives/],
    ['archive', `/archives?archive=${archive?.id ?? ''}`, /^Source before$/],
    ['file', `/archives?file=${file}`, /^Repositories$/],
    ['import', '/import', /^A stored archive$/],
    ['import-chosen', `/import?archive=${file}`, /^Show what is in it$/],
    ['check', '/check', /^Address of the project/],
    ['check-done', `/check?url=${address}`, /^Failed records/],
    ['activity', '/activity', /^Nothing runs$/],
    ['activity-job', `/activity?job=${jobs.at(-1) ?? ''}`, /^Steps$/],
    ['instances', '/instances', /^Daily at 02:30/],
    ['settings', '/settings', /^Appearance$/],
  ];
}

async function open(world: BrowserWorld, [, hash, shown]: View): Promise<void> {
  await world.go(hash);
  await world.page.getByRole('main').getByText(shown).first().waitFor();
  await world.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

test.for(['light', 'dark'] as const)('axe finds nothing in any view (%s)', async (colorScheme) => {
  const world = await openBrowserWorld({ colorScheme });
  await world.page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
  expect(await violations(world), 'first start').toEqual([]);
  for (const view of await viewsOf(world)) {
    await open(world, view);
    await world.shot(`view-${view[0]}-${colorScheme}`);
    expect(await violations(world), view[0]).toEqual([]);
  }
});

test.for([
  ['900-by-600', { width: 900, height: 600 }],
  // What a window of 1280 by 800 has left when everything is shown twice as large.
  ['200-percent', { width: 640, height: 400 }],
] as const)('nothing is cut in a window of %s', async ([name, size]) => {
  const world = await openBrowserWorld({ size });
  for (const view of await viewsOf(world)) {
    await open(world, view);
    await world.shot(`view-${view[0]}-${name}`);
    const wide = await world.page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(wide, view[0]).toBe(0);
  }
});
