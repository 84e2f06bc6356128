/** @file Finding projects on an instance and creating one there, against the sandbox, which stores the requested values. */
import { expect, test } from 'vitest';
import { openBrowserWorld, type BrowserWorld } from '../support/browser/browser-world.ts';
import { projectUrl, SandboxCalls } from '../support/servers/sandbox-calls.ts';
import { openTestSandbox, register } from '../support/world.ts';
import { archiveFilter } from '../support/requests.ts';

const panelOf = ({ page }: BrowserWorld) => page.getByRole('complementary');

/** Creates three public projects of the maintainer, which have no other member. */
async function open(): Promise<{ world: BrowserWorld; calls: SandboxCalls }> {
  const world = await openBrowserWorld();
  const sandbox = await openTestSandbox({ projectCount: 6 });
  const calls = new SandboxCalls(sandbox);
  for (const name of ['Buoy', 'Cutter', 'Dory']) {
    const created = await calls.call('/projects', 'POST', {
      name,
      visibility: 'public',
      initialize_with_readme: true,
    });
    expect(created.status).toBe(201);
  }
  await register(world, 'work', sandbox);
  return { world, calls };
}

test("a user's projects are found without a stored list, and one of them can be backed up", async () => {
  const { world } = await open();
  const { page, screenshot, client } = world;
  await world.go('/projects');
  await page.getByRole('button', { name: 'Find on an instance' }).click();
  const grid = page.getByRole('grid', { name: 'Found projects' });
  await page.getByText(/^\d+ projects$/).waitFor();
  await screenshot('find-all');
  await page.getByLabel('Which projects', { exact: true }).selectOption({ label: 'Projects of a user' });
  await page.getByLabel('Username or ID').fill('maintainer');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByText('3 projects', { exact: true }).waitFor();
  await page.getByLabel('Order').selectOption({ label: 'By name' });
  await page.getByRole('button', { name: 'Descending' }).click();
  await grid.getByText('buoy').click();
  await panelOf(world).getByText('Never backed up').waitFor();
  await screenshot('find-user');
  await grid.press('Escape');
  await grid.press(' ');
  await page.getByRole('button', { name: 'Back up 1 project…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Back up 1 project' }).click();
  await page.getByRole('dialog').getByText('work: 1 backup done').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
  await grid.getByText('Current').waitFor();
  await screenshot('find-backed-up');
  const { archives } = await client.call('archive.list', archiveFilter({ instance: 'work', limit: 10 }));
  expect(archives).toMatchObject([{ fullPath: 'maintainer/buoy', verdict: 'sound' }]);
});

test('a path in use is refused; a created project has the requested attributes, and its panel opens', async () => {
  const { world, calls } = await open();
  const { page, screenshot } = world;
  await world.go('/projects');
  await page.getByRole('button', { name: 'New project…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Cutter');
  await dialog.getByRole('button', { name: 'Create the project' }).click();
  await dialog.getByText('This path is already in use.').waitFor();
  await screenshot('create-refused');
  await dialog.getByLabel('Name', { exact: true }).fill('North Star');
  await dialog.getByText('It will be maintainer/north-star on work.').waitFor();
  await dialog.getByLabel('Topics').fill('maps, north');
  await dialog.getByLabel('Visibility').selectOption({ label: 'internal' });
  await dialog.getByText('Initial contents').click();
  await dialog.getByLabel('Begin with a README').selectOption({ label: 'Yes' });
  await screenshot('create-project');
  await dialog.getByRole('button', { name: 'Create the project' }).click();
  await panelOf(world).getByRole('heading', { name: 'maintainer/north-star' }).waitFor();
  await panelOf(world).getByRole('button', { name: 'Back up now' }).waitFor();
  await screenshot('create-created');
  expect(await calls.get(projectUrl('maintainer/north-star'))).toMatchObject({
    name: 'North Star',
    visibility: 'internal',
    topics: ['maps', 'north'],
    empty_repo: false,
  });
});
