/** @file The first start: a new user opens the window and backs up the sandbox, or opens an archive. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exportWith } from '../support/archives/archive-builder.ts';
import { openBrowserWorld } from '../support/browser/browser-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { allEnded } from '../support/world.ts';
import { archiveFilter } from '../support/requests.ts';

test('the first start offers three choices; one click opens the sandbox, whose projects can be backed up at once', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot } = world;
  await page.getByRole('heading', { level: 1, name: 'Welcome to Packhorse' }).waitFor();
  for (const choice of ['Add an instance', 'Try the built-in sandbox', 'Open an archive']) {
    await page.getByRole('heading', { level: 2, name: choice }).waitFor();
  }
  await screenshot('first-start');

  await page.getByRole('button', { name: 'Open the sandbox' }).click();
  const table = page.getByRole('grid', { name: 'Projects' });
  await table.getByRole('row', { name: /compass/ }).waitFor();
  await screenshot('first-start-projects');
  const { instances } = await client.call('instance.list', {});
  expect(instances.map(({ name }) => name).sort()).toEqual(['practice', 'practice-target']);

  await page.getByRole('link', { name: /^Overview/ }).click();
  await page.getByRole('button', { name: 'Back up all…' }).first().click();
  const dialog = page.getByRole('dialog', { name: /Back up all of practice/ });
  await dialog.getByRole('button', { name: /^Back up \d+ projects$/ }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  const jobs = await allEnded(world);
  expect(jobs.length).toBeGreaterThan(5);
  expect(jobs.map(({ state }) => state.status)).not.toContain('failed');
  await page.getByText(/^All \d+ projects have an archive\.$/).waitFor();
  await screenshot('first-start-overview');
  const { archives } = await client.call('archive.list', archiveFilter({ instance: 'practice' }));
  expect(archives).toHaveLength(jobs.length);
  for (const archive of archives) {
    expect(existsSync(archive.absolutePath)).toBe(true);
    expect(archive.proof?.level).toBe('L2');
  }
});

test('an archive can be opened without any instance; no settings are stored, and the uploaded copy is deleted when the app closes', async () => {
  const dataDir = temporaryFolder();
  const uploads = join(dataDir, 'uploads');
  // Runs after the app is closed.
  onTestFinished(() => {
    expect(readdirSync(uploads)).toEqual([]);
  });
  const { page, screenshot } = await openBrowserWorld({ dataDir });
  const file = join(temporaryFolder(), 'somebody_export.tar.gz');
  writeFileSync(file, exportWith());
  await page.getByRole('heading', { level: 2, name: 'Open an archive' }).waitFor();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('somebody_export.tar.gz').first().waitFor();
  await page.getByText('Issues', { exact: true }).first().waitFor();
  await screenshot('first-start-archive');
  expect(readdirSync(uploads)).toHaveLength(1);
  expect(existsSync(join(dataDir, 'settings.json'))).toBe(false);
});
