/** @file With every server stopped, what is on disk stays usable, and the window says how old the rest is. */
import { expect, test } from 'vitest';
import { openBrowserWorld } from '../support/browser/browser-world.ts';
import { backUp, openTestSandbox, register } from '../support/world.ts';

test('projects, archives, records and the history are there without any server, with their age', async () => {
  const world = await openBrowserWorld();
  const { page, client, shot } = world;
  const sandbox = await openTestSandbox({ projects: 3 });
  await register(world, 'work', sandbox);
  await client.call('instance.refresh', { name: 'work', visible: false });
  await backUp(world, 'work', ['atlas/compass']);
  await sandbox.close();

  await world.go('/overview');
  await page.getByText(/work/).first().waitFor();
  await shot('offline-overview');
  await world.go('/projects');
  await page.getByRole('row', { name: /atlas\/compass/ }).waitFor();
  await page
    .getByText(/List of work: /)
    .first()
    .waitFor();
  await shot('offline-projects');
  await page.getByRole('button', { name: 'Refresh the list of work' }).click();
  await page
    .getByText(/^Nothing accepts connections/)
    .first()
    .waitFor();
  await page.getByRole('row', { name: /atlas\/compass/ }).waitFor();
  await shot('offline-refresh-failed');

  await world.go('/archives');
  await page.getByRole('row', { name: /compass/ }).click();
  await page.getByText('Readable').first().waitFor();
  await page
    .getByRole('button', { name: /^Verify/ })
    .first()
    .click();
  await page
    .getByText(/readable|sound/i)
    .first()
    .waitFor();
  await shot('offline-archive');
  await world.go('/activity');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('atlas/compass').first().waitFor();

  const { archives } = await client.call('archive.list', {
    instance: null,
    project: null,
    before: null,
    limit: 10,
  });
  expect(archives).toMatchObject([{ fullPath: 'atlas/compass', damaged: null }]);
  const { total } = await client.call('project.page', {
    instance: 'work',
    search: null,
    standing: null,
    archived: null,
    sort: 'path',
    descending: false,
    offset: 0,
    limit: 1,
  });
  expect(total).toBe(3);
});
