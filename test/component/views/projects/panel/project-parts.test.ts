import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible, fails, pending } from '../../../support/window.ts';
import { details, group, panel, person, showPart, upload } from './panel.ts';

test('the overview sends no request to the instance', async () => {
  const bridge = await showPart('overview');
  await expect.element(panel.getByText('No archive of this project is stored.')).toBeVisible();
  expect(bridge.asked('project.details')).toEqual([]);
  await panel.getByRole('tab', { name: 'Details' }).click();
  await expect.element(panel.getByText('MIT License')).toBeVisible();
  expect(bridge.asked('project.details')).toEqual([
    { instance: 'work', project: '1', license: true, statistics: true, customAttributes: true },
  ]);
});

test('the details show topics, stars, license, languages in words, storage size, and forks on request', async () => {
  const bridge = await showPart('details');
  await expect.element(panel.getByText('atlas')).toBeVisible();
  for (const shown of [
    '12',
    'origin/atlas',
    'MIT License',
    'TypeScript',
    '71.4 %',
    '8.2 MB',
    'cartography',
  ]) {
    await expect.element(panel.getByText(shown, { exact: true })).toBeInTheDocument();
  }
  expect(bridge.asked('project.find')).toEqual([]);
  await panel.getByText('Forks of this project').click();
  await expect.element(panel.getByRole('link', { name: 'brook/project-00001' })).toBeVisible();
  expect(bridge.asked('project.find')).toMatchObject([{ list: 'forks', of: '1' }]);
  await expectAccessible();
});

test('a project marked for deletion shows until when that can be undone', async () => {
  await showPart('details', {
    script: { 'project.details': details({ markedForDeletionOn: '2026-11-10' }) },
  });
  await expect.element(panel.getByText(/^Marked for deletion; will be deleted on .*10.*2026$/)).toBeVisible();
});

test.each([
  ['details', 1],
  ['people', 2],
  ['files', 3],
] as const)(
  'the part “%s” shows that each list is loading until the instance responds',
  async (part, lists) => {
    await showPart(part, {
      script: {
        'project.details': pending,
        'project.users': pending,
        'project.groups': pending,
        'project.uploads': pending,
        'export.status': pending,
        'import.relations': pending,
      },
    });
    const loading = panel.getByRole('status').filter({ hasText: 'Loading…' });
    await expect.poll(() => loading.elements().length).toBe(lists);
  },
);

test('an unreachable instance shows the error, and the request can be repeated', async () => {
  const bridge = await showPart('details', { script: { 'project.details': fails('connection-refused') } });
  await expect.element(panel.getByRole('alert')).toBeVisible();
  bridge.answer('project.details', details());
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect.element(panel.getByText('MIT License')).toBeVisible();
});

test('each empty list states that it is empty', async () => {
  await showPart('people', {
    script: {
      'project.users': { users: [], next: null },
      'project.groups': { groups: [], next: null },
      'project.starrers': { starrers: [], next: null },
      'project.shareLocations': { groups: [], next: null },
    },
  });
  await expect.element(panel.getByText('The project has no members.')).toBeVisible();
  await expect
    .element(panel.getByText('The project is in no group and is not shared with any.'))
    .toBeVisible();
  await panel.getByText('Starred by').first().click();
  await expect.element(panel.getByText('Nobody has starred the project.')).toBeVisible();
  await panel.getByText('Groups that the project can be shared with').first().click();
  await expect
    .element(panel.getByText('This account cannot share the project with any group.'))
    .toBeVisible();
});

test('the instance searches the members, and a long list grows on request', async () => {
  const bridge = await showPart('people', {
    script: {
      'project.users': ({ cursor, search }) =>
        search !== null
          ? { users: [person(3, 'brook')], next: null }
          : cursor === null
            ? { users: [person(1, 'ada')], next: 'second' }
            : { users: [person(2, 'casey', 'blocked')], next: null },
      'project.groups': { groups: [group(1, 'atlas')], next: null },
    },
  });
  await expect.element(panel.getByText('@ada')).toBeVisible();
  await panel.getByRole('button', { name: 'Show more' }).click();
  await expect.element(panel.getByText('blocked')).toBeVisible();
  await expect.element(panel.getByText('@ada')).toBeVisible();
  await expectAccessible();
  await panel.getByRole('searchbox', { name: 'Search in: Members' }).fill('brook');
  await expect.element(panel.getByText('@brook')).toBeVisible();
  expect(panel.getByText('@ada').query()).toBeNull();
  expect(bridge.asked('project.users').map(({ cursor, search }) => [cursor, search])).toEqual([
    [null, null],
    ['second', null],
    [null, 'brook'],
  ]);
});

test('members are left out by the instance and shown again, which does not affect another project', async () => {
  const members = [person(1, 'ada'), person(2, 'brook'), person(3, 'casey')];
  const bridge = await showPart('people', {
    script: {
      'project.users': ({ skipUsers }) => ({
        users: members.filter(({ id }) => !skipUsers.includes(id)),
        next: null,
      }),
    },
  });
  const skipped = () => bridge.asked('project.users').map(({ project, skipUsers }) => [project, skipUsers]);
  await panel.getByRole('button', { name: 'Leave out @ada' }).click();
  await expect.element(panel.getByText('Left out: @ada')).toBeVisible();
  await panel.getByRole('button', { name: 'Leave out @casey' }).click();
  await expect.element(panel.getByText('Left out: @ada, @casey')).toBeVisible();
  await expect.element(panel.getByText('Brook Example')).toBeVisible();
  expect(panel.getByText('Casey Example').query()).toBeNull();
  await expectAccessible();
  await panel.getByRole('button', { name: 'Show them again' }).click();
  await expect.element(panel.getByText('Casey Example')).toBeVisible();
  await panel.getByRole('button', { name: 'Leave out @brook' }).click();
  await expect.poll(skipped).toEqual([
    ['1', []],
    ['1', [1]],
    ['1', [1, 3]],
    ['1', []],
    ['1', [2]],
  ]);
  await page.getByRole('gridcell', { name: 'group/project-00002' }).click();
  await expect.poll(() => skipped().at(-1)).toEqual(['2', []]);
});

test('the groups that a project is shared with are filtered by role and by visibility to the account', async () => {
  const bridge = await showPart('people', {
    script: { 'project.groups': { groups: [group(1, 'atlas'), group(2, 'borealis')], next: null } },
  });
  const lastRequest = () => bridge.asked('project.groups').at(-1);
  await expect.element(panel.getByText('borealis', { exact: true })).toBeVisible();
  expect(lastRequest()).toMatchObject({
    withShared: true,
    sharedMinAccessLevel: null,
    sharedVisibleOnly: false,
    skipGroups: [],
  });
  await panel.getByText('Filters').click();
  await panel.getByLabelText('Only shared groups with at least the role').selectOptions('Maintainer');
  await panel.getByLabelText('Only shared groups that the account can see').click();
  await panel.getByRole('button', { name: 'Leave out borealis' }).click();
  await expect.poll(lastRequest).toMatchObject({
    withShared: true,
    sharedMinAccessLevel: 40,
    sharedVisibleOnly: true,
    skipGroups: [2],
  });
  await expectAccessible();
  await panel.getByLabelText('Include groups that the project is shared with').click();
  await expect.poll(lastRequest).toMatchObject({
    withShared: false,
    sharedMinAccessLevel: null,
    sharedVisibleOnly: false,
  });
  await expect.element(panel.getByLabelText('Only shared groups with at least the role')).toBeDisabled();
});

test('an uploaded file is saved, and its path is shown', async () => {
  const bridge = await showPart('files', {
    script: { 'project.saveUpload': { path: '/data/downloads/map.png', sizeBytes: 240_000 } },
  });
  await panel.getByRole('button', { name: 'Save map.png' }).click();
  await expect.element(panel.getByText('Saved as /data/downloads/map.png (240 kB)')).toBeVisible();
  expect(bridge.asked('project.saveUpload')).toEqual([
    { instance: 'work', project: '1', uploadId: 2, to: null },
  ]);
  await expectAccessible();
});

test('an instance that is too old for a list receives no request, and the required release is shown', async () => {
  const bridge = await showPart('files', { instance: { serverVersion: '16.9.2' } });
  await expect.element(panel.getByText('This needs GitLab 17.2; this instance runs 16.9.2.')).toBeVisible();
  await expect.element(panel.getByText('This needs GitLab 16.11; this instance runs 16.9.2.')).toBeVisible();
  expect(bridge.asked('project.uploads')).toEqual([]);
  expect(bridge.asked('import.relations')).toEqual([]);
});

test('the export of the account is saved as a file if there is one', async () => {
  const bridge = await showPart('files', {
    script: {
      'project.uploads': { uploads: [upload(1, 'a.txt')], next: null },
      'export.download': {
        path: '/data/downloads/app.tar.gz',
        sizeBytes: 5_000_000,
        sha256: 'a'.repeat(64),
        verdict: 'sound',
        findings: [],
      },
    },
  });
  await panel.getByRole('button', { name: 'Save the export' }).click();
  await expect.element(panel.getByText('Saved as /data/downloads/app.tar.gz (5 MB)')).toBeVisible();
  expect(bridge.asked('export.download')).toEqual([{ instance: 'work', project: '1', to: null }]);
});

test('the export cannot be saved if there is none', async () => {
  await showPart('files', { script: { 'export.status': { project: 'group/project-00001', state: 'none' } } });
  await expect.element(panel.getByText('There is no export on the instance.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Save the export' })).toBeDisabled();
});
