import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { CallRequest } from '../../../../../src-contract/calls.ts';
import { AppError } from '../../../../../src-contract/errors.ts';
import type { Instance } from '../../../../../src-contract/instances/instance.ts';
import type { Job } from '../../../../../src-contract/runs/job.ts';
import { toasts } from '../../../../../src-renderer/data/toasts.svelte.ts';
import { router } from '../../../../../src-renderer/data/places/router.svelte.ts';
import ProjectsView from '../../../../../src-renderer/views/projects/ProjectsView.svelte';
import { exampleInstance } from '../../../support/overview-examples.ts';
import {
  expectAccessible,
  fails,
  scriptWindow,
  type Script,
  type ScriptedWindow,
} from '../../../support/window.ts';
import { showView } from '../../show-view.ts';
import { pagesOf, projectRow } from '../rows.ts';
import { changeJob, dialog, panel, project, started } from './panel.ts';

type Create = Extract<CallRequest<'project.change'>['change'], { kind: 'create' }>;

const newProject = project({ id: 42, fullPath: 'ada/north-star', name: 'North Star' });
const created = (state: Job['state'], result: Parameters<typeof changeJob>[2] = {}): Job =>
  changeJob({ kind: 'create', namespace: 'ada', forUser: null, attributes: {} }, state, {
    project: newProject,
    ...result,
  });
const succeeded: Job['state'] = { status: 'succeeded', warnings: [] };
const failed = (code: ConstructorParameters<typeof AppError>[0], details = {}): Job['state'] => ({
  status: 'failed',
  error: new AppError(code, 'no', { details }).toData(),
});

async function open(script: Script = {}, instances: Partial<Instance>[] = [{}]): Promise<ScriptedWindow> {
  const bridge = scriptWindow({
    'instance.list': { instances: instances.map((change) => exampleInstance(change)) },
    'project.page': pagesOf([
      projectRow(1),
      projectRow(42, {
        fullPath: newProject.fullPath,
        name: newProject.name,
        backupStatus: 'never',
        archives: 0,
      }),
    ]),
    'archive.list': { archives: [], next: null },
    'job.list': { jobs: [], next: null },
    'settings.change': fails('internal'),
    'project.checkAttributes': ({ attributes }) => ({ attributes }),
    'project.change': started,
    'job.show': created({ status: 'running', since: 0 }),
    ...script,
  });
  await showView(ProjectsView, 'projects', { parameters: { create: 'project' }, height: 620 });
  await expect.element(dialog).toBeVisible();
  return bridge;
}
const field = (name: string) => dialog.getByLabelText(name, { exact: true });
const confirm = dialog.getByRole('button', { name: 'Create the project' });

function end(bridge: ScriptedWindow, job: Job): void {
  bridge.answer('job.show', job);
  bridge.emit('job.changed', { jobId: 'job-1', runId: 'run-1', revision: 2 });
}

test('a project is requested once, followed until it is created, and opened', async () => {
  const bridge = await open();
  await field('Name').fill('North Star');
  await expect.element(field('Path')).toHaveAttribute('placeholder', 'north-star');
  await expect.element(dialog.getByText('It will be ada/north-star on work.')).toBeVisible();
  await field('Topics').fill('maps, north');
  await field('Visibility').selectOptions('internal');
  await dialog.getByText('Initial contents').click();
  await field('Begin with a README').selectOptions('Yes');
  await dialog.getByText('Equivalent command').click();
  await expect
    .element(
      dialog.getByText(
        "packhorse project create north-star --set 'name=North Star' --set topics=maps,north --set visibility=internal --set initialize_with_readme=true --instance work",
      ),
    )
    .toBeVisible();
  await expectAccessible();
  await confirm.click();
  await expect.element(dialog.getByText('Running')).toBeVisible();
  await expectAccessible();
  const attributes = {
    name: 'North Star',
    topics: ['maps', 'north'],
    visibility: 'internal',
    initialize_with_readme: true,
  };
  expect(bridge.asked('project.checkAttributes')).toEqual([
    { use: 'create', attributes: { path: 'north-star', ...attributes } },
  ]);
  const change: Create = {
    kind: 'create',
    namespace: null,
    forUser: null,
    attributes: { path: 'north-star', ...attributes },
  };
  expect(bridge.asked('project.change')).toEqual([
    { instance: 'work', project: 'north-star', change, confirmation: null },
  ]);
  end(bridge, created(succeeded));
  await expect.element(panel.getByRole('heading', { name: 'ada/north-star' })).toBeVisible();
  expect(dialog.query()).toBeNull();
  expect(router.parameter('create')).toBeNull();
  expect(toasts.list.at(-1)?.text).toBe('ada/north-star was created');
});

test('the dialog shows the values that the instance did not apply before it closes, with the project opened behind it', async () => {
  const bridge = await open({
    'job.show': created(succeeded, { notTaken: [{ attribute: 'mirror', asked: true, is: null }] }),
  });
  await field('Name').fill('North Star');
  await confirm.click();
  await expect.element(dialog.getByText('mirror: requested true, is not reported')).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect.element(panel.getByRole('heading', { name: 'ada/north-star' })).toBeVisible();
  expect(bridge.asked('project.change')).toHaveLength(1);
});

test.each([
  ['path-taken', {}, 'Path', 'This path is already in use.'],
  ['namespace-missing', {}, 'Namespace', 'There is no such namespace, or the account cannot see it.'],
  [
    'request-refused',
    { serverMessage: 'visibility_level public is not allowed in a private group.' },
    'Visibility',
    'The instance refused this.',
  ],
] as const)(
  'a refusal with %s is shown at its field, and the input is kept',
  async (code, details, name, why) => {
    const bridge = await open({ 'job.show': created(failed(code, details)) });
    await field('Name').fill('North Star');
    await confirm.click();
    await expect.element(dialog.getByText(why, { exact: true })).toBeVisible();
    await expect.element(field(name)).toHaveAttribute('aria-invalid', 'true');
    await expect.element(field('Name')).toHaveValue('North Star');
    await expectAccessible();
    await field('Namespace').fill('partners');
    await confirm.click();
    await expect
      .poll(() => bridge.asked('project.change').map(({ project: path }) => path))
      .toEqual(['north-star', 'partners/north-star']);
  },
);

test('a missing or invalid value is reported at its field, and nothing is sent', async () => {
  const bridge = await open({
    'project.checkAttributes': fails('invalid-input', 'A path must not contain two of …', {
      attributes: 'path',
    }),
  });
  await confirm.click();
  await expect.element(dialog.getByText('Enter a name or a path.')).toBeVisible();
  await field('Name').fill('星');
  await confirm.click();
  await expect
    .element(dialog.getByText('No path can be derived from that name. Enter a path.'))
    .toBeVisible();
  expect(bridge.asked('project.checkAttributes')).toEqual([]);
  await field('Path').fill('a--b');
  await confirm.click();
  await expect.element(dialog.getByText('This value is invalid.')).toBeVisible();
  expect(bridge.asked('project.change')).toEqual([]);
});

test('an administrator creates a project for another user, in the namespace of that user', async () => {
  const bridge = await open({}, [{ administrator: true }]);
  await field('For the user with the ID').fill('7');
  await field('Name').fill('Theirs');
  await confirm.click();
  await expect.element(dialog.getByText('Enter the namespace for the project of that user.')).toBeVisible();
  await field('Namespace').fill('brook');
  await dialog.getByText('Initial contents').click();
  expect(dialog.getByLabelText('ID of the template project').query()).toBeNull();
  await confirm.click();
  await expect
    .poll(() => bridge.asked('project.change'))
    .toMatchObject([{ project: 'brook/Theirs', change: { kind: 'create', forUser: 7 } }]);
  expect(bridge.asked('project.checkAttributes')).toMatchObject([{ use: 'createFor' }]);
  end(bridge, created(failed('not-found')));
  await expect.element(dialog.getByText('There is no such user on the instance.').first()).toBeVisible();
  await expect.element(field('For the user with the ID')).toHaveAttribute('aria-invalid', 'true');
});

test.each([
  ['a read-only instance', { readOnly: true }, /set to read only/],
  ['a read-only token', { tokenCanWrite: false }, /token may only read/],
  ['a missing account', { anonymous: true, username: null }, /without an account/],
])(
  '%s prevents the creation of a project, and the reason is shown before the start',
  async (_, instance, why) => {
    await open({}, [instance]);
    await expect.element(dialog.getByText(why)).toBeVisible();
    await expect.element(confirm).toBeDisabled();
    await expect.element(field('For the user with the ID')).toBeDisabled();
    await expectAccessible();
  },
);

test('an instance that allows changes is preselected, and another one can be chosen', async () => {
  const bridge = await open({}, [{ name: 'source', readOnly: true }, { name: 'target' }, { name: 'lab' }]);
  await expect.element(field('Instance')).toHaveValue('target');
  await field('Instance').selectOptions('lab');
  await field('Name').fill('Atlas');
  await confirm.click();
  await expect.poll(() => bridge.asked('project.change')[0]?.instance).toBe('lab');
});

test('a cancelled creation can be changed and requested again', async () => {
  const bridge = await open();
  await field('Name').fill('North Star');
  await confirm.click();
  await expect.element(dialog.getByText('Running')).toBeVisible();
  end(bridge, created({ status: 'cancelled', by: 'ada' }));
  await expect.element(dialog.getByText('Cancelled by ada')).toBeVisible();
  await dialog.getByRole('button', { name: 'Back to the form' }).click();
  await expect.element(field('Name')).toHaveValue('North Star');
  await field('Name').fill('South Star');
  await confirm.click();
  await expect
    .poll(() => bridge.asked('project.change').map(({ project: path }) => path))
    .toEqual(['north-star', 'south-star']);
  await dialog.getByRole('button', { name: 'Back to the form' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(dialog.query()).toBeNull();
});
