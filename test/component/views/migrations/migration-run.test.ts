import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { liveJobs } from '../../../../src-renderer/data/calls/live-jobs.svelte.ts';
import { exampleMigrationProject } from '../../../support/migrations/example-migrating.ts';
import { exampleJob } from '../../support/examples.ts';
import { expectAccessible } from '../../support/window.ts';
import { exampleCounts, exampleMigration, openMigrations, pagesOf } from './migrations.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = (name: RegExp) => page.getByRole('row', { name });
const at = (step: string, more: Record<string, string> = {}) => ({
  parameters: { migration: 'm1', step, ...more },
});
const running = exampleMigration({
  status: 'running',
  wave: { current: 2, total: 3 },
  projects: exampleCounts({ arrived: 400, failed: 2, importing: 1, planned: 597 }),
});

const nothingReplaced = { confirmation: 'word', destroys: [], deletion: null };

test('a list of 1,000 projects keeps fewer than 60 rows in the document, each with its state in words and why it waits', async () => {
  const projects = Array.from({ length: 1000 }, (_, index) =>
    exampleMigrationProject({
      sourceId: index + 1,
      sourcePath: `group/p${String(index).padStart(4, '0')}`,
      wave: 1 + Math.floor(index / 400),
      state: index === 0 ? 'importing' : index === 2 ? 'finishing' : 'planned',
      importJob: index === 0 ? '7' : null,
      waitsFor: index === 1 ? 'Wave 1 must finish first.' : null,
      comparing: index === 2 ? { done: 412, total: 2034, msLeft: 185_000 } : null,
    }),
  );
  await openMigrations(
    {
      'migration.show': running,
      'migration.projects': pagesOf(projects),
      'migration.waves': {
        waves: [
          {
            wave: 1,
            projects: exampleCounts({ arrived: 400 }),
            comparedInPart: 12,
            arrivedWithUnlistedFailures: 0,
          },
          {
            wave: 2,
            projects: exampleCounts({ importing: 1, failed: 2, planned: 397 }),
            comparedInPart: 0,
            arrivedWithUnlistedFailures: 0,
          },
          {
            wave: 3,
            projects: exampleCounts({ planned: 200 }),
            comparedInPart: 0,
            arrivedWithUnlistedFailures: 0,
          },
        ],
        inConflict: 0,
      },
      'job.list': {
        jobs: [
          exampleJob({
            id: '7',
            kind: 'import',
            step: 'send',
            progress: { step: 'send', unit: 'bytes', done: 30, total: 120 },
          }),
        ],
        next: null,
      },
    },
    at('run'),
  );
  await liveJobs.refresh();
  await expect
    .element(page.getByText('Comparing: 412 of about 2,034 requests · about 3 mins, 5 secs left'))
    .toBeVisible();
  await expect.element(page.getByText('402 of 1,000 projects ended · Wave 2 of 3')).toBeVisible();
  const counts = page.getByRole('list', { name: 'Projects of Wave 2 by state' });
  await expect
    .poll(() =>
      counts
        .getByRole('listitem')
        .elements()
        .map((item) => item.textContent.replaceAll(/\s+/g, ' ').trim()),
    )
    .toEqual(['2 Failed', '1 Importing', '397 Planned']);
  await expect.element(row(/group\/p0000 Importing Sending the archive · 25\s?%/)).toBeVisible();
  await expect.element(row(/group\/p0001 Planned Wave 1 must finish first\./)).toBeVisible();
  expect(page.getByRole('row').elements().length).toBeLessThan(60);
  await expectAccessible();
  await page.getByRole('searchbox').fill('p0999');
  await expect.element(row(/group\/p0999/)).toBeVisible();
  await expect.poll(() => row(/group\/p0000/).elements()).toEqual([]);
});

test('a migration can be paused, resumed and retried, and is cancelled only after a confirmation', async () => {
  const bridge = await openMigrations(
    {
      'migration.show': running,
      'migration.pause': { ...running, status: 'paused' },
      'migration.start': running,
      'migration.again': running,
      'host.confirm': nothingReplaced,
      'migration.cancel': { ...running, status: 'cancelled' },
    },
    at('run'),
  );
  await button('Try 2 projects again').click();
  await expect
    .poll(() => bridge.asked('migration.again'))
    .toEqual([{ migration: 'm1', project: null, confirmation: 'word' }]);
  bridge.answer('migration.show', { ...running, status: 'paused' });
  await button('Pause').click();
  await expect.poll(() => bridge.asked('migration.pause')).toHaveLength(1);
  await button('Resume').click();
  await expect.poll(() => bridge.asked('migration.start')).toHaveLength(1);
  await button('Cancel…').click();
  await expect.element(page.getByText(/Requests already sent to GitLab continue there/)).toBeVisible();
  await expectAccessible();
  await button('Keep it running').click();
  expect(bridge.asked('migration.cancel')).toEqual([]);
  await button('Cancel…').click();
  await button('Cancel the migration').click();
  await expect.poll(() => bridge.asked('migration.cancel')).toEqual([{ migration: 'm1', by: 'the window' }]);
});

test('a failed project shows its error and can be retried alone', async () => {
  const failed = exampleMigrationProject({
    state: 'failed',
    error: { code: 'import-failed', message: 'The import failed.', retry: 'never', details: {} },
    exportJob: '3',
    archiveId: '9',
  });
  const bridge = await openMigrations(
    {
      'migration.show': running,
      'migration.projects': pagesOf([failed]),
      'migration.again': running,
      'host.confirm': nothingReplaced,
    },
    at('run', { project: 'group/app' }),
  );
  const panel = page.getByRole('complementary');
  await expect.element(panel.getByRole('alert')).toBeVisible();
  await expect
    .element(panel.getByRole('link', { name: 'Show the archive' }))
    .toHaveAttribute('href', '#/archives?archive=9');
  await expect
    .element(panel.getByRole('link', { name: 'Export' }))
    .toHaveAttribute('href', '#/activity?job=3');
  await expectAccessible();
  await panel.getByRole('button', { name: 'Retry' }).click();
  await expect
    .poll(() => bridge.asked('migration.again'))
    .toEqual([{ migration: 'm1', project: '1', confirmation: 'word' }]);
});

test('resuming and retrying send nothing before the replacement of a project is confirmed', async () => {
  const failed = exampleMigrationProject({
    state: 'failed',
    error: { code: 'import-failed', message: 'The import failed.', retry: 'never', details: {} },
  });
  const bridge = await openMigrations(
    {
      'migration.show': { ...running, status: 'paused' },
      'migration.projects': pagesOf([failed]),
      'migration.start': running,
      'migration.again': running,
      'host.confirm': {
        ...nothingReplaced,
        destroys: [{ what: 'project', name: 'moved/app', count: null }],
      },
    },
    at('run', { project: 'group/app' }),
  );
  const word = page.getByLabelText('Type “autumn move” to confirm');
  await page.getByRole('complementary').getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByText(/The project moved\/app on the instance/)).toBeVisible();
  await expectAccessible();
  expect(bridge.asked('host.confirm')).toMatchObject([
    { action: 'migration.again', instance: 'new-home', project: 'm1', part: '1' },
  ]);
  expect(bridge.asked('migration.again')).toEqual([]);
  await word.fill('autumn move');
  await button('Replace and try again').click();
  await expect
    .poll(() => bridge.asked('migration.again'))
    .toEqual([{ migration: 'm1', project: '1', confirmation: 'word' }]);

  await button('Resume').click();
  await word.fill('autumn move');
  expect(bridge.asked('migration.start')).toEqual([]);
  await button('Replace and continue').click();
  await expect.poll(() => bridge.asked('migration.start')).toHaveLength(1);
});
