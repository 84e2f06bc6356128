/** @file Fifty thousand projects: the table reaches, filters and sorts any row, and draws only the visible ones. */
import { expect, test } from 'vitest';
import { openBrowserWorld } from '../support/browser/browser-world.ts';
import { manyProject, storeManyProjects } from '../support/servers/many-projects.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const count = 50_000;

test('a table of fifty thousand projects scrolls to its end, searches and sorts, and draws fewer than 100 rows', async () => {
  const dataDir = temporaryFolder();
  await storeManyProjects(dataDir, count);
  const world = await openBrowserWorld({ dataDir });
  const { page, screenshot } = world;
  await world.go('/projects');
  const table = page.getByRole('grid', { name: 'Projects' });
  const all = Array.from({ length: count }, (_, at) => manyProject(at));
  const paths = all.map(({ fullPath }) => fullPath).sort();
  await table.getByRole('row', { name: new RegExp(`${paths[0] ?? ''}\\b`) }).waitFor();
  await page.getByText('50,000 projects').first().waitFor();
  expect(await table.getAttribute('aria-rowcount')).toBe(String(count + 1));
  expect(await table.getByRole('row').count()).toBeLessThan(100);

  await table.getByRole('row', { name: new RegExp(`${paths[0] ?? ''}\\b`) }).click();
  await page.keyboard.press('End');
  await table.getByRole('row', { name: new RegExp(`${paths.at(-1) ?? ''}\\b`) }).waitFor();
  expect(await table.getByRole('row').count()).toBeLessThan(100);
  await screenshot('many-projects-end');

  await page.getByRole('searchbox').first().fill('ember iris 4');
  const matching = all.filter(({ name }) => name.includes('ember iris 4')).length;
  await page.getByText(new RegExp(`^${matching} matching project`)).waitFor();
  await screenshot('many-projects-search');

  await page.getByRole('searchbox').first().fill('');
  await page.getByText('50,000 projects').first().waitFor();
  // An open panel leaves no room for the column of sizes.
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
  const header = table.getByRole('columnheader', { name: /Size/ });
  await header.click();
  await header.click();
  const largest = all.toSorted((a, b) => (b.repositorySizeBytes ?? 0) - (a.repositorySizeBytes ?? 0))[0];
  await table.getByRole('row', { name: new RegExp(`${largest?.fullPath ?? ''}\\b`) }).waitFor();
  await screenshot('many-projects-sorted');
});
