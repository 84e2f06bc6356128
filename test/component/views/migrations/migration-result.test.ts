import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ImportFailure } from '../../../../src-contract/migrations/failure.ts';
import { expectAccessible, type Script } from '../../support/window.ts';
import { exampleCounts, openMigrations, pagesOf } from './migrations.ts';

import { payload, button, row, panel, at, ended, differs, reconciliation } from './ended-migration.ts';

test('passports are saved, and the sources are finished only with the chosen steps', async () => {
  const bridge = await openMigrations(
    {
      'migration.show': ended,
      'migration.passport': { folder: '/downloads/autumn move', files: ['index.html', 'group-app.html'] },
      'migration.finishOutlook': { projects: 2, roleTooLow: [], unknown: 0 },
      'migration.finish': { runId: '5', jobs: 2, refused: [] },
    },
    at(),
  );
  await button('Save passports').click();
  await expect.element(page.getByText('They are in /downloads/autumn move.')).toBeVisible();
  expect(bridge.asked('migration.passport')).toEqual([{ migration: 'm1', project: null, to: null }]);
  await button('Mark the sources as moved…').click();
  await expect
    .element(page.getByText('1 project has not arrived completely: its source is not changed.'))
    .toBeVisible();
  await page.getByRole('checkbox', { name: 'Mark as archived on GitLab' }).click();
  await expectAccessible();
  await button('Mark as moved').click();
  await expect
    .poll(() => bridge.asked('migration.finish'))
    .toEqual([
      { migration: 'm1', project: null, markSource: false, noteNewPlace: true, despiteDifferences: false },
    ]);
});

test('finishing the source of an incomplete project states what is missing, and its button states that the result differs', async () => {
  const bridge = await openMigrations(
    {
      'migration.show': ended,
      'migration.projects': pagesOf([differs]),
      'migration.reconciliation': { reconciliation, differences: [] },
      'migration.finishOutlook': { projects: 1, roleTooLow: [], unknown: 0 },
      'migration.finish': { runId: '5', jobs: 1, refused: [] },
    },
    at({ project: 'group/app' }),
  );
  await button('Mark the source as moved…').click();
  await expect
    .element(page.getByText('Not everything arrived: 1 record is missing or changed, 1 failure is open.'))
    .toBeVisible();
  await expect.element(button('Mark as moved')).not.toBeInTheDocument();
  await expectAccessible();
  await button('Mark as moved although the result differs').click();
  await expect.poll(() => bridge.asked('migration.finish')).toMatchObject([{ despiteDifferences: true }]);
});

test('sources that the account may not mark are named before anything is sent, and only if the mark is chosen', async () => {
  const roleTooLow = Array.from({ length: 12 }, (_, index) => `group/app-${index + 1}`);
  const bridge = await openMigrations(
    { 'migration.show': ended, 'migration.finishOutlook': { projects: 40, roleTooLow, unknown: 0 } },
    at(),
  );
  await button('Mark the sources as moved…').click();
  const warning = page.getByText('You are not an Owner of 12 of 40 projects: GitLab will not archive them.');
  await expect.element(warning).toBeVisible();
  await expect.element(page.getByText('group/app-10', { exact: true })).toBeVisible();
  await expect.element(page.getByText('and 2 more')).toBeVisible();
  await expect.element(page.getByText('group/app-11')).not.toBeInTheDocument();
  await expectAccessible();
  await page.getByRole('checkbox', { name: 'Mark as archived on GitLab' }).click();
  await expect.element(warning).not.toBeInTheDocument();
  expect(bridge.asked('migration.finishOutlook')).toEqual([{ migration: 'm1', project: null }]);
  expect(bridge.asked('migration.finish')).toEqual([]);
});

test('a project that was compared by numbers only is no arrived one, and its contents can be compared', async () => {
  const uncompared = { ...differs, state: 'uncompared' as const, failures: none, missing: 0 };
  const byNumbers = { ...reconciliation, ...nothingLost, depth: 'numbers' as const };
  const counts = exampleCounts({ uncompared: 1 });
  const bridge = await openMigrations(
    {
      'migration.show': { ...ended, compare: 'counts', projects: counts },
      'migration.projects': pagesOf([uncompared]),
      'migration.reconciliation': { reconciliation: byNumbers, differences: [] },
      'migration.reconcile': { reconciliation: byNumbers, differences: [] },
    },
    at({ project: 'group/app' }),
  );
  await expect
    .element(page.getByText(/^No difference was found, but the contents of 1 project were not compared/))
    .toBeVisible();
  const numbersAgree = 'The numbers of records agree. Their names and contents were not compared.';
  await expect.element(panel.getByText(numbersAgree)).toBeVisible();
  await expect.element(button('Mark the sources as moved…')).not.toBeInTheDocument();
  await expectAccessible();
  await button('Compare contents').click();
  await expect
    .poll(() => bridge.asked('migration.reconcile'))
    .toEqual([{ migration: 'm1', project: '1', compare: 'contents' }]);
});

const none = { open: 0, total: 0, hasUnlisted: false };
const issues = { relation: 'issues', source: 2, archive: 2, target: 2, verdict: 'equal' as const };
const nothingLost = { rows: [issues], missing: [], missingCount: 0, settings: [] };

const failure = (index: number): ImportFailure => ({
  id: index,
  createdAt: '2026-11-20T08:00:00.000Z',
  exceptionClass: index % 2 === 0 ? 'ActiveRecord::RecordInvalid' : 'ArgumentError',
  exceptionMessage: null,
  source: 'process_relation_item!',
  relation: index % 2 === 0 ? 'milestones' : 'issues',
  line: index,
  ref: `f${index}`,
  instance: 'new-home',
  project: 'moved/app',
  projectId: 70,
  importJob: '4',
  migrationId: 'm1',
  archiveId: '9',
  state: 'open',
  note: null,
  changedAt: '2026-11-20T08:00:00.000Z',
  record: { iid: index, title: index === 2 ? payload : `Record ${index}` },
});
const allFailures = Array.from({ length: 1000 }, (_, index) => failure(index));
const listed: NonNullable<Script['failure.list']> = ({ search, relation, offset, limit }) => {
  const found = allFailures.filter(
    (entry) =>
      (relation === null || entry.relation === relation) &&
      (search === null || (entry.record?.title?.includes(search) ?? false)),
  );
  return {
    failures: found.slice(offset, offset + limit),
    total: found.length,
    groups: (['milestones', 'issues'] as const).map((of) => ({
      relation: of,
      exceptionClass: of === 'milestones' ? 'ActiveRecord::RecordInvalid' : 'ArgumentError',
      total: 500,
      open: 500,
      meaning: 'A field is not valid.',
      advice: 'Mend the source.',
    })),
    hasUnlisted: true,
    unlistedCount: 40,
  };
};

test('a thousand failures are filtered by search words, and by relation and exception', async () => {
  const bridge = await openMigrations(
    { 'migration.show': ended, 'failure.list': listed },
    at({ part: 'failures' }),
  );
  await expect.element(page.getByText('1,000 failures')).toBeVisible();
  await expect.element(page.getByText(/About 40 others are not listed/)).toBeVisible();
  expect(page.getByRole('row').elements().length).toBeLessThan(60);
  expect(document.querySelector('img')).toBeNull();
  await expectAccessible();
  await page
    .getByRole('combobox', { name: 'Relation and exception' })
    .selectOptions('Issues · ArgumentError (500, 500 open)');
  await expect.element(page.getByText('500 failures')).toBeVisible();
  await page.getByRole('searchbox').fill('Record 999');
  await expect.element(page.getByText('1 failure', { exact: true })).toBeVisible();
  await expect.element(row(/Issues .*#999 Record 999/)).toBeVisible();
  expect(bridge.asked('failure.list').at(-1)).toMatchObject({
    migration: 'm1',
    relation: 'issues',
    exceptionClass: 'ArgumentError',
    search: 'Record 999',
  });
});

test('a failure is shown with its record and the suspicious field marked, and is accepted with a note', async () => {
  const bridge = await openMigrations(
    {
      'migration.show': ended,
      'failure.list': listed,
      'failure.show': {
        failure: failure(2),
        meaning: 'GitLab found an invalid field.',
        advice: 'Put the original right.',
        record: {
          relation: 'milestones',
          line: 2,
          text: '{"title":null,"iid":2,"due_date":"soon"}',
          truncated: false,
          value: { title: null, iid: 2, due_date: 'soon' },
        },
        findings: [
          {
            code: 'date-invalid',
            severity: 'will-be-refused',
            path: 'due_date',
            message: 'This is no date.',
            advice: 'Give it one.',
          },
        ],
        recordAbsence: null,
        notLookedFor: ['Duplicates were not looked for.'],
        sourceUrl: 'https://gitlab.example.com/group/app/-/milestones/2',
      },
      'failure.settle': { changed: 1 },
    },
    at({ part: 'failures', failure: 'f2' }),
  );
  await expect.element(panel.getByText('GitLab will refuse it')).toBeVisible();
  await expect.element(panel.getByText('Duplicates were not looked for.')).toBeVisible();
  const marked = panel.getByRole('definition').filter({ hasText: 'This is no date.' });
  await expect.element(marked).toBeVisible();
  await expect.element(button('Open the original')).toBeVisible();
  await expectAccessible();
  await panel.getByRole('button', { name: 'Accept…' }).click();
  await button('Accept').click();
  await expect.element(page.getByText('Enter a reason.')).toBeVisible();
  await page.getByLabelText('Why the loss is acceptable').fill('Nobody needs it.');
  await button('Accept').click();
  await expect
    .poll(() => bridge.asked('failure.settle'))
    .toEqual([{ failures: ['f2'], state: 'accepted', note: 'Nobody needs it.' }]);
});

test('the relation of a failure can be imported again, from the missing records alone or from the whole archive', async () => {
  const bridge = await openMigrations(
    {
      'migration.show': ended,
      'migration.projects': { projects: [differs], total: 1 },
      'failure.list': listed,
      'failure.show': {
        ...{ failure: failure(2), meaning: 'It is so.', advice: 'Do this.' },
        ...{ record: null, recordAbsence: 'no-such-line', findings: [], notLookedFor: [], sourceUrl: null },
      },
      'migration.retry': { runId: '8', jobId: '8' },
    },
    at({ part: 'failures', failure: 'f2' }),
  );
  await expect
    .element(panel.getByText(/The archive has no line 2 in milestones.*stays open until a user accepts it/))
    .toBeVisible();
  await panel.getByRole('button', { name: 'Import a part again…' }).click();
  await expect.element(page.getByRole('combobox', { name: 'Which part' })).toHaveValue('milestones');
  await expectAccessible();
  await button('Import it again').click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await panel.getByRole('button', { name: 'Import a part again…' }).click();
  await page.getByRole('radio', { name: 'All of this part' }).click();
  await button('Import it again').click();
  const request = { migration: 'm1', project: '1', relation: 'milestones', removeMembers: false } as const;
  await expect
    .poll(() => bridge.asked('migration.retry'))
    .toEqual([
      { ...request, records: 'missing' },
      { ...request, records: 'all' },
    ]);
});
