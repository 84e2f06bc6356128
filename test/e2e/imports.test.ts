/** @file Imports through the window, and the inspection of imports that another client started: which record failed, and its content. */
import { readFileSync } from 'node:fs';
import { expect, test, type ExpectStatic } from 'vitest';
import { importResultSchema } from '../../src-contract/runs/job-schema.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { openBrowserWorld, type BrowserWorld } from '../support/browser/browser-world.ts';
import { tabTo } from '../support/browser/keyboard.ts';
import { SandboxCalls } from '../support/servers/sandbox-calls.ts';
import { allEnded, backUp, openTestSandbox, register } from '../support/world.ts';
import { archiveFilter } from '../support/requests.ts';

const badTitle = 'Written by hand into the database years ago.';

/** Opens two instances. The source's first project has a milestone without a title, which no target accepts. */
async function twoInstances(
  world: BrowserWorld,
  expectThat: ExpectStatic,
): Promise<{ source: Sandbox; target: Sandbox; archive: string }> {
  const source = await openTestSandbox({ projectCount: 1 });
  const target = await openTestSandbox({ seed: 2 });
  source.state.append('atlas/compass', 'milestones', {
    title: null,
    iid: 999,
    state: 'active',
    description: badTitle,
    due_date: null,
    created_at: '2019-03-14T09:26:53.000Z',
    updated_at: '2019-03-14T09:26:53.000Z',
  });
  await register(world, 'source', source);
  await register(world, 'target', target);
  await backUp(world, 'source', 'all');
  const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 10 }));
  expectThat(archives).toHaveLength(1);
  return { source, target, archive: archives[0]?.absolutePath ?? '' };
}

test('a user can import an archive with the keyboard alone, and a rejected record is shown as the archive contains it', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot } = world;
  const { archive } = await twoInstances(world, expect);

  await world.go(`/import?archive=${encodeURIComponent(archive)}`);
  const instance = page.getByLabel('Instance', { exact: true });
  await tabTo(page, instance);
  await page.keyboard.type('target');
  await tabTo(page, page.getByLabel('Group', { exact: true }));
  await page.keyboard.type('atlas');
  await tabTo(page, page.getByLabel('Path', { exact: true }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('moved');
  await screenshot('import-form');
  await tabTo(page, page.getByRole('button', { name: 'Start the import' }));
  await page.keyboard.press('Enter');
  await page.getByText('Not everything arrived').waitFor();
  const jobs = await allEnded(world);
  await screenshot('import-ended');

  await page
    .getByText(badTitle)
    .first()
    .or(page.getByRole('button', { name: /record/i }).first())
    .waitFor();
  const record = page.getByText(badTitle).first();
  if (!(await record.isVisible())) {
    await tabTo(page, page.getByRole('button', { name: /record/i }).first());
    await page.keyboard.press('Enter');
  }
  await record.waitFor();
  await screenshot('import-record');

  const job = jobs.find(({ kind }) => kind === 'import');
  const result = importResultSchema.parse((await client.call('job.show', { job: job?.id ?? '' })).result);
  expect(result.fullPath).toBe('atlas/moved');
  expect(result.failures).toHaveLength(1);
  expect(result.failures[0]?.record?.value).toMatchObject({ iid: 999, description: badTitle });
});

test('an import that another client started is inspected by the address of its project, and its failed record is shown', async () => {
  const world = await openBrowserWorld();
  const { page, screenshot } = world;
  const { target, archive } = await twoInstances(world, expect);
  const form = new FormData();
  form.set('namespace', 'atlas');
  form.set('path', 'elsewhere');
  form.set('file', new Blob([readFileSync(archive)]), 'some_export.tar.gz');
  const calls = new SandboxCalls(target);
  const reply = await calls.fetch('/projects/import', { method: 'POST', body: form });
  expect(reply.status).toBe(201);

  await world.go('/check');
  await page
    .getByLabel(/address/i)
    .first()
    .fill(`${target.url}/atlas/elsewhere/-/milestones?state=all#top`);
  await page.keyboard.press('Enter');
  await page.getByText('milestones').first().waitFor();
  await page.getByText('Finished').first().waitFor();
  await screenshot('check-import');
  await page.locator('input[type=file]').setInputFiles(archive);
  await page
    .getByText(badTitle)
    .first()
    .or(page.getByRole('button', { name: /record/i }).first())
    .waitFor();
  const record = page.getByText(badTitle).first();
  if (!(await record.isVisible()))
    await page
      .getByRole('button', { name: /record/i })
      .first()
      .click();
  await record.waitFor();
  await screenshot('check-import-record');
});
