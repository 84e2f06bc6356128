import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import type { ImportFailure } from '../../../../src-contract/migrations/failure.ts';
import type { MissingRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { exampleMigrationProject } from '../../../support/migrations/example-migrating.ts';
import { expectAccessible, type Script } from '../../support/window.ts';
import { exampleCounts, exampleMigration, openMigrations, pagesOf } from './migrations.ts';

const payload = '<img src=x onerror="document.title=\'ran\'">';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = (name: RegExp) => page.getByRole('row', { name });
const panel = page.getByRole('complementary');
const at = (more: Record<string, string> = {}) => ({
  parameters: { migration: 'm1', step: 'result', ...more },
});
const ended = exampleMigration({
  status: 'ended',
  wave: { current: 1, total: 1 },
  projects: exampleCounts({ arrived: 2, differs: 1 }),
});
const differs = exampleMigrationProject({
  state: 'differs',
  exportJob: '3',
  importJob: '4',
  archiveId: '9',
  targetId: 70,
  targetPath: 'moved/app',
  targetUrl: 'https://new.example.com/moved/app',
  failures: { open: 1, total: 2, truncated: false },
  missing: 1,
});
const reconciliation: Reconciliation = {
  at: new Date().toISOString(),
  depth: 'fields',
  reconciled: false,
  rows: [{ relation: 'milestones', source: 3, archive: 3, target: 2, verdict: 'lost-on-import' }],
  missing: [
    { relation: 'milestones', lost: 'on-import', line: 2, iid: 9, title: payload, part: null },
    {
      relation: 'issues',
      lost: 'on-export',
      line: null,
      iid: 4,
      title: 'A long talk',
      part: { name: 'notes', expected: 12, found: 10 },
    },
  ],
  missingCount: 2,
  settings: [{ attribute: 'visibility', expected: 'private', found: 'internal', lost: 'on-import' }],
  declared: ['Whether every comment kept its author cannot be read.'],
  notCompared: [
    { part: 'emoji', records: 12 },
    { part: 'designs', records: 0 },
  ],
};

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
  const missing = panel.getByRole('region', { name: 'Missing records' });
  await expect.element(missing.getByText(`#9 ${payload}`)).toBeVisible();
  await expect.element(missing.getByText('on import')).toBeVisible();
  await expect
    .element(missing.getByRole('row', { name: /#4 A long talk: Notes 12 10 on export/ }))
    .toBeVisible();
  await expect
    .element(panel.getByRole('row', { name: 'visibility Grave private internal on import' }))
    .toBeVisible();
  await panel.getByText('Expected differences, and facts that are not known').click();
  await expect.element(panel.getByText(/kept its author cannot be read/)).toBeVisible();
  await panel.getByText('Not compared: 1 part of the archive').click();
  const notCompared = panel.getByRole('region', { name: 'Parts that are not compared' });
  await expect
    .element(notCompared.getByRole('row', { name: /Emoji reactions other than votes 12 not requested/ }))
    .toBeVisible();
  await expect
    .element(notCompared.getByRole('row', { name: /Designs 0 GitLab’s API does not show/ }))
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
  const table = panel.getByRole('region', { name: 'Missing records' });
  const rows = table.getByRole('row');
  await expect
    .element(table.getByRole('row', { name: /#1: Confidential Grave true false on import/ }))
    .toBeVisible();
  await expect
    .element(table.getByRole('row', { name: /#2: Description A long text — on import/ }))
    .toBeVisible();
  await expect.element(table.getByRole('row', { name: /bug — Missing on export/ })).toBeVisible();
  await expect.element(panel.getByText(/^1 difference is grave: people can see or do more/)).toBeVisible();
  expect(rows.elements()).toHaveLength(7);
  await expectAccessible();

  await panel.getByRole('checkbox', { name: 'Only grave differences' }).click();
  await expect.poll(() => rows.elements().length).toBe(2);
  await panel.getByRole('checkbox', { name: 'Only grave differences' }).click();
  await panel.getByRole('combobox', { name: 'Lost' }).selectOptions('on export');
  await expect.poll(() => rows.elements().length).toBe(2);
  await panel.getByRole('combobox', { name: 'What' }).selectOptions('Issues');
  await expect.poll(() => rows.elements().length).toBe(1);
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
  await expect.element(panel.getByText('#4 A long talk: Notes')).toBeVisible();
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

  await below(/Uploads/)
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
    truncated: true,
    unseen: 40,
  };
};

test('a thousand failures are filtered by search words, and by relation and exception', async () => {
  const bridge = await openMigrations(
    { 'migration.show': ended, 'failure.list': listed },
    at({ part: 'failures' }),
  );
  await expect.element(page.getByText('1,000 failures')).toBeVisible();
  await expect.element(page.getByText(/there were probably about 40 more/)).toBeVisible();
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
