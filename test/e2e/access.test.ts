/**
 * @file Accessibility: axe finds no violation in any view in either theme, and a small window and 200 % cut nothing off.
 *
 * The test is slow: it opens 19 views of a filled product, and axe checks each of them twice.
 */
import { expect, test } from 'vitest';
import { axeViolations } from '../support/browser/axe.ts';
import { openBrowserWorld, type BrowserWorld } from '../support/browser/browser-world.ts';
import { fillWorld } from '../support/browser/filled-world.ts';
import { openTestSandbox } from '../support/world.ts';
import { verifyImports } from '../verifier/verify-imports.ts';

const smallWindows = [
  ['900-by-600', { width: 900, height: 600 }],
  // A window of 1280 by 800 has this size at 200 %.
  ['200-percent', { width: 640, height: 400 }],
] as const;

/** A view, and a text that it shows only once it is filled. */
type View = readonly [name: string, hash: string, shown: RegExp];

async function viewsOf(world: BrowserWorld): Promise<View[]> {
  const { archives, jobs, imported } = await fillWorld(
    world,
    await openTestSandbox({ projectCount: 7 }),
    await openTestSandbox({ seed: 2 }),
  );
  await verifyImports(world.dataDir);
  const { instances } = await world.client.call('instance.list', {});
  const target = instances.find(({ name }) => name === 'new-home');
  const { id: migration } = await world.client.call('migration.create', {
    ...{ name: 'Move', source: 'work', target: 'new-home', rules: [], overrideParams: {} },
    ...{ selection: { kind: 'all', scope: 'member' }, freeze: false, waveSize: null },
  });
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
    ['migrations', '/migrations', /^Move$/],
    ['migration', `/migrations?migration=${migration}&step=map`, new RegExp(last)],
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

test('axe finds no violation in any view in either theme, and a small window cuts nothing off', async () => {
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
    // Takes a screenshot of each view for review, and one of every problem.
    const record = async (mode: string, problems: string[], hasShot = problems.length > 0): Promise<void> => {
      found[`${name}, ${mode}`] = problems;
      if (hasShot) await world.screenshot(`view-${name}-${mode}`);
    };
    await record('dark', await axeViolations(page, 'dark'));
    await record('light', await axeViolations(page, 'light'), true);
    for (const [windowName, size] of smallWindows) {
      await page.setViewportSize(size);
      // Size observers have run after two frames.
      const overflowPx = await page.evaluate<number>(
        `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
           done(document.documentElement.scrollWidth - document.documentElement.clientWidth))))`,
      );
      await record(windowName, overflowPx > 0 ? [`${overflowPx} px are cut`] : []);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  expect(Object.keys(found)).toHaveLength(2 + 4 * views.length);
  expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([]);
});
