/** @file With every server stopped, stored data stays usable, and the window shows its age. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBrowserWorld } from '../support/browser/browser-world.ts';
import { backUp, nextChange, openTestSandbox, register } from '../support/world.ts';
import { archiveFilter } from '../support/requests.ts';
import { leaveUnverified } from '../verifier/verify-migration.ts';

test('projects with the age of their list, archives, records and the history are available without any server', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot } = world;
  const sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'work', sandbox);
  await client.call('instance.refresh', { name: 'work', visible: false });
  await backUp(world, 'work', ['atlas/compass']);
  await sandbox.close();

  await world.go('/overview');
  await page.getByText(/work/).first().waitFor();
  await screenshot('offline-overview');
  await world.go('/projects');
  await page.getByRole('row', { name: /atlas\/compass/ }).waitFor();
  await page
    .getByText(/^List of work: (now|\d+ \w+ ago)$/)
    .first()
    .waitFor();
  await screenshot('offline-projects');
  await page.getByRole('button', { name: 'Refresh the list of work' }).click();
  await page
    .getByText(/^Nothing accepts connections/)
    .first()
    .waitFor();
  await page.getByRole('row', { name: /atlas\/compass/ }).waitFor();
  await screenshot('offline-refresh-failed');

  await world.go('/archives');
  await page.getByRole('row', { name: /compass/ }).click();
  await page.getByText('Readable').first().waitFor();
  await page
    .getByRole('button', { name: /^Verify/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: /^Verify that it is readable/ }).click();
  await page.getByText('The archive was read to its end: it is readable.').waitFor();
  await page.getByRole('tab', { name: 'Records' }).click();
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  const [issue] = (await sandbox.state.project('atlas/compass')).relations['issues'] ?? [];
  await page
    .getByRole('article', { name: 'issues, line 0' })
    .getByText(String(issue?.['title']))
    .first()
    .waitFor();
  await screenshot('offline-archive');
  await world.go('/activity');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('atlas/compass').first().waitFor();

  const { archives } = await client.call('archive.list', archiveFilter({ limit: 10 }));
  expect(archives).toMatchObject([{ fullPath: 'atlas/compass', damaged: null }]);
  const { total } = await client.call('project.page', {
    instance: 'work',
    search: null,
    backupStatus: null,
    archived: null,
    sort: 'path',
    descending: false,
    offset: 0,
    limit: 1,
  });
  expect(total).toBe(3);
});

test('a thousand failures of a migration can be filtered and read without any server, with their records, comparisons and passports', async () => {
  const world = await openBrowserWorld({ size: { width: 1280, height: 900 } });
  const { page, client, screenshot } = world;
  const source = await openTestSandbox({ projectCount: 10 });
  const target = await openTestSandbox({ projectCount: 0 });
  await register(world, 'work', source);
  await register(world, 'new-home', target);
  const projects = source.state.paths;
  const perProject = 1000 / projects.length;
  const at = '2019-03-14T09:26:53.000Z';
  const known = 'What the archive alone knows.';
  for (const path of projects) {
    for (let index = 0; index < perProject; index += 1) {
      const record = { title: null, iid: 5000 + index, state: 'opened', description: known, notes: [] };
      source.state.append(path, 'issues', { ...record, created_at: at, updated_at: at });
    }
  }
  const { id: migration } = await client.call('migration.create', {
    ...{ name: 'Move', source: 'work', target: 'new-home', rules: [], overrideParams: {} },
    selection: {
      kind: 'projects',
      projects: await Promise.all(
        projects.map(async (fullPath) => ({ id: (await source.state.project(fullPath)).id, fullPath })),
      ),
    },
    // The numbers alone show the losses; a comparison of contents would read each of the thousand records.
    ...{ freeze: false, waveSize: null, compare: 'counts' },
  });
  const { findings } = await client.call('migration.check', { migration });
  for (const { id, severity } of findings) {
    const note = 'Offline everything of it is to be seen.';
    if (severity === 'blocker') await client.call('migration.override', { migration, finding: id, note });
  }
  await client.call('migration.start', { migration, createGroups: true });
  for (let change = nextChange(world); ; change = nextChange(world)) {
    if ((await client.call('migration.show', { migration })).status === 'ended') break;
    await change;
  }
  await leaveUnverified(world.dataDir, 'an instance has gone');
  await source.close();
  await target.close();

  const main = page.getByRole('main');
  const panel = page.getByRole('complementary');
  const rows = page.getByRole('grid', { name: 'Failed records of the migration' }).getByRole('row');
  await world.go(`/migrations?migration=${migration}&step=result&part=failures`);
  await main.getByText('1,000 failures').waitFor();
  // The window draws only the rows of the list that it shows.
  expect(await rows.count()).toBeLessThan(60);
  await screenshot('offline-failures');
  await page.getByRole('searchbox').fill('5042');
  await main.getByText(`${projects.length} failures`, { exact: true }).waitFor();
  await expect.poll(() => rows.filter({ hasText: '#5042' }).count()).toBe(projects.length);
  await rows.filter({ hasText: '#5042' }).first().click();
  await panel.getByText(known).first().waitFor();
  await screenshot('offline-failure');

  const [chosen = ''] = projects;
  await world.go(`/migrations?migration=${migration}&step=result&project=${encodeURIComponent(chosen)}`);
  await panel.getByText('100 in all, 100 open').waitFor();
  await panel.getByRole('row', { name: /^Issues .*100 lost on import/ }).waitFor();
  await screenshot('offline-reconciliation');
  await panel.getByRole('button', { name: 'Save passport', exact: true }).click();
  await panel.getByText(/files written$/).waitFor();
  const folder = (await panel.getByText(/^They are in /).innerText()).replace(
    /^They are in (.*), on the machine where Packhorse runs\.$/,
    '$1',
  );
  const [passport = ''] = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  expect(JSON.parse(await readFile(join(folder, passport), 'utf8'))).toMatchObject({
    failures: { total: perProject },
  });
  const { total } = await client.call('failure.list', {
    ...{ migration, instance: null, project: null, relation: null, exceptionClass: null },
    ...{ state: 'open', search: null, offset: 0, limit: 1 },
  });
  expect(total).toBe(1000);
  await world.go(`/migrations?migration=${migration}&step=run`);
  await page.getByRole('grid', { name: 'Projects of the migration' }).waitFor();
  await world.go(`/migrations?migration=${migration}&step=check`);
  await main.getByText(/^Checked/).waitFor();
  await screenshot('offline-check');
});
