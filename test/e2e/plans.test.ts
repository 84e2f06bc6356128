/** @file Plans through the window against a sandbox: from adding a plan to removing it, with previews of its effects. */
import { expect, test } from 'vitest';
import { openBrowserWorld, type BrowserWorld } from '../support/browser/browser-world.ts';
import { allEnded, openTestSandbox, register } from '../support/world.ts';

/** Expects that a window of 1280 by 800 cuts nothing off at 200 %. */
async function expectNothingCut({ page, screenshot }: BrowserWorld, name: string): Promise<void> {
  await page.setViewportSize({ width: 640, height: 400 });
  await screenshot(name);
  const cut = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(cut).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('a user adds a plan with a rule, runs it, changes it after a preview of the removals, skips its next run, pauses it and removes it', async () => {
  const world = await openBrowserWorld({ size: { width: 1280, height: 900 } });
  const { page, client, screenshot } = world;
  const sandbox = await openTestSandbox({ projectCount: 4 });
  await register(world, 'work', sandbox);
  await client.call('instance.refresh', { name: 'work', visible: false });
  const project = sandbox.state.paths[0] ?? '';
  const main = page.getByRole('main');
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await main.getByText('No plans yet').waitFor();
  await world.screenshot('plans-empty');
  await button('Add a plan…').first().click();
  await page.getByLabel('Name').fill('Night shift');
  await page.getByRole('radio', { name: 'By a rule' }).click();
  await page.getByLabel('Full path').fill(project);
  await button('Show matching projects').click();
  await main.getByText('1 project matches now.').waitFor();
  await screenshot('plan-editor-rule');
  await page.getByRole('radio', { name: 'Weekly' }).click();
  await button('Wed').click();
  await page.getByLabel('Time of day').fill('03:30');
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  const runs = page.getByRole('list', { name: 'The next runs' }).getByRole('listitem');
  await expect.poll(() => runs.allInnerTexts()).toHaveLength(5);
  for (const run of await runs.allInnerTexts()) expect(run).toMatch(/^(Wed|Sun).* 03:30$/);
  await page.getByRole('switch', { name: 'Skip unchanged projects' }).click();
  await world.screenshot('plan-editor');
  await button('Save the plan').click();

  const card = page.getByRole('article', { name: 'Night shift' });
  await card.getByText('Every Wed and Sun at 03:30 Europe/Berlin').waitFor();
  const { plans } = await client.call('plan.list', {});
  expect(plans).toMatchObject([
    {
      plan: {
        name: 'Night shift',
        instance: 'work',
        selection: { kind: 'rule', name: project, group: null, except: [] },
        schedule: { kind: 'weekly', weekdays: [3, 7], at: '03:30', timeZone: 'Europe/Berlin' },
        retention: { keepLast: 7, weekly: null },
        skipUnchanged: false,
      },
    },
  ]);

  for (const count of [1, 2]) {
    await button('Run now').click();
    await expect.poll(async () => (await client.call('run.list', { limit: 10 })).runs.length).toBe(count);
    await allEnded(world);
  }
  await card.getByText('Done', { exact: true }).waitFor();
  const strip = page.getByRole('toolbar', { name: 'The last days of Night shift' });
  await strip.getByRole('link', { name: /: done$/ }).waitFor();
  await world.screenshot('plans');
  await expectNothingCut(world, 'plans-200-percent');
  await strip.getByRole('link', { name: /: done$/ }).click();
  await page.waitForURL(/#\/activity\?run=/);
  await page.goBack();

  await button('Edit…').click();
  await page.getByLabel('The newest').fill('1');
  await button('Show what would be removed now').click();
  await main.getByText(/^1 archive would be removed now/).waitFor();
  const table = page.getByRole('table', { name: `Archives of ${project}` });
  await table.getByRole('row').filter({ hasText: 'No limit keeps it' }).getByText('Removed').waitFor();
  await table.scrollIntoViewIfNeeded();
  await world.screenshot('plan-preview');
  await expectNothingCut(world, 'plan-editor-200-percent');
  await button('Save the plan').click();
  await card.getByText(/^Keeps the newest/).waitFor();

  await button('More about Night shift').click();
  await page.getByRole('menuitem', { name: 'Skip the next run' }).click();
  await card.getByText('Skips').waitFor();
  await button('Do not skip it').click();
  await card.getByText('Skips').waitFor({ state: 'detached' });

  await button('More about Night shift').click();
  await page.getByRole('menuitem', { name: 'Pause…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Until it is resumed' }).click();
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await card.getByText('Paused until it is resumed').waitFor();
  await screenshot('plan-paused');
  await button('Resume').click();
  await card.getByText('Paused until it is resumed').waitFor({ state: 'detached' });
  const kept = await client.call('plan.list', {});
  expect(kept.plans).toMatchObject([
    { plan: { retention: { keepLast: 1 }, pausedUntil: null, skippedDue: null } },
  ]);

  await button('More about Night shift').click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await dialog.getByRole('button', { name: 'Remove the plan' }).click();
  await main.getByText('No plans yet').waitFor();
  expect(await client.call('plan.list', {})).toEqual({ plans: [] });
});
