/** @file Backups through the window: with the pointer, with the keyboard alone, through a network failure, and on a schedule. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openBrowserWorld } from '../support/browser/browser-world.ts';
import { tabTo } from '../support/browser/keyboard.ts';
import { ShiftedClock } from '../support/clocks/shifted-clock.ts';
import { allEnded, openTestSandbox, register } from '../support/world.ts';
import { archiveFilter } from '../support/requests.ts';

const noFilter = archiveFilter();

test('the window backs up a project, reports its archive as readable, and shows its contents beside the counts of the source', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot } = world;
  const sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'work', sandbox);
  await client.call('instance.refresh', { name: 'work', visible: false });

  await world.go('/projects');
  const table = page.getByRole('grid', { name: 'Projects' });
  await table.getByRole('row', { name: /atlas\/compass/ }).click();
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: 'Back up now' }).click();
  await allEnded(world);
  await table.getByRole('row', { name: /atlas\/compass.*Current/ }).waitFor();
  await panel.getByText('Readable').first().waitFor();
  await screenshot('backup-project');

  await panel
    .getByRole('link', { name: /Show its archives/ })
    .or(panel.getByRole('button', { name: /Show its archives/ }))
    .click();
  await page.getByText('Readable').first().waitFor();
  const issueCount = (await sandbox.state.project('atlas/compass')).relations['issues']?.length ?? 0;
  expect(issueCount).toBeGreaterThan(0);
  await page
    .getByRole('table', { name: 'Contents of the archive, compared with the counts of the source' })
    .getByRole('row', { name: `Issues ${issueCount} ${issueCount} ${issueCount} None`, exact: true })
    .waitFor();
  await screenshot('backup-archive');

  const { archives } = await client.call('archive.list', noFilter);
  expect(archives).toMatchObject([{ fullPath: 'atlas/compass', proof: { level: 'L2' }, damaged: null }]);
  expect(existsSync(archives[0]?.absolutePath ?? '')).toBe(true);
});

test('a user can back up two projects with the keyboard alone', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot } = world;
  await register(world, 'work', await openTestSandbox({ projectCount: 2 }));
  await client.call('instance.refresh', { name: 'work', visible: false });
  await page.getByRole('heading', { level: 1 }).first().waitFor();

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('projects');
  // Enter runs the selected command, and typing selects another one.
  await page.getByRole('option', { name: /Projects/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  const table = page.getByRole('grid', { name: 'Projects' });
  await table.getByRole('row').nth(2).waitFor();
  await tabTo(page, table);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ControlOrMeta+a');
  await page.getByText(/2 selected/).waitFor();
  await screenshot('keyboard-selection');
  const start = page.getByRole('button', { name: /^Back up 2 projects…/ });
  await tabTo(page, start);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /Back up 2 projects/ });
  const confirm = dialog.getByRole('button', { name: /^Back up/ });
  await tabTo(page, confirm);
  await page.keyboard.press('Enter');
  const jobs = await allEnded(world);
  expect(jobs.map(({ state }) => state.status)).toEqual(['succeeded', 'succeeded']);
  expect((await client.call('archive.list', noFilter)).archives).toHaveLength(2);
});

test('the window shows the reason and the time of a network failure during a backup, and the same job succeeds afterwards', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot } = world;
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await register(world, 'work', sandbox);
  await client.call('instance.refresh', { name: 'work', visible: false });
  // The first connection breaks after the export was requested. From then on, every connection fails.
  const reset = { kind: 'reset' } as const;
  sandbox.faults.add({ match: { path: 'export', method: 'GET' }, action: reset });
  const { jobIds } = await client.call('backup.start', {
    instance: 'work',
    projects: 'all',
    keepExisting: false,
  });
  const broken = () => sandbox.faults.list()[0]?.matched;
  await expect.poll(broken, { timeout: 20_000 }).toBeGreaterThan(0);
  sandbox.faults.add({ match: { path: '/api/v4/' }, action: reset });

  await world.go(`/activity?job=${jobIds[0] ?? ''}`);
  const panel = page.getByRole('complementary');
  await panel
    .getByText(/The instance has not answered since \d\d:\d\d \(The connection to 127\.0\.0\.1:\d+ was lost/)
    .first()
    .waitFor();
  await screenshot('network-cut');
  expect((await client.call('archive.list', noFilter)).archives).toEqual([]);

  sandbox.faults.clear();
  await panel.getByText('Done', { exact: true }).first().waitFor();
  const jobs = await allEnded(world);
  expect(jobs.map(({ id, state }) => [id, state.status])).toEqual([[jobIds[0], 'succeeded']]);
  await screenshot('network-back');
  expect((await client.call('archive.list', noFilter)).archives).toHaveLength(1);
});

test('a plan added in the window runs exactly once for each due time', async () => {
  const clock = new ShiftedClock(Date.UTC(2026, 10, 20, 12));
  const world = await openBrowserWorld({ clock });
  const { page, client, app, screenshot } = world;
  await register(world, 'work', await openTestSandbox({ projectCount: 2 }));
  await client.call('instance.refresh', { name: 'work', visible: false });

  await world.go('/instances');
  await page.getByRole('button', { name: 'Add a plan…' }).first().click();
  await page.getByLabel('Name').fill('work');
  await page.getByLabel('Time of day').fill('03:30');
  await page.getByLabel('The newest').fill('2');
  await page.getByRole('switch', { name: 'Skip unchanged projects' }).click();
  await page.getByRole('button', { name: 'Save the plan' }).click();
  await page.getByRole('article', { name: 'work' }).waitFor();
  const { plans } = await client.call('plan.list', {});
  expect(plans).toMatchObject([
    {
      plan: {
        instance: 'work',
        schedule: { at: '03:30', timeZone: 'Europe/Berlin' },
        retention: { keepLast: 2 },
      },
      nextRunAt: '2026-11-21T02:30:00.000Z',
      lastRun: null,
    },
  ]);

  clock.step(15 * 3_600_000);
  app.wake();
  const jobs = await allEnded(world);
  expect(jobs.map(({ state }) => state.status)).toEqual(['succeeded', 'succeeded']);
  const { runs } = await client.call('run.list', { limit: 10 });
  expect(runs).toMatchObject([
    { planId: plans[0]?.plan.id, dueAt: '2026-11-21T02:30:00.000Z', outcome: 'succeeded' },
  ]);
  await world.go('/overview');
  await page.getByText(/^All 2 projects have an archive/).waitFor();
  await screenshot('schedule-fired');
  // Wakes the app again for the same due time, then for the next one. A second run for the first due time would be
  // stored before the run for the next one.
  app.wake();
  clock.step(24 * 3_600_000);
  app.wake();
  await page.getByText(/^All 2 projects have an archive/).waitFor();
  const runCount = async () => (await client.call('run.list', { limit: 10 })).runs.length;
  await expect.poll(runCount).toBeGreaterThan(1);
  await allEnded(world);
  const later = (await client.call('run.list', { limit: 10 })).runs;
  expect(later.map(({ dueAt }) => dueAt)).toEqual(['2026-11-22T02:30:00.000Z', '2026-11-21T02:30:00.000Z']);
});
