/** @file The settings of an instance in the window: read-only use, and use without an account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { openBrowserWorld } from '../support/browser/browser-world.ts';
import { projectUrl, SandboxCalls } from '../support/servers/sandbox-calls.ts';
import { allEnded, register } from '../support/world.ts';

const project = 'atlas/compass';
const panelAt = `/projects?project=${encodeURIComponent(project)}&of=work&part=changes`;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 2 });
});
afterAll(() => sandbox.close());

test('the window explains that a read-only instance rejects changes, and allows them again after the setting is turned off', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot } = world;
  await register(world, 'work', sandbox);
  await client.call('instance.refresh', { name: 'work', visible: false });

  await world.go('/instances');
  const card = page.getByRole('region', { name: 'work' });
  await card.getByText('Instance settings').click();
  const readOnly = card.getByRole('switch', { name: 'Read only: change nothing there' });
  await readOnly.click();
  await page.getByText('Nothing can be changed there now.').waitFor();
  await card.getByText('Read only', { exact: true }).waitFor();
  await screenshot('instance-read-only');

  await world.go(panelAt);
  const panel = page.getByRole('complementary');
  await panel.getByText('work is set to read only here.', { exact: false }).first().waitFor();
  const star = panel.getByRole('button', { name: 'Star it' });
  expect(await star.isDisabled()).toBe(true);
  await screenshot('project-read-only');
  await world.go('/import?instance=work');
  await page.getByRole('link', { name: 'Show its settings' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'This instance is set to read only' }).waitFor();
  await screenshot('import-read-only');
  const starring = { instance: 'work', project, change: { kind: 'star' } } as const;
  await expect(client.call('project.change', starring)).rejects.toMatchObject({ code: 'instance-read-only' });

  await world.go('/instances');
  await card.getByText('Instance settings').click();
  await readOnly.click();
  await page.getByText('Changes are allowed again.').waitFor();
  await world.go(panelAt);
  await star.click();
  await panel.getByText('The project was starred').waitFor();
  expect(await allEnded(world)).toMatchObject([{ kind: 'change', state: { status: 'succeeded' } }]);
  const sent = sandbox.requests.filter(({ method }) => method !== 'GET');
  expect(sent).toMatchObject([
    { method: 'POST', path: expect.stringMatching(/\/star$/) as string, status: 201 },
  ]);
});

test('an instance added without an account lists public projects, offers neither token nor plan, and receives no token', async () => {
  const { page, client, screenshot, keychain, frames, go } = await openBrowserWorld();
  await new SandboxCalls(sandbox, sandbox.tokens.administrator).call(projectUrl(project), 'PUT', {
    visibility: 'public',
  });
  const requestsBefore = sandbox.requests.length;
  await page.getByRole('button', { name: 'Add an instance…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an instance' });
  await dialog.getByLabel('Address of the instance').fill(sandbox.url);
  await dialog.getByLabel('Short name').fill('public');
  await page.keyboard.press('Enter');
  await dialog.getByRole('checkbox', { name: 'Without an account' }).click();
  await screenshot('instance-add-anonymous');
  await dialog.getByRole('button', { name: 'Add the instance' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { instances } = await client.call('instance.list', {});
  expect(instances).toMatchObject([{ name: 'public', anonymous: true, username: null }]);
  expect(keychain.entries.size).toBe(0);
  expect(frames.sent.filter((frame) => frame.includes('instance.setToken'))).toEqual([]);

  await go('/instances');
  const card = page.getByRole('region', { name: 'public' });
  await card.getByText('Without an account', { exact: true }).waitFor();
  for (const name of [/token/i, /plan/i]) {
    expect(await card.getByRole('button', { name }).count()).toBe(0);
    expect(await card.getByRole('link', { name }).count()).toBe(0);
  }
  await card.getByRole('button', { name: 'Refresh the project list of public' }).click();
  await expect
    .poll(async () => (await client.call('overview.show', {})).instances[0]?.refreshedAt)
    .not.toBeNull();
  await screenshot('instance-anonymous');
  const { total } = await client.call('project.page', {
    instance: 'public',
    sort: 'path',
    descending: false,
    offset: 0,
    limit: 10,
  });
  const publicProjects = (await new SandboxCalls(sandbox, null).get('/projects')) as unknown[];
  expect([total, publicProjects.length]).toEqual([1, 1]);
  await go('/overview');
  const overview = page.getByRole('article', { name: 'public' });
  expect(await overview.getByRole('button', { name: 'Back up all…' }).isDisabled()).toBe(true);
  expect(await overview.getByRole('button', { name: /plan/i }).count()).toBe(0);
  await screenshot('overview-anonymous');
  expect(sandbox.requests.slice(requestsBefore).filter(({ hasToken }) => hasToken)).toEqual([]);
});
