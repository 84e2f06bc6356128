import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import { expectAccessible } from '../../support/window.ts';
import { exampleCounts, openMigrations, pagesOf } from './migrations.ts';

import { payload, button, panel, at, ended, differs, reconciliation } from './ended-migration.ts';

test('a result names the missing records and the side that lost them, the settings that differ, and what cannot be compared', async () => {
  await openMigrations(
    {
      'migration.show': ended,
      'migration.projects': pagesOf([differs]),
      'migration.reconciliation': { reconciliation, differences: [] },
    },
    at({ project: 'group/app' }),
  );
  await expect.element(page.getByText('1 project arrived in part.')).toBeVisible();
  await expect.element(panel.getByRole('row', { name: /Milestones 3 3 2 1 lost on import/ })).toBeVisible();
  const missing = panel.getByRole('region', { name: 'Differences' });
  await expect.element(missing.getByText(`#9 ${payload}`)).toBeVisible();
  await expect.element(missing.getByRole('row', { name: /^#9 .* — Missing on import/ })).toBeVisible();
  await expect
    .element(missing.getByRole('row', { name: /#4 A long talk: Notes 12 10 on export/ }))
    .toBeVisible();
  await expect
    .element(panel.getByRole('row', { name: /^visibility Grave private internal on import/ }))
    .toBeVisible();
  await panel.getByText('Expected differences, and facts that are not known').click();
  await expect.element(panel.getByText(/kept its author cannot be read/)).toBeVisible();
  await panel.getByText('Not compared: 1 relation, or fields of it; 1 part of the archive').click();
  await expect.element(panel.getByText(/their fields were not compared: labels\.$/)).toBeVisible();
  await panel.getByText('2 fields that were not compared').click();
  await expect.element(panel.getByText('color, priority')).toBeVisible();
  const notCompared = panel.getByRole('region', { name: 'Parts that are not compared' });
  await expect
    .element(
      notCompared.getByRole('row', {
        name: /States of reviews by assignees 12 GitLab’s REST API does not show/,
      }),
    )
    .toBeVisible();
  await expect
    .element(notCompared.getByRole('row', { name: /Designs 0 GitLab’s REST API does not show/ }))
    .toBeVisible();
  await expect
    .element(panel.getByRole('link', { name: '2 in all, 1 open' }))
    .toHaveAttribute('href', '#/migrations?migration=m1&step=result&part=failures&into=moved%2Fapp');
  expect(document.querySelector('img')).toBeNull();
  await expectAccessible();
});

test('differences are shown side by side, grave ones are marked, and the list is filtered by relation, side and gravity', async () => {
  const field = (iid: number, name: string, expected: string, found: string): MissingRecord => ({
    ...{ relation: 'issues', lost: 'on-import', line: iid, iid, title: null },
    part: { name, values: { expected, found } },
  });
  const missing: MissingRecord[] = [
    field(1, 'confidential', 'true', 'false'),
    ...[2, 3, 4, 5].map((iid) => field(iid, 'description', 'A long text', '')),
    { relation: 'labels', lost: 'on-export', line: null, iid: null, title: 'bug', part: null },
  ];
  await openMigrations(
    {
      'migration.show': ended,
      'migration.projects': pagesOf([differs]),
      'migration.reconciliation': {
        reconciliation: { ...reconciliation, missing, missingCount: 6, settings: [] },
        differences: [],
      },
    },
    at({ project: 'group/app' }),
  );
  const table = panel.getByRole('region', { name: 'Differences' });
  const rows = table.getByRole('row');
  await expect
    .element(table.getByRole('row', { name: /Issues #1: Confidential Grave true false on import/ }))
    .toBeVisible();
  await expect
    .element(table.getByRole('row', { name: /#2: Description A long text — on import/ }))
    .toBeVisible();
  await expect.element(table.getByRole('row', { name: /bug — Missing on export/ })).toBeVisible();
  await expect.element(panel.getByText(/^1 difference is grave: people can see or do more/)).toBeVisible();
  // The table head, three groups, and six differences.
  expect(rows.elements()).toHaveLength(10);
  expect(rows.elements()[1]?.textContent).toBe('Grave differences (1)');
  await expect.element(table.getByRole('row', { name: 'Issues (4)' })).toBeVisible();
  await expectAccessible();

  await panel.getByRole('checkbox', { name: 'Only grave differences' }).click();
  await expect.poll(() => rows.elements().length).toBe(3);
  await expect.element(panel.getByText('1 of 6 differences')).toBeVisible();
  await panel.getByRole('checkbox', { name: 'Only grave differences' }).click();
  await panel.getByRole('combobox', { name: 'Lost' }).selectOptions('on export');
  await expect.poll(() => rows.elements().length).toBe(3);
  await panel.getByRole('combobox', { name: 'What' }).selectOptions('Issues');
  await expect.poll(() => rows.elements().length).toBe(1);
});

test('numbers and settings are filtered, too, and every difference can be shown', async () => {
  const labels = Array.from({ length: 250 }, (_, index): MissingRecord => ({
    ...{ relation: 'labels', lost: 'on-import', line: index, iid: null, title: `label ${index}`, part: null },
  }));
  const uploads = difference({ ref: '1-d', kind: 'number', relation: 'uploads', missing: 3, open: 3 });
  const rows = [
    { relation: 'uploads', source: 5, archive: 5, target: 2, verdict: 'lost-on-import' as const },
  ];
  await openMigrations(
    {
      'migration.show': ended,
      'migration.projects': pagesOf([differs]),
      'migration.reconciliation': {
        reconciliation: { ...reconciliation, rows, missing: labels, missingCount: 250 },
        differences: [uploads],
      },
    },
    at({ project: 'group/app' }),
  );
  const table = panel.getByRole('region', { name: 'Differences' });
  const named = table.getByRole('row', { name: /^label / });
  await expect.poll(() => named.elements().length).toBe(99);
  await button('Show 100 more').click();
  await expect.poll(() => named.elements().length).toBe(199);
  await button('Show 52 more').click();
  await expect.poll(() => named.elements().length).toBe(250);
  expect(button('Show 100 more').elements()).toEqual([]);

  const kind = panel.getByRole('combobox', { name: 'Kind' });
  await kind.selectOptions('Numbers');
  await expect.element(table.getByRole('row', { name: /^Number of records 5 2 on import/ })).toBeVisible();
  await expect.poll(() => named.elements().length).toBe(0);
  await kind.selectOptions('Settings');
  await expect.element(table.getByRole('row', { name: /^visibility Grave private internal/ })).toBeVisible();
  await expect.element(panel.getByText('1 of 252 differences')).toBeVisible();
  await expectAccessible();
});

test('the words that differ are marked on both sides, and an unknown end is named', async () => {
  const ending = (digest: string): string => `${'word '.repeat(32)}… (300 characters, SHA-256 ${digest})`;
  const field = (name: string, expected: string, found: string): MissingRecord => ({
    ...{ relation: 'issues', lost: 'on-import', line: 1, iid: 1, title: 'Crash' },
    part: { name, values: { expected, found } },
  });
  const missing = [
    field('title', 'The old title', 'The new title'),
    field('description', ending('0123456789abcdef'), ending('fedcba9876543210')),
  ];
  await openMigrations(
    {
      'migration.show': ended,
      'migration.projects': pagesOf([differs]),
      'migration.reconciliation': {
        reconciliation: { ...reconciliation, missing, settings: [] },
        differences: [],
      },
    },
    at({ project: 'group/app' }),
  );
  const title = panel.getByRole('row', { name: /Crash: Title/ });
  await expect.element(title.getByRole('deletion')).toMatchTextContent(/^old$/);
  await expect.element(title.getByRole('insertion')).toMatchTextContent(/^new$/);
  await expect.element(title.getByRole('cell', { name: 'The old title' })).toBeVisible();
  const description = panel.getByRole('row', { name: /Crash: Description/ });
  await expect.element(description.getByText(/^The first 160 characters are equal/)).toBeVisible();
  expect(description.getByRole('deletion').elements()).toEqual([]);
  await expectAccessible();
});

const difference = (change: Partial<Difference>): Difference => ({
  ...{ ref: '1-a', kind: 'record', relation: 'milestones', what: 'milestones: #9', lost: 'on-import' },
  ...{ isGrave: false, missing: 1, open: 1, accepted: null, places: [] },
  ...change,
});
const accepted = { note: 'Nobody needs it', at: '2026-11-20T08:00:00.000Z' };
const differences = [
  difference({ ref: '1-a', places: [0] }),
  difference({
    ...{ ref: '1-b', kind: 'part', relation: 'issues', missing: 2, open: 1, accepted, places: [1] },
    lost: 'on-export',
  }),
  difference({ ref: '1-c', kind: 'setting', relation: 'visibility', open: 0, accepted }),
  difference({ ref: '1-d', kind: 'number', relation: 'uploads', missing: 3, open: 3 }),
];

test('a loss is accepted below its row with a note, alone or with all open losses, and can be reopened', async () => {
  const rows = [
    ...reconciliation.rows,
    { relation: 'uploads', source: 5, archive: 5, target: 2, verdict: 'lost-on-import' as const },
  ];
  const bridge = await openMigrations(
    {
      'migration.show': ended,
      'migration.projects': pagesOf([{ ...differs, accepted: 2 }]),
      'migration.reconciliation': { reconciliation: { ...reconciliation, rows }, differences },
      'failure.settle': { changed: 1 },
    },
    at({ project: 'group/app' }),
  );
  /** The row below the row of a loss. */
  const below = (name: RegExp) =>
    panel.getByRole('row').nth(
      panel
        .getByRole('row')
        .elements()
        .findIndex((element) => name.test(element.textContent)) + 1,
    );
  await expect.element(panel.getByRole('row', { name: /#4 A long talk: Notes/ })).toBeVisible();
  await expect.element(below(/#9/).getByRole('button', { name: 'Accept…' })).toBeVisible();
  await expect.element(below(/A long talk/).getByText('1 of 2 accepted: Nobody needs it')).toBeVisible();
  await expect.element(below(/visibility/).getByText('Accepted: Nobody needs it')).toBeVisible();
  expect(
    below(/visibility/)
      .getByRole('button', { name: 'Accept…' })
      .elements(),
  ).toEqual([]);
  await expect.element(panel.getByText('2 accepted', { exact: true })).toBeVisible();
  await expectAccessible();

  await below(/Number of records/)
    .getByRole('button', { name: 'Accept…' })
    .click();
  await button('Accept').click();
  await expect.element(page.getByText('Enter a reason.')).toBeVisible();
  expect(bridge.asked('failure.settle')).toEqual([]);
  await page.getByLabelText('Why the loss is acceptable').fill('Were temporary');
  await expectAccessible();
  await button('Accept').click();
  await expect
    .poll(() => bridge.asked('failure.settle'))
    .toEqual([{ failures: ['1-d'], state: 'accepted', note: 'Were temporary' }]);

  await button('Accept all 3…').click();
  await page.getByLabelText('Why the loss is acceptable').fill('As agreed');
  await button('Accept').click();
  await expect
    .poll(() => bridge.asked('failure.settle').at(-1))
    .toEqual({ failures: ['1-a', '1-b', '1-d'], state: 'accepted', note: 'As agreed' });

  await below(/visibility/)
    .getByRole('button', { name: 'Reopen' })
    .click();
  await expect
    .poll(() => bridge.asked('failure.settle').at(-1))
    .toEqual({ failures: ['1-c'], state: 'open', note: null });
});

test('a comparison whose losses are all accepted states this, and never that everything arrived', async () => {
  const allAccepted = differences.map((entry) => ({ ...entry, open: 0, accepted }));
  await openMigrations(
    {
      'migration.show': { ...ended, projects: exampleCounts({ arrived: 3 }), accepted: 4 },
      'migration.projects': pagesOf([
        { ...differs, state: 'arrived', failures: { ...differs.failures, open: 0 }, accepted: 4 },
      ]),
      'migration.reconciliation': { reconciliation, differences: allAccepted },
    },
    at({ project: 'group/app' }),
  );
  await expect.element(page.getByText('4 losses were accepted; the passports name them.')).toBeVisible();
  await expect.element(panel.getByText('Not everything arrived, and that was accepted')).toBeVisible();
  await expect.element(panel.getByText('4 accepted', { exact: true })).toBeVisible();
  expect(page.getByText(/API shows agree/).elements()).toEqual([]);
  expect(panel.getByRole('button', { name: /^Accept/ }).elements()).toEqual([]);
});
