/**
 * @file A migration through the window between two sandboxes: from selecting projects to reading the results.
 *
 * The test is slow: it runs a whole migration.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { list } from 'tar';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { openBrowserWorld, type BrowserWorld } from '../support/browser/browser-world.ts';
import { openTestSandbox, register } from '../support/world.ts';

const handwritten = 'Written by hand into the database years ago.';

/** Opens a filled and an empty instance. One source project has a milestone without a title, which no target accepts. */
async function twoInstances(world: BrowserWorld): Promise<{ source: Sandbox; target: Sandbox; bad: string }> {
  const source = await openTestSandbox({ projectCount: 4 });
  const target = await openTestSandbox({ projectCount: 0 });
  await register(world, 'work', source);
  await register(world, 'new-home', target);
  await world.client.call('instance.refresh', { name: 'work', visible: false });
  const bad = source.state.paths.toSorted()[0] ?? '';
  source.state.append(bad, 'milestones', {
    title: null,
    iid: 999,
    state: 'active',
    description: handwritten,
    due_date: null,
    created_at: '2019-03-14T09:26:53.000Z',
    updated_at: '2019-03-14T09:26:53.000Z',
  });
  return { source, target, bad };
}

test('a user selects, maps, checks and migrates projects, finds, reads and accepts a failed record, and saves the passports', async () => {
  const world = await openBrowserWorld({ size: { width: 1280, height: 900 } });
  const { page, client, screenshot } = world;
  const { source, target, bad } = await twoInstances(world);
  const main = page.getByRole('main');
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await page.getByRole('link', { name: 'Migrations', exact: true }).click();
  await main.getByText('No migrations yet').waitFor();
  await world.screenshot('migrations-empty');
  await button('New migration…').first().click();
  await page.getByLabel('Name', { exact: true }).fill('Autumn move');
  await page.getByLabel('From the instance').selectOption('work');
  await page.getByLabel('To the instance').selectOption('new-home');
  await page.getByLabel('Projects in a wave').fill('2');
  await world.screenshot('migration-choose');
  await button('Save and continue').click();

  await page.getByRole('grid', { name: 'Projects and their targets' }).waitFor();
  await button('Add a rule').click();
  await page.getByLabel('Group on the target of rule 1').fill('moved');
  await button('Apply the rules').click();
  await page.getByText('The rules are applied.').waitFor();
  await main
    .getByText(`moved/${bad.slice(0, bad.lastIndexOf('/'))}/`)
    .first()
    .waitFor();
  await page.getByRole('row', { name: new RegExp(`^${bad}`) }).dblclick();
  await page.getByLabel('Path', { exact: true }).fill('renamed');
  await world.screenshot('migration-place');
  await button('Set the target').click();
  await main.getByText('renamed', { exact: true }).waitFor();
  await world.screenshot('migration-map');

  await button('CSV table').click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as CSV' }).click();
  const table = await readFile(await (await saving).path(), 'utf8');
  expect(table).toContain(',renamed,');
  const loadTable = async (csv: string) => {
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'move.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  };
  await loadTable(table.replaceAll(/(,moved\/[^,]*),/g, ',,'));
  await main.getByText('move.csv was refused').waitFor();
  await main.getByText('Line 2: target_namespace is empty.').waitFor();
  await world.screenshot('migration-table-refused');
  await loadTable(table.replace(',renamed,', ',renamed-twice,'));
  await main.getByText('1 project with a new target').waitFor();
  await main.getByText('renamed-twice', { exact: true }).waitFor();
  await loadTable(table);
  await main.getByText('renamed', { exact: true }).waitFor();

  await button('Continue to the check').click();
  await button('Check now').click();
  await main.getByText(/^Checked/).waitFor();
  await world.screenshot('migration-check');
  await page.getByRole('tab', { name: /Missing groups/ }).click();
  await page.getByLabel('Create them at the start').check();
  await screenshot('migration-groups');
  await page.getByRole('tab', { name: /Requests/ }).click();
  await page.getByRole('grid', { name: 'Requests that the migration would send' }).waitFor();
  await screenshot('migration-requests');
  expect(target.requests.filter(({ method }) => method !== 'GET')).toEqual([]);

  await button('Continue to the run').click();
  await button('Start the migration…').click();
  await screenshot('migration-start');
  await button('Start the migration').click();
  await page.getByRole('grid', { name: 'Projects of the migration' }).waitFor();
  await screenshot('migration-running');
  await main.getByText('Ended', { exact: true }).first().waitFor();
  await world.screenshot('migration-run');

  await page.getByRole('link', { name: 'Result', exact: true }).click();
  await main.getByText('Not everything arrived').waitFor();
  await page.getByRole('row', { name: new RegExp(`^${bad}`) }).click();
  await page.getByRole('complementary').getByText('1 in all, 1 open').waitFor();
  await world.screenshot('migration-result');
  await page.getByRole('complementary').getByText('1 in all, 1 open').click();
  await page
    .getByRole('row', { name: /Milestones/ })
    .first()
    .click();
  await page.getByRole('complementary').getByText(handwritten).waitFor();
  await world.screenshot('migration-failure');
  await page.getByRole('complementary').getByRole('button', { name: 'Accept…' }).click();
  await page.getByLabel('Why the loss is acceptable').fill('Nobody knows what it was for.');
  await button('Accept').click();
  await page.getByRole('complementary').getByText('Nobody knows what it was for.').waitFor();

  await main.getByText('1 loss was accepted; the passports name it.').waitFor();
  await button('Save passports').click();
  await main.getByText(/files written$/).waitFor();
  await screenshot('migration-passports');
  const written = await readdir(join(world.dataDir, 'downloads'), { recursive: true });
  expect(written.filter((file) => file.endsWith('.html'))).toHaveLength(source.state.paths.length + 1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('link', { name: 'Download them' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^migration-.*\.tar\.gz$/);
  const downloaded: string[] = [];
  await list({ file: await download.path(), onReadEntry: ({ path }) => downloaded.push(path) });
  expect(downloaded.filter((path) => path.endsWith('.html'))).toHaveLength(source.state.paths.length + 1);

  const { migrations } = await client.call('migration.list', {});
  expect(migrations.map(({ name, status }) => ({ name, status }))).toEqual([
    { name: 'Autumn move', status: 'ended' },
  ]);
  const [moved] = migrations;
  const { failures } = await client.call('failure.list', {
    ...{ migration: moved?.id ?? '' },
    ...{ offset: 0, limit: 10 },
  });
  expect(failures.map(({ state, note }) => ({ state, note }))).toEqual([
    { state: 'accepted', note: 'Nobody knows what it was for.' },
  ]);
  expect(target.state.paths.toSorted()).toEqual(
    source.state.paths
      .map((path) =>
        path === bad ? `moved/${path.slice(0, path.lastIndexOf('/'))}/renamed` : `moved/${path}`,
      )
      .toSorted(),
  );
});
