import type { JobState } from '../../../../../src-contract/runs/job.ts';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Change } from '../../../../../src-contract/projects/change.ts';
import { AppError } from '../../../../../src-contract/errors.ts';
import { exampleJob } from '../../../support/examples.ts';
import { expectAccessible, fails, type ScriptedWindow } from '../../../support/window.ts';
import { changeJob, details, dialog, panel, person, project, showPart, started } from './panel.ts';

const succeeded: JobState = { status: 'succeeded', warnings: [] };
const button = (name: string) => panel.getByRole('button', { name, exact: true });

function end(bridge: ScriptedWindow, ...of: Parameters<typeof changeJob>): void {
  bridge.answer('job.show', changeJob(...of));
  bridge.emit('job.changed', { jobId: 'job-1', runId: 'run-1', revision: 2 });
}

const archived: Change = { kind: 'set-archived', archived: true };

test('a change is requested once, followed while it runs, and its result is shown', async () => {
  const running = changeJob(archived, { status: 'running', since: 0 });
  const bridge = await showPart('changes', { script: { 'project.change': started, 'job.show': running } });
  await button('Mark as archived').click();
  await expect.element(panel.getByRole('status').getByText('Running')).toBeVisible();
  expect(bridge.asked('project.change')).toEqual([
    { instance: 'work', project: '1', change: archived, confirmation: null },
  ]);
  bridge.answer('project.details', details({ project: project({ archived: true }) }));
  end(bridge, archived, succeeded);
  await expect.element(panel.getByText('The project is now marked as archived on GitLab')).toBeVisible();
  await expect.element(button('Unmark as archived')).toBeVisible();
  await expectAccessible();
  await button('Dismiss').click();
  expect(panel.getByText('The project is now marked as archived on GitLab').query()).toBeNull();
});

test('a change started at the bottom of a low window scrolls its progress into view', async () => {
  await page.viewport(900, 400);
  onTestFinished(() => page.viewport(1280, 800));
  const running = changeJob(archived, { status: 'running', since: 0 });
  await showPart('changes', { script: { 'project.change': started, 'job.show': running } });
  button('Mark as archived').element().scrollIntoView();
  await button('Mark as archived').click();
  await expect.element(panel.getByRole('status').getByText('Running')).toBeInViewport();
});

test('a refused change shows the error, and a failed change shows the error with a link to its job', async () => {
  const bridge = await showPart('changes', { script: { 'project.change': fails('connection-refused') } });
  await button('Star it').click();
  await expect.element(panel.getByRole('alert')).toBeVisible();
  const failed = { status: 'failed', error: new AppError('server-error', 'boom').toData() } as const;
  bridge.answer('project.change', started);
  bridge.answer('job.show', changeJob({ kind: 'star' }, failed));
  await button('Star it').click();
  await expect.element(panel.getByRole('link', { name: 'Show the job' })).toBeVisible();
  await expect.element(panel.getByRole('alert')).toBeVisible();
});

test('a star that the account gave can be removed', async () => {
  const bridge = await showPart('changes', {
    script: {
      'project.starrers': {
        starrers: [{ starredSince: '2026-10-01T00:00:00.000Z', user: person(7, 'ada') }],
        next: null,
      },
      'project.change': started,
      'job.show': changeJob({ kind: 'unstar' }, succeeded, { changed: false }),
    },
  });
  await button('Remove the star').click();
  await expect
    .element(panel.getByText('Nothing was sent: the project already had this state.'))
    .toBeVisible();
  expect(bridge.asked('project.change')).toMatchObject([{ change: { kind: 'unstar' } }]);
});

test.each([
  [
    'a role that is too low',
    { row: { accessLevel: 30 } },
    /needs the role Maintainer; the account is Developer/,
  ],
  ['a read-only instance', { instance: { readOnly: true } }, /set to read only/],
  ['a read-only token', { instance: { tokenCanWrite: false } }, /token may only read/],
  ['a missing account', { instance: { anonymous: true, username: null } }, /without an account/],
])('%s disables editing and deletion, and the reason is shown', async (_name, of, reason) => {
  const level = 'row' in of ? of.row.accessLevel : 50;
  await showPart('changes', {
    ...of,
    script: { 'project.details': details({ project: project({ accessLevel: level }) }) },
  });
  await expect.element(button('Edit…')).toBeDisabled();
  await expect.element(panel.getByText(reason).first()).toBeVisible();
  await expect.element(button('Delete…')).toBeDisabled();
});

test('only changed values are sent, after a check, and values that the instance did not apply are shown', async () => {
  const change: Change = { kind: 'edit', attributes: {} };
  const bridge = await showPart('changes', {
    script: {
      'project.checkAttributes': ({ attributes }) => ({ attributes }),
      'project.change': started,
      'job.show': changeJob(change, succeeded, {
        notTaken: [{ attribute: 'mirror', asked: true, is: null }],
      }),
    },
  });
  await button('Edit…').click();
  await expect.element(dialog.getByLabelText('Name', { exact: true })).toHaveValue('Project 00001');
  await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByLabelText('Name', { exact: true }).fill('Atlas');
  await dialog.getByLabelText('Path', { exact: true }).fill('other');
  await dialog.getByLabelText('Path', { exact: true }).fill('project-00001');
  await dialog.getByLabelText('Topics').fill('maps, atlas, new,');
  await expect.element(dialog.getByText('2 changes')).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('searchbox').fill('mirror');
  await dialog.getByLabelText('Pull from another repository').selectOptions('Yes');
  await expect.element(dialog.getByText('Paid tiers').first()).toBeVisible();
  await expect.element(dialog.getByLabelText('ID of the user who pulls')).toBeDisabled();
  await dialog.getByRole('searchbox').fill('container_expiration');
  await dialog.getByLabelText('Tags to keep of each image').fill('25');
  await dialog.getByRole('searchbox').fill('picture');
  await dialog.getByRole('button', { name: 'Remove the current image' }).click();
  await expect.element(dialog.getByText('avatar', { exact: true })).toBeVisible();
  await dialog.getByRole('searchbox').fill('issues_enabled');
  await expect.element(dialog.getByText('No attribute matches.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const attributes = {
    name: 'Atlas',
    topics: ['maps', 'atlas', 'new'],
    mirror: true,
    container_expiration_policy_attributes: { keep_n: 25 },
    avatar: '',
  };
  await expect.element(panel.getByText('The project was edited')).toBeVisible();
  await expect.element(panel.getByText('mirror: requested true, is not reported')).toBeVisible();
  expect(bridge.asked('project.checkAttributes')).toEqual([{ use: 'edit', attributes }]);
  expect(bridge.asked('project.change')).toMatchObject([{ change: { kind: 'edit', attributes } }]);
  await expectAccessible();
});

test('an invalid value is marked, and nothing is sent', async () => {
  const bridge = await showPart('changes', {
    script: {
      'project.checkAttributes': fails('invalid-input', 'A path must not begin with "-".', {
        attributes: 'path',
      }),
    },
  });
  await button('Edit…').click();
  await dialog.getByLabelText('Path', { exact: true }).fill('-app');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByText('This value is invalid.')).toBeVisible();
  await expect.element(dialog.getByText('A path must not begin with "-".').first()).toBeVisible();
  expect(bridge.asked('project.change')).toEqual([]);
});

test('a fork is requested with the typed values, and its path is shown at the end', async () => {
  const bridge = await showPart('changes', {
    script: {
      'project.change': started,
      'job.show': ({ job }) => exampleJob({ id: job, kind: 'change', project: 'group/project-00001' }),
    },
  });
  await button('Fork…').click();
  await dialog.getByLabelText('Namespace').fill('partners');
  await dialog.getByLabelText('Path').fill('atlas');
  await dialog.getByLabelText('Visibility').selectOptions('Internal');
  await dialog.getByLabelText('Only one').click();
  await expect.element(dialog.getByLabelText('Name of the branch')).toHaveValue('main');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Create the fork' }).click();
  const change: Change = {
    kind: 'fork',
    namespace: 'partners',
    path: 'atlas',
    name: null,
    description: null,
    visibility: 'internal',
    branches: 'main',
    mergeIntoItself: null,
  };
  await expect.poll(() => bridge.asked('project.change')).toMatchObject([{ project: '1', change }]);
  end(bridge, change, succeeded, { project: project({ id: 9, fullPath: 'partners/atlas' }) });
  await expect.element(panel.getByText('Forked to partners/atlas')).toBeVisible();
});

const confirm = {
  confirmation: 'word',
  destroys: [
    { what: 'project', name: 'group/project-00001', count: null },
    { what: 'records', name: 'issues', count: 41 },
  ],
  deletion: { delayed: true, finalOn: '2026-12-20' },
} as const;

test('a deletion shows until when it can be undone and requires the full path to be typed', async () => {
  const change: Change = { kind: 'delete', permanently: false };
  const bridge = await showPart('changes', {
    script: {
      'host.confirm': { ...confirm, destroys: [...confirm.destroys] },
      'project.change': started,
      'job.show': changeJob(change, succeeded, {
        deletion: { markedOn: '2026-11-20', finalOn: '2026-12-20' },
      }),
    },
  });
  await button('Delete…').click();
  await expect.element(dialog.getByText(/can be restored here until .*2026/)).toBeVisible();
  await expect.element(dialog.getByText('Issues: 41')).toBeVisible();
  const confirmed = dialog.getByRole('button', { name: 'Delete the project' });
  await dialog.getByRole('textbox').fill('group/project-0000');
  await expect.element(confirmed).toBeDisabled();
  await dialog.getByRole('textbox').fill('group/project-00001');
  await expectAccessible();
  bridge.answer('project.details', details({ markedForDeletionOn: '2026-11-20' }));
  await confirmed.click();
  await expect.element(panel.getByText(/^Marked for deletion; will be deleted on/)).toBeVisible();
  expect(bridge.asked('host.confirm')).toMatchObject([
    { action: 'project.delete', instance: 'work', project: '1' },
  ]);
  expect(bridge.asked('project.change')).toEqual([
    { instance: 'work', project: '1', change, confirmation: 'word' },
  ]);
  await expect.element(button('Restore')).toBeEnabled();
  await expect.element(button('Delete permanently…')).toBeVisible();
});

test('a project marked for deletion can be restored, or deleted permanently under its current path', async () => {
  const marked = details({
    markedForDeletionOn: '2026-11-20',
    project: project({ fullPath: 'group/project-00001-deleted-1' }),
  });
  const bridge = await showPart('changes', {
    script: {
      'project.details': marked,
      'host.confirm': { ...confirm, destroys: [], deletion: { delayed: false, finalOn: null } },
      'project.change': started,
      'job.show': changeJob({ kind: 'restore' }, succeeded),
    },
  });
  await button('Delete permanently…').click();
  await expect
    .element(dialog.getByText('The project is deleted at once and cannot be restored.'))
    .toBeVisible();
  await dialog.getByRole('textbox').fill('group/project-00001-deleted-1');
  await expect.element(dialog.getByRole('button', { name: 'Delete it permanently' })).toBeEnabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await button('Restore').click();
  await expect.element(panel.getByText('The project was restored')).toBeVisible();
  expect(bridge.asked('project.change').map(({ change }) => change)).toEqual([{ kind: 'restore' }]);
});
