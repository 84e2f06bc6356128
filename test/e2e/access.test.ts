/**
 * @file Accessibility: axe finds nothing in any view, in either theme, also in a small window and at 200 %.
 *
 * Slow, because 17 views of a filled product are opened, and axe reads each of them twice.
 */
import { expect, test } from 'vitest';
import { axeViolations } from '../support/browser/axe.ts';
import { openBrowserWorld, type BrowserWorld } from '../support/browser/browser-world.ts';
import { fillWorld } from '../support/browser/filled-world.ts';
import { openTestSandbox } from '../support/world.ts';

const small = [
  ['900-by-600', { width: 900, height: 600 }],
  // The size of a window of 1280 by 800 at 200 %.
  ['200-percent', { width: 640, height: 400 }],
] as const;

/** A view with what stands in it only once it is filled. */
type View = readonly [name: string, hash: string, shown: RegExp];

async function viewsOf(world: BrowserWorld): Promise<View[]> {
  const { archives, jobs, imported } = await fillWorld(
    world,
    await openTestSandbox({ projectCount: 7 }),
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
    ['find', '/find?instance=work', /^7 projects$/],
    ['plans', '/plans', /^Daily at 02:30/],
    ['archives', '/archives', /^Projects with archives/],
    ['archive', `/archives?archive=${archive?.id ?? ''}`, /^Source before$/],
    ['file', `/archives?file=${file}`, /^Repositories$/],
    ['import', '/import', /^A stored archive$/],
    ['import-chosen', `/import?archive=${file}`, /^Show its contents$/],
    ['check', '/check', /^Address of the project/],
    ['check-done', `/check?url=${address}`, /^Failed records/],
    ['activity', '/activity', /^Nothing is running$/],
    ['activity-job', `/activity?job=${jobs.at(-1) ?? ''}`, /^Steps$/],
    ['instances', '/instances', /daily at 02:30/],
    ['tokens', '/tokens', /^self-rotate$/],
    ['settings', '/settings', /^Appearance$/],
  ];
}

async function open(world: BrowserWorld, [, hash, shown]: View): Promise<void> {
  await world.go(hash);
  await world.page.getByRole('main').getByText(shown).first().waitFor();
  await world.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

test('axe finds nothing in any view, in either theme, and nothing is cut in a small window', async () => {
  const world = await openBrowserWorld();
  const { page } = world;
  const found: Record<string, string[]> = {};
  await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
  for (const theme of ['light', 'dark'] as const) {
    found[`first start, ${theme}`] = await axeViolations(page, theme);
  }
  const views = await viewsOf(world);
  for (const view of views) {
    const [name] = view;
    await open(world, view);
    // A picture of each view, to be looked at, and of whatever is wrong.
    const tell = async (where: string, problems: string[], isDrawn = problems.length > 0): Promise<void> => {
      found[`${name}, ${where}`] = problems;
      if (isDrawn) await world.shot(`view-${name}-${where}`);
    };
    await tell('dark', await axeViolations(page, 'dark'));
    await tell('light', await axeViolations(page, 'light'), true);
    for (const [windowName, size] of small) {
      await page.setViewportSize(size);
      // Size observers have run after two frames.
      const wide = await page.evaluate<number>(
        `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
           done(document.documentElement.scrollWidth - document.documentElement.clientWidth))))`,
      );
      await tell(windowName, wide > 0 ? [`${wide} px are cut`] : []);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  expect(Object.keys(found)).toHaveLength(2 + 4 * views.length);
  expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([]);
});
