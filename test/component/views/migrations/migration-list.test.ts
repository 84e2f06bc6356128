import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { exampleInstance } from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending } from '../../support/window.ts';
import { exampleCounts, exampleMigration, openMigrations } from './migrations.ts';

const card = (name: string) => page.getByRole('article', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });

test('the list of migrations shows that it is loading', async () => {
  await openMigrations({ 'migration.list': pending });
  await expect.element(page.getByText('Loading…')).toBeVisible();
  await expectAccessible();
});

test('a load error states what happened, and the list can be loaded again', async () => {
  const bridge = await openMigrations({ 'migration.list': fails('catalogue-busy') });
  await expect.element(page.getByText('Another process keeps the catalogue busy.')).toBeVisible();
  bridge.answer('migration.list', { migrations: [exampleMigration()] });
  await button('Try again').click();
  await expect.element(card('autumn move')).toBeVisible();
});

test('an empty list offers to create a migration, or to add an instance if none has an account', async () => {
  await openMigrations({ 'migration.list': { migrations: [] } });
  await expect.element(page.getByText('No migrations yet')).toBeVisible();
  await expectAccessible();
  await button('New migration…').last().click();
  expect(window.location.hash).toBe('#/migrations?add=migration');
  await openMigrations({
    'migration.list': { migrations: [] },
    'instance.list': { instances: [exampleInstance({ anonymous: true })] },
  });
  await button('Add an instance…').click();
  expect(window.location.hash).toBe('#/instances?add=instance');
});

test('each migration shows its source and target, its status, its wave, and the number of projects per state', async () => {
  await openMigrations({
    'migration.list': {
      migrations: [
        exampleMigration({
          status: 'running',
          wave: { current: 2, total: 5 },
          projects: exampleCounts({ arrived: 340, differs: 12, failed: 3, importing: 4, planned: 641 }),
          comparedInPart: 2,
        }),
        exampleMigration({ id: 'm2', name: 'later' }),
      ],
    },
  });
  const words = card('autumn move');
  await expect.element(words.getByText('work → new-home')).toBeVisible();
  await expect.element(words.getByText('In progress')).toBeVisible();
  await expect.element(words.getByText(/Wave 2 of 5 · Created 2 hours ago/)).toBeVisible();
  const counts = words.getByRole('list', { name: 'Projects of autumn move by state' });
  expect(
    counts
      .getByRole('listitem')
      .elements()
      .map((element) => element.textContent.replaceAll(/\s+/g, ' ').trim()),
  ).toEqual([
    '340 Arrived, 2 of them with contents compared in part',
    '12 Not all arrived',
    '3 Failed',
    '4 Importing',
    '641 Planned',
  ]);
  await expect.element(card('later').getByText('Not started')).toBeVisible();
  await expectAccessible();
});

test('a migration is removed after a confirmation, but not while it is in progress', async () => {
  const bridge = await openMigrations({
    'migration.list': {
      migrations: [exampleMigration(), exampleMigration({ id: 'm2', name: 'running', status: 'running' })],
    },
    'migration.remove': {},
  });
  await button('More about autumn move').click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await expect.element(page.getByText(/Migrated projects and their archives are kept/)).toBeVisible();
  await button('Remove the migration').click();
  await expect.poll(() => bridge.asked('migration.remove')).toEqual([{ migration: 'm1' }]);
  expect(button('More about running').elements()).toEqual([]);
});

test('the list follows the changes of a migration', async () => {
  const bridge = await openMigrations();
  await expect.element(card('autumn move').getByText('Not started')).toBeVisible();
  bridge.answer('migration.list', { migrations: [exampleMigration({ status: 'paused' })] });
  bridge.emit('migration.changed', { migrationId: 'm1', revision: 2 });
  await expect.element(card('autumn move').getByText('Paused')).toBeVisible();
});
