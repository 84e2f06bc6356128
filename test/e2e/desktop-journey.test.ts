/** @file The built desktop product, from the first start to archives that were read completely. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hasEnded, type Job } from '../../src-contract/runs/job.ts';
import { callIn } from '../support/electron/desktop-app.ts';
import { showDesktop, type ShownDesktop } from '../support/electron/shown-desktop.ts';
import { archiveFilter, jobFilter } from '../support/requests.ts';

async function jobsOf(desktop: ShownDesktop): Promise<Job[]> {
  const filter = jobFilter();
  return (await callIn(desktop, 'job.list', filter)).jobs;
}

test('a new user opens the sandbox, backs up all its projects, and sees that the archives are readable', async () => {
  const desktop = await showDesktop();
  const { page, shot } = desktop;
  expect(await desktop.isVisible()).toBe(true);
  await page.getByRole('heading', { level: 1, name: 'Welcome to Packhorse' }).waitFor();
  await page.getByRole('button', { name: 'Open the sandbox' }).click();
  await page
    .getByRole('grid', { name: 'Projects' })
    .getByRole('row', { name: /compass/ })
    .waitFor();

  await desktop.clickMenu('view.overview');
  await page.getByRole('button', { name: 'Back up all…' }).first().click();
  const dialog = page.getByRole('dialog', { name: /Back up all of practice/ });
  await dialog.getByRole('button', { name: /^Back up \d+ projects$/ }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText(/^All \d+ projects have an archive\.$/).waitFor();
  await shot('desktop-backed-up');

  const jobs = await jobsOf(desktop);
  expect(jobs.length).toBeGreaterThan(5);
  expect(jobs.filter(({ state }) => !hasEnded(state) || state.status === 'failed')).toEqual([]);
  const { archives } = await callIn(desktop, 'archive.list', archiveFilter({ instance: 'practice' }));
  expect(archives).toHaveLength(jobs.length);
  for (const { absolutePath, proof } of archives) {
    expect(existsSync(absolutePath)).toBe(true);
    expect(proof?.level).toBe('L2');
  }

  await desktop.clickMenu('view.archives');
  await page.getByRole('heading', { level: 1, name: 'Archives' }).waitFor();
  await page.getByRole('row', { name: /compass/ }).click();
  await page.getByText('Readable', { exact: true }).first().waitFor();
  await shot('desktop-archives');
});
