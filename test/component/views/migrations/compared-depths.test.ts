/** @file How far the contents of migrated projects were compared: in the headline, the numbers, the list and the details. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../support/window.ts';
import { exampleCounts, openMigrations, pagesOf } from './migrations.ts';

import { at, differs, ended, panel, reconciliation, row } from './ended-migration.ts';

const arrived = {
  ...differs,
  ...{ state: 'arrived' as const, missing: 0, failures: { open: 0, total: 0, hasUnlisted: false } },
};
const nothingLost = { reconciled: true, rows: [], missing: [], missingCount: 0, settings: [] };
const gap = 'A list could not be read.';
const inPart = {
  ...reconciliation,
  ...nothingLost,
  gaps: [gap],
  declared: [gap, 'A user has another name.'],
};
const complete = { ...inPart, depth: 'contents' as const, gaps: undefined, declared: [] };
const app = { ...arrived, depth: 'fields' as const };
const plain = { ...arrived, sourceId: 2, sourcePath: 'group/plain', depth: 'contents' as const };
const texts = { complete: 'Arrived', inPart: 'Arrived, contents compared in part' };

test('a project compared in part says so in the list and in its details, with each reason once', async () => {
  await openMigrations(
    {
      'migration.show': { ...ended, projects: exampleCounts({ arrived: 2 }), comparedInPart: 1 },
      'migration.projects': pagesOf([app, plain]),
      'migration.reconciliation': { reconciliation: inPart, differences: [] },
    },
    at({ project: 'group/app' }),
  );
  await expect
    .element(page.getByText('Every project arrived, 1 of them with contents compared in part'))
    .toBeVisible();
  const counts = page.getByRole('list', { name: 'Projects of autumn move by state' });
  await expect
    .element(counts.getByText('Arrived, 1 of them with contents compared in part'))
    .toHaveAttribute('href', '#/migrations?migration=m1&step=result&state=arrived');
  await expect.element(row(/group\/app/).getByText(texts.inPart, { exact: true })).toBeVisible();
  await expect.element(row(/group\/plain/).getByText(texts.complete, { exact: true })).toBeVisible();
  await expect.element(panel.getByText('Why contents were compared only in part')).toBeVisible();
  await panel.getByText('Expected differences, and facts that are not known').click();
  await expect.element(panel.getByText('A user has another name.')).toBeVisible();
  expect(panel.getByText(gap).elements()).toHaveLength(1);
  await expectAccessible();
});

test('a project whose list of failures GitLab may have cut is never shown as good, and says why', async () => {
  const cut = { ...app, failures: { open: 0, total: 100, hasUnlisted: true } };
  await openMigrations(
    {
      'migration.show': {
        ...{ ...ended, projects: exampleCounts({ arrived: 2 }) },
        ...{ comparedInPart: 1, arrivedWithUnlistedFailures: 1 },
      },
      'migration.projects': pagesOf([cut, plain]),
      'migration.reconciliation': { reconciliation: inPart, differences: [] },
    },
    at({ project: 'group/app' }),
  );
  await expect.element(row(/group\/app/).getByText(texts.inPart, { exact: true })).toBeVisible();
  await expect.element(panel.getByText(gap)).toBeVisible();
  // The badge in the list, the badge in the panel, and the summary of the comparison.
  const results = page.getByText(texts.inPart, { exact: true }).elements();
  const tones = results.map((element) => element.closest('.badge, .notice')?.className);
  expect(tones).toEqual(Array(3).fill(expect.stringMatching(/\bwarn\b/)));
  const completeBadge = row(/group\/plain/).getByText(texts.complete, { exact: true });
  expect(completeBadge.element().closest('.badge')?.className).toMatch(/\bgood\b/);
  const notices = [...document.querySelectorAll('.notice')];
  expect(notices.map(({ className }) => className)).toEqual(Array(2).fill(expect.stringMatching(/\bwarn\b/)));
  expect(notices[0]?.textContent).toContain('out of its list, and what they lost is not known.');
  expect(panel.element().textContent).toContain('Whether there were others, and what they lost');
  const counts = page.getByRole('list', { name: 'Projects of autumn move by state' });
  const item = counts.getByRole('listitem');
  await expect.element(item).toHaveClass(/\bwarn\b/);
  expect(item.element().textContent).toContain("failures of 1 project may be missing from GitLab's list");
  // The bar shows the other project as good.
  const bar = [...(counts.element().parentElement?.querySelectorAll('[aria-hidden] > span') ?? [])];
  expect(bar.map(({ className }) => className)).toEqual([
    expect.stringMatching(/\bgood\b/),
    expect.stringMatching(/\bwarn\b/),
  ]);
  await expectAccessible();
});

test('a project compared completely has arrived, and gives no reasons', async () => {
  await openMigrations(
    {
      'migration.show': { ...ended, projects: exampleCounts({ arrived: 1 }), comparedInPart: 0 },
      'migration.projects': pagesOf([plain]),
      'migration.reconciliation': { reconciliation: complete, differences: [] },
    },
    at({ project: 'group/plain' }),
  );
  await expect.element(page.getByText('Every project arrived', { exact: true })).toBeVisible();
  await expect
    .element(panel.getByText(/Contents were compared, as far as GitLab’s API shows them/))
    .toBeVisible();
  await expect.element(panel.getByText('Arrived', { exact: true }).first()).toBeVisible();
  expect(page.getByText(/in part/).elements()).toEqual([]);
});
