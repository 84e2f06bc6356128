import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { PreflightFinding } from '../../../../src-contract/migrations/migration.ts';
import { host } from '../../../../src-renderer/data/host.svelte.ts';
import { router } from '../../../../src-renderer/data/places/router.svelte.ts';
import { exampleMigrationProject } from '../../../support/migrations/example-migrating.ts';
import { exampleCapabilities } from '../../support/overview-examples.ts';
import { expectAccessible, fails } from '../../support/window.ts';
import { exampleCounts, exampleMigration, openMigrations, pagesOf } from './migrations.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = (name: RegExp) => page.getByRole('row', { name });
const at = (step: string, more: Record<string, string> = {}) => ({
  parameters: { migration: 'm1', step, ...more },
});

test('a new migration reports missing input, then requests exactly the chosen values and opens the map', async () => {
  const bridge = await openMigrations(
    { 'migration.create': exampleMigration() },
    { parameters: { add: 'migration' } },
  );
  await button('Save and continue').click();
  await expect.element(page.getByText('Enter a name.')).toBeVisible();
  expect(bridge.asked('migration.create')).toEqual([]);
  await page.getByLabelText('Name').fill('autumn move');
  await page.getByRole('radio', { name: 'By a rule' }).click();
  await page.getByLabelText('In the group').fill('group');
  await page.getByLabelText('Projects in a wave').fill('50');
  await page.getByRole('checkbox', { name: /Mark each source as archived/ }).click();
  await page.getByRole('radio', { name: 'Numbers and names' }).click();
  await button('Add a setting').click();
  await page.getByLabelText('Name of setting 1').fill('visibility');
  await page.getByLabelText('Value of setting 1').fill('private');
  await expectAccessible();
  await button('Save and continue').click();
  await expect.poll(() => window.location.hash).toBe('#/migrations?migration=m1&step=map');
  expect(bridge.asked('migration.create')).toMatchObject([
    {
      name: 'autumn move',
      source: 'work',
      target: 'new-home',
      selection: { kind: 'rule', group: 'group' },
      rules: [],
      overrideParams: { visibility: 'private' },
      freeze: true,
      waveSize: 50,
      compare: 'keys',
    },
  ]);
});

test('a reopened draft shows its stored values, and only a changed selection queries the source again', async () => {
  const bridge = await openMigrations(
    {
      'migration.show': exampleMigration({ waveSize: 20 }),
      'migration.change': exampleMigration({ waveSize: 30 }),
    },
    at('choose'),
  );
  await expect.element(page.getByLabelText('Name')).toHaveValue('autumn move');
  await expect.element(page.getByLabelText('From the instance')).toBeDisabled();
  await page.getByLabelText('Projects in a wave').fill('30');
  await button('Save and continue').click();
  await expect.poll(() => bridge.asked('migration.change')).toHaveLength(1);
  const [request] = bridge.asked('migration.change');
  expect(request?.changes).toMatchObject({ waveSize: 30 });
  expect(request?.changes.selection).toBeUndefined();
  await expect.poll(() => window.location.hash).toBe('#/migrations?migration=m1&step=map');
  router.go('migrations', { migration: 'm1', step: 'choose' });
  await page.getByRole('radio', { name: 'By a rule' }).click();
  await page.getByLabelText('In the group').fill('group');
  await button('Save and continue').click();
  await expect
    .poll(() => bridge.asked('migration.change').at(-1)?.changes.selection)
    .toMatchObject({ kind: 'rule', group: 'group' });
});

const clash = 'group/web would be imported to the same path; GitLab ignores upper and lower case.';

test('conflicts are shown in their rows, can be filtered, and are resolved one by one', async () => {
  const projects = [
    exampleMigrationProject({ conflicts: [clash] }),
    ...Array.from({ length: 400 }, (_, index) =>
      exampleMigrationProject({
        sourceId: index + 10,
        sourcePath: `group/p${String(index).padStart(3, '0')}`,
      }),
    ),
  ];
  const bridge = await openMigrations(
    {
      'migration.projects': pagesOf(projects),
      'migration.waves': {
        waves: [
          {
            wave: 1,
            projects: exampleCounts({ planned: 401 }),
            comparedInPart: 0,
            arrivedWithUnlistedFailures: 0,
          },
        ],
        inConflict: 1,
      },
      'migration.place': exampleMigrationProject({ state: 'left-out' }),
    },
    at('map'),
  );
  await expect.element(page.getByText('1 project has a conflicting target')).toBeVisible();
  await expect.element(row(/group\/app/).getByText(clash)).toBeVisible();
  await expect.element(row(/group\/p000/)).toBeVisible();
  await expectAccessible();
  await page.getByRole('checkbox', { name: 'Only conflicts (1)' }).click();
  await expect.poll(() => row(/group\/p000/).elements()).toEqual([]);
  await row(/group\/app/).dblClick();
  await page.getByLabelText('Path', { exact: true }).fill('app-two');
  await page.getByRole('checkbox', { name: 'Replace an existing project' }).click();
  await expect.element(page.getByText(/it is deleted with everything in it/)).toBeVisible();
  await expectAccessible();
  await button('Set the target').click();
  await expect
    .poll(() => bridge.asked('migration.place'))
    .toEqual([
      {
        migration: 'm1',
        project: '1',
        placement: { namespace: 'moved', path: 'app-two', name: null, overwrite: true, overrideParams: {} },
        wave: 1,
        leftOut: false,
      },
    ]);
});

test('rules are applied together, and an invalid rule shows its error beside it', async () => {
  const bridge = await openMigrations(
    { 'migration.change': exampleMigration({ rules: [{ from: 'group', to: 'moved/new' }] }) },
    at('map'),
  );
  await button('Add a rule').click();
  await button('Apply the rules').click();
  await expect.element(page.getByText('Enter a group, for example atlas/moved.')).toBeVisible();
  await expect.element(page.getByLabelText('Group on the target of rule 2')).toHaveFocus();
  expect(bridge.asked('migration.change')).toEqual([]);
  await button('Remove the rule for every group').click();
  await page.getByLabelText('Group on the target of rule 1').fill('moved/new');
  await button('Apply the rules').click();
  await expect
    .poll(() => bridge.asked('migration.change').map(({ changes }) => changes.rules))
    .toEqual([[{ from: 'group', to: 'moved/new' }]]);
});

test('continuing to the check applies the typed rules, and an invalid rule stops it', async () => {
  const bridge = await openMigrations(
    { 'migration.change': exampleMigration({ rules: [{ from: 'other', to: 'moved/other' }] }) },
    at('map'),
  );
  await button('Add a rule').click();
  await button('Continue to the check').click();
  await expect.element(page.getByLabelText('Group on the target of rule 2')).toHaveFocus();
  expect(bridge.asked('migration.change')).toEqual([]);
  await page.getByLabelText('Group on the source of rule 2').fill('other');
  await page.getByLabelText('Group on the target of rule 2').fill('moved/other');
  await button('Continue to the check').click();
  await expect.poll(() => window.location.hash).toBe('#/migrations?migration=m1&step=check');
  expect(bridge.asked('migration.change').map(({ changes }) => changes.rules?.at(-1))).toEqual([
    { from: 'other', to: 'moved/other' },
  ]);
});

const csv = (text: string | Uint8Array<ArrayBuffer>) => new File([text], 'move.csv', { type: 'text/csv' });
const fileField = (): Element => document.querySelector('input[type=file]') ?? document.body;

test('the table is saved to a file on the machine of the app, and filled from a file', async () => {
  const bridge = await openMigrations(
    {
      'host.capabilities': exampleCapabilities({ host: 'desktop', choosePath: true }),
      'host.choosePath': { path: '/tables' },
      'migration.saveTable': { path: '/tables/autumn move.csv' },
      'migration.fill': { migration: exampleMigration(), changed: 2 },
    },
    at('map'),
  );
  await host.load();
  await button('CSV table').click();
  await page.getByRole('menuitem', { name: 'Save as CSV' }).click();
  await expect.element(page.getByText('Saved as /tables/autumn move.csv.')).toBeVisible();
  expect(bridge.asked('migration.saveTable')).toEqual([{ migration: 'm1', to: '/tables' }]);
  const before = bridge.asked('migration.projects').length;
  await userEvent.upload(fileField(), csv('source_id,wave\n1,2\n'));
  await expect.element(page.getByText('2 projects with a new target')).toBeVisible();
  expect(bridge.asked('migration.fill')).toEqual([{ migration: 'm1', csv: 'source_id,wave\n1,2\n' }]);
  await expect.poll(() => bridge.asked('migration.projects').length).toBeGreaterThan(before);
  await expectAccessible();
});

test('a table with invalid rows is refused as a whole, with the error of each row', async () => {
  const rows = ['Line 3: wave is "two"; write a whole number from 1.', 'Line 9: target_path is empty.'];
  const bridge = await openMigrations(
    { 'migration.fill': fails('invalid-input', rows.join(' '), { rows: rows.join('\n') }) },
    at('map'),
  );
  await userEvent.upload(fileField(), csv('source_id\n1\n'));
  const alert = page.getByRole('alert');
  await expect.element(alert.getByText('move.csv was refused')).toBeVisible();
  await expect
    .poll(() =>
      alert
        .getByRole('listitem')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(rows);
  await expectAccessible();
  await userEvent.upload(fileField(), csv(Uint8Array.of(0x53, 0xfc, 0x64)));
  await expect.element(page.getByText(/The file is not in UTF-8/)).toBeVisible();
  expect(bridge.asked('migration.fill')).toHaveLength(1);
});

const finding = (change: Partial<PreflightFinding> = {}): PreflightFinding => ({
  id: 'f1',
  code: 'path-taken',
  severity: 'blocker',
  project: 'group/app',
  message: 'The target has a project moved/app.',
  advice: 'Choose another path, or let it be replaced.',
  overridden: null,
  ...change,
});
const checked = (findings: PreflightFinding[]) => ({
  check: {
    at: new Date().toISOString(),
    findings,
    missingGroups: ['moved'],
    writes: [
      {
        instance: 'new-home',
        method: 'POST' as const,
        path: '/groups',
        does: 'Creates the group moved.',
        project: null,
      },
    ],
    forecast: [],
    comparison: { depth: 'contents' as const, requests: 1240, isAtLeast: false, ms: 124_000 },
  },
});

test('findings are counted by severity, and overridden one by one with a note', async () => {
  const findings = [
    finding(),
    finding({ id: 'f2', severity: 'info', project: null, message: 'Good to know.' }),
  ];
  const bridge = await openMigrations(
    {
      'migration.lastCheck': checked(findings),
      'migration.override': finding({ overridden: { at: new Date().toISOString(), note: 'It is empty.' } }),
    },
    at('check'),
  );
  await expect.element(page.getByText('1 blocker not overridden')).toBeVisible();
  await expect.element(page.getByText(/1 blocker · 1 note/)).toBeVisible();
  const forecast = /The comparison takes about 1,240 requests, about 2.* at 10 requests per second\./;
  await expect.element(page.getByText(forecast)).toBeVisible();
  await row(/The target has a project moved\/app/).click();
  await expect.element(page.getByText('Choose another path, or let it be replaced.')).toBeVisible();
  await button('Override').click();
  await expect.element(page.getByText('Enter a reason.')).toBeVisible();
  await page.getByLabelText('Why this is acceptable').fill('It is empty.');
  await expectAccessible();
  await button('Override').click();
  await expect
    .poll(() => bridge.asked('migration.override'))
    .toEqual([{ migration: 'm1', finding: 'f1', note: 'It is empty.' }]);
  await page.getByRole('tab', { name: /Requests/ }).click();
  await expect.element(row(/POST \/groups/)).toBeVisible();
  await page.getByRole('tab', { name: /Forecast/ }).click();
  await expect
    .element(page.getByText('There is no forecast yet: the duration of exports is unknown.'))
    .toBeVisible();
});

const unreadable = finding({
  ...{ id: 'source-unreadable:group/app', code: 'source-unreadable', blocksOnlyProject: true },
  message: 'The source cannot show group/app: The instance failed with HTTP 500.',
});

test('a project that cannot be read is named by the check, and is no blocker of the start', async () => {
  await openMigrations({ 'migration.lastCheck': checked([unreadable]) }, at('check'));
  await expect.element(page.getByText('1 project cannot be read')).toBeVisible();
  await expect.element(row(/The source cannot show group\/app/)).toBeVisible();
  await expect.element(page.getByText(/not overridden/)).not.toBeInTheDocument();
});

test('a migration with a project that cannot be read can start, and says that the project will not move', async () => {
  await openMigrations(
    {
      'migration.show': exampleMigration({
        check: { at: new Date().toISOString(), blockers: 0, overridden: 0 },
      }),
      'migration.waves': { waves: [], inConflict: 0 },
      'migration.lastCheck': checked([unreadable]),
    },
    at('run'),
  );
  await expect.element(page.getByText('1 project cannot be read')).toBeVisible();
  await expect.element(button('Start the migration…')).toBeEnabled();
});

test('a migration does not start unchecked, with blockers or with conflicts, and creates groups only on request', async () => {
  const bridge = await openMigrations({}, at('run'));
  await expect.element(page.getByText('The migration has not been checked')).toBeVisible();
  await expect.element(button('Start the migration…')).toBeDisabled();
  bridge.answer(
    'migration.show',
    exampleMigration({ check: { at: new Date().toISOString(), blockers: 2, overridden: 0 } }),
  );
  bridge.emit('migration.changed', { migrationId: 'm1', revision: 2 });
  await expect.element(page.getByText('2 findings block the start')).toBeVisible();
  await expect.element(button('Start the migration…')).toBeDisabled();
  bridge.answer(
    'migration.show',
    exampleMigration({ check: { at: new Date().toISOString(), blockers: 0, overridden: 0 } }),
  );
  bridge.answer('migration.waves', { waves: [], inConflict: 1 });
  bridge.emit('migration.changed', { migrationId: 'm1', revision: 3 });
  await expect.element(page.getByText('1 project has a conflicting target')).toBeVisible();
  await expect.element(button('Start the migration…')).toBeDisabled();
  bridge.answer('migration.waves', { waves: [], inConflict: 0 });
  bridge.answer('migration.lastCheck', checked([]));
  bridge.answer('host.confirm', { confirmation: 'yes', destroys: [], deletion: null });
  bridge.answer('migration.start', exampleMigration({ status: 'running' }));
  bridge.emit('migration.changed', { migrationId: 'm1', revision: 4 });
  await expect.element(button('Start the migration…')).toBeEnabled();
  await button('Start the migration…').click();
  await page.getByRole('checkbox', { name: 'Create missing groups on the target' }).click();
  await expectAccessible();
  await button('Start the migration').click();
  await expect
    .poll(() => bridge.asked('migration.start'))
    .toEqual([{ migration: 'm1', createGroups: true, confirmation: 'yes' }]);
});

test('a project to be replaced is named and confirmed by a typed word', async () => {
  const bridge = await openMigrations(
    {
      'migration.show': exampleMigration({
        check: { at: new Date().toISOString(), blockers: 0, overridden: 0 },
      }),
      'host.confirm': {
        confirmation: 'word',
        destroys: [{ what: 'project', name: 'moved/app', count: null }],
        deletion: null,
      },
      'migration.start': exampleMigration({ status: 'running' }),
    },
    at('run'),
  );
  await button('Start the migration…').click();
  await button('Start the migration').click();
  await expect.element(page.getByText(/The project moved\/app on the instance/)).toBeVisible();
  await expect.element(button('Replace and start')).toBeDisabled();
  expect(bridge.asked('migration.start')).toEqual([]);
  await userEvent.fill(page.getByLabelText('Type “autumn move” to confirm'), 'autumn move');
  await expectAccessible();
  await button('Replace and start').click();
  await expect
    .poll(() => bridge.asked('migration.start'))
    .toEqual([{ migration: 'm1', createGroups: false, confirmation: 'word' }]);
});

test('in a low window the page scrolls, and no result of the check is cut off', async () => {
  await openMigrations(
    { 'migration.lastCheck': checked([finding()]) },
    { ...at('check'), width: 692, height: 640 },
  );
  const blocked = page.getByText('1 blocker not overridden');
  await expect.element(blocked).toBeVisible();
  const section = blocked.element().closest('section');
  expect(section?.scrollHeight).toBe(section?.clientHeight);
  expect(page.getByRole('grid').element().clientHeight).toBeGreaterThan(150);
  const main = page.getByRole('main').element();
  expect(main.scrollHeight).toBeGreaterThan(main.clientHeight);
  expect(main.scrollWidth).toBe(main.clientWidth);
});
