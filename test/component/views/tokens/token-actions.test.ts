import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Job } from '../../../../src-contract/runs/job.ts';
import { router } from '../../../../src-renderer/data/places/router.svelte.ts';
import { exampleJob, type JobFields } from '../../support/examples.ts';
import { exampleCapabilities, exampleInstance } from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending, type Script } from '../../support/window.ts';
import { exampleToken, mainToken, openTokens, spareToken } from './tokens.ts';

const dialog = page.getByRole('dialog');
const panel = page.getByRole('complementary');
const secret = 'glpat-spare-secret';
const withSpare: Script = {
  'instance.list': { instances: [exampleInstance({ hasSpare: true, spareExpiresOn: '2027-05-01' })] },
};
const tokenJob = (change: JobFields<'token'> = {}): Job =>
  exampleJob({
    id: 'job-7',
    kind: 'token',
    project: 'token main',
    step: 'send',
    input: { action: 'rotate', slot: 'main', expiresOn: null },
    ...change,
  });
const inAYear = new Date(Date.now() + 364 * 86_400_000).toISOString().slice(0, 10);

test('a replacement explains a lost reply if there is no spare, sends the expiry date, and is followed to its end', async () => {
  const bridge = await openTokens({
    'token.rotate': { runId: 'run-7', jobId: 'job-7' },
    'job.show': tokenJob(),
  });
  await page.getByRole('button', { name: 'Replace…' }).click();
  await expect.element(dialog.getByText('There is no spare token')).toBeVisible();
  await expect.element(dialog.getByText(/If its reply is lost/)).toBeVisible();
  const day = dialog.getByLabelText('Expiry of the new token');
  await day.fill('2019-01-01');
  await expect.element(dialog.getByRole('button', { name: 'Replace the token' })).toBeDisabled();
  await day.fill(inAYear);
  await expectAccessible();
  expect(bridge.asked('token.rotate')).toEqual([]);
  await dialog.getByRole('button', { name: 'Replace the token' }).click();
  await expect.element(page.getByRole('heading', { name: 'Replacing the token' })).toBeVisible();
  expect(bridge.asked('token.rotate')).toEqual([{ instance: 'work', slot: 'main', expiresOn: inAYear }]);
  expect(router.parameter('job')).toBe('job-7');
  const lists = bridge.asked('token.list').length;
  bridge.answer(
    'job.show',
    tokenJob({
      state: { status: 'succeeded', warnings: [] },
      result: { action: 'rotate', slot: 'main', oldId: 11, newId: 31, expiresOn: '2027-06-01' },
    }),
  );
  bridge.emit('job.changed', { jobId: 'job-7', runId: 'run-7', revision: 2 });
  await expect
    .element(page.getByText('The token is replaced; the new one expires on 1 Jun 2027.'))
    .toBeVisible();
  await expect.poll(() => bridge.asked('token.list').length).toBeGreaterThan(lists);
  await expectAccessible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => router.parameter('job')).toBe(null);
});

test('no warning is shown if there is a spare token, and the spare is replaced by its own job', async () => {
  const bridge = await openTokens({
    ...withSpare,
    'token.rotate': { runId: 'run-7', jobId: 'job-7' },
    'job.show': pending,
  });
  await page.getByRole('button', { name: 'Replace…' }).nth(1).click();
  await expect.element(dialog.getByText(/The other token is available/)).toBeVisible();
  await expect.element(dialog.getByText('There is no spare token')).not.toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Replace the token' }).click();
  await expect
    .poll(() => bridge.asked('token.rotate'))
    .toEqual([{ instance: 'work', slot: 'spare', expiresOn: null }]);
});

test('without a keychain the new token in use is handed over to the user, never to the page', async () => {
  const bridge = await openTokens({
    'host.capabilities': exampleCapabilities({ keychain: false }),
    'host.confirm': {
      confirmation: 'c1',
      destroys: [{ what: 'access-token', name: 'packhorse', count: null }],
      deletion: null,
    },
    'token.handOver': { runId: 'run-7', jobId: 'job-7' },
    'job.show': tokenJob({ input: { action: 'hand-over', id: null, expiresOn: null, recipient: 'here' } }),
  });
  await page.getByRole('button', { name: 'Replace…' }).click();
  await expect.element(dialog.getByText(/once, outside this window, and stores it nowhere/)).toBeVisible();
  expect(bridge.asked('host.confirm')).toMatchObject([
    { action: 'token.rotate', instance: 'work', project: null },
  ]);
  const confirm = dialog.getByRole('button', { name: 'Replace the token' });
  await expect.element(confirm).toBeDisabled();
  await dialog.getByRole('textbox').fill('packhorse');
  await expectAccessible();
  await confirm.click();
  await expect
    .poll(() => bridge.asked('token.handOver'))
    .toEqual([{ instance: 'work', id: null, expiresOn: null, confirmation: 'c1' }]);
  expect(bridge.asked('token.rotate')).toEqual([]);
  expect(router.parameter('job')).toBe('job-7');
});

test('a token that Packhorse does not store is handed over by its ID; a refused request requires a new confirmation', async () => {
  const bridge = await openTokens(
    {
      'host.confirm': {
        confirmation: 'c1',
        destroys: [{ what: 'access-token', name: 'laptop', count: null }],
        deletion: null,
      },
      'token.handOver': fails('rotation-refused', 'No.'),
    },
    { parameters: { token: '21' } },
  );
  await panel.getByRole('button', { name: 'Replace…' }).click();
  await dialog.getByRole('textbox').fill('laptop');
  await dialog.getByRole('button', { name: 'Replace the token' }).click();
  await expect
    .poll(() => bridge.asked('token.handOver'))
    .toEqual([{ instance: 'work', id: 21, expiresOn: null, confirmation: 'c1' }]);
  await expect.poll(() => bridge.asked('host.confirm').length).toBe(2);
});

test('a window that cannot hand over the new token shows the command that can', async () => {
  const bridge = await openTokens({
    'host.capabilities': exampleCapabilities({ keychain: false, handOverTokens: false }),
  });
  await page.getByRole('button', { name: 'Replace…' }).click();
  await expect.element(dialog.getByText('This window cannot give you the new token')).toBeVisible();
  await expect.element(dialog.getByText(/packhorse token rotate/)).toBeVisible();
  expect(bridge.asked('host.confirm')).toEqual([]);
});

test('a failed rotation shows the reason and what to do', async () => {
  const error = new AppError('rotation-refused', 'The expiry date is too far away.').toData();
  await openTokens(
    { 'job.show': tokenJob({ state: { status: 'failed', error } }) },
    { parameters: { job: 'job-7' } },
  );
  await expect.element(page.getByText('The expiry date is too far away.')).toBeVisible();
  await expect.element(page.getByText(/^Nothing was changed on the instance/)).toBeVisible();
});

test('a rotation whose reply was lost shows what is needed now', async () => {
  await openTokens(
    {
      'instance.list': {
        instances: [
          exampleInstance({
            rotationLost: {
              at: 1,
              oldId: 11,
              name: 'packhorse',
              orphanId: 31,
              expiresOn: '2027-05-01',
              page: 'https://gitlab.example.com/-/user_settings/personal_access_tokens',
            },
          }),
        ],
      },
      'job.show': tokenJob({
        state: {
          status: 'failed',
          error: { code: 'rotation-lost', message: 'lost', details: {}, retry: 'never' },
        },
      }),
    },
    { parameters: { job: 'job-7' } },
  );
  await expect.element(page.getByText('A new token is needed')).toBeVisible();
  await expect.element(page.getByText(/its ID is 31/)).toBeVisible();
  await expect.element(page.getByText(/works until 1 May 2027/)).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Enter a new token…' }).click();
  expect(window.location.hash).toBe('#/instances?instance=work&token=1');
});

test('a token is revoked only after its name is typed, with its own confirmation', async () => {
  const bridge = await openTokens(
    {
      'host.confirm': {
        confirmation: 'word',
        destroys: [{ what: 'access-token', name: 'laptop', count: null }],
        deletion: null,
      },
      'token.revoke': fails('connection-refused'),
      'job.show': tokenJob({ input: { action: 'revoke', id: 21 } }),
    },
    { parameters: { token: '21' } },
  );
  await panel.getByRole('button', { name: 'Revoke…' }).click();
  const revoke = dialog.getByRole('button', { name: 'Revoke the token' });
  await expect.element(revoke).toBeDisabled();
  await dialog.getByLabelText(/Type “laptop”/).fill('laptop');
  await expectAccessible();
  await revoke.click();
  await expect.poll(() => bridge.asked('host.confirm').length).toBe(2);
  bridge.answer('token.revoke', { runId: 'run-7', jobId: 'job-7' });
  await revoke.click();
  await expect.element(page.getByRole('heading', { name: 'Revoking the token' })).toBeVisible();
  expect(bridge.asked('token.revoke').at(-1)).toEqual({ instance: 'work', id: 21, confirmation: 'word' });
  bridge.answer('token.show', fails('token-missing'));
  bridge.answer('token.list', fails('token-missing'));
  bridge.answer(
    'job.show',
    tokenJob({
      input: { action: 'revoke', id: 21 },
      state: { status: 'succeeded', warnings: [] },
      result: { action: 'revoke', id: 21, slot: null },
    }),
  );
  bridge.emit('job.changed', { jobId: 'job-7', runId: 'run-7', revision: 2 });
  await expect.element(page.getByText('The token is revoked.')).toBeVisible();
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(page.getByText('Works', { exact: true })).not.toBeInTheDocument();
  expect(bridge.asked('host.confirm')[0]).toMatchObject({
    action: 'token.revoke',
    instance: 'work',
    project: '21',
  });
});

test('a revoked token can be neither replaced nor revoked again', async () => {
  await openTokens({}, { parameters: { token: '22' } });
  await expect
    .element(
      panel
        .getByText('Pull', { exact: false })
        .or(panel.getByText(/Push container/))
        .first(),
    )
    .toBeVisible();
  expect(panel.getByRole('button', { name: /Revoke|Replace/ }).elements()).toEqual([]);
});

test('a spare token is sent once and removed from the window; a refusal is shown at its emptied field', async () => {
  const bridge = await openTokens({ 'token.setSpare': pending });
  await page.getByRole('button', { name: 'Add a spare token…' }).click();
  const field = dialog.getByLabelText('Spare token');
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveAttribute('type', 'password');
  await userEvent.keyboard(`${secret}{Enter}`);
  await expect.poll(() => bridge.asked('token.setSpare').length).toBe(1);
  expect(bridge.asked('token.setSpare')).toEqual([{ instance: 'work', token: secret, keep: 'keychain' }]);
  await expect.element(field).toHaveValue('');
  expect(document.documentElement.outerHTML).not.toContain(secret);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  bridge.answer('token.setSpare', fails('token-invalid'));
  await page.getByRole('button', { name: 'Add a spare token…' }).click();
  await field.fill(secret);
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field).toHaveValue('');
  await expectAccessible();
  bridge.answer('token.setSpare', spareToken);
  await field.fill(secret);
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(document.documentElement.outerHTML).not.toContain(secret);
});

test('a spare token can be forgotten', async () => {
  const bridge = await openTokens({ ...withSpare, 'token.forgetSpare': {} });
  await expect.element(page.getByText('Stored; it expires on 1 May 2027.')).toBeVisible();
  await page.getByRole('button', { name: 'Forget it' }).click();
  await expect.poll(() => bridge.asked('token.forgetSpare')).toEqual([{ instance: 'work' }]);
});

test('automatic replacement is off by default, and is switched on with the days before expiry', async () => {
  const bridge = await openTokens({
    'instance.change': ({ rotateDaysBefore = null }) => exampleInstance({ rotateDaysBefore }),
  });
  const automatic = page.getByRole('switch', { name: 'Replace automatically before it expires' });
  await expect.element(automatic).not.toBeChecked();
  await automatic.click();
  await expect.poll(() => bridge.asked('instance.change')).toEqual([{ name: 'work', rotateDaysBefore: 14 }]);
  bridge.answer('instance.list', { instances: [exampleInstance({ rotateDaysBefore: 14 })] });
  bridge.emit('instance.changed', { name: 'work', revision: 2 });
  const days = page.getByLabelText('Days before');
  await days.fill('0');
  await expect.element(page.getByText('Enter a whole number from 1 to 90.')).toBeVisible();
  await days.fill('30');
  await userEvent.keyboard('{Tab}');
  await expect
    .poll(() => bridge.asked('instance.change').at(-1))
    .toEqual({ name: 'work', rotateDaysBefore: 30 });
  await expectAccessible();
});

test('without a keychain automatic replacement cannot be switched on, only off', async () => {
  const bridge = await openTokens({ 'host.capabilities': exampleCapabilities({ keychain: false }) });
  const automatic = page.getByRole('switch', { name: 'Replace automatically before it expires' });
  await expect.element(automatic).toBeDisabled();
  await expect.element(page.getByText(/a new token could not be kept/)).toBeVisible();
  await expectAccessible();
  bridge.answer('instance.list', { instances: [exampleInstance({ rotateDaysBefore: 14 })] });
  bridge.answer('instance.change', exampleInstance());
  bridge.emit('instance.changed', { name: 'work', revision: 2 });
  await automatic.click();
  await expect
    .poll(() => bridge.asked('instance.change'))
    .toEqual([{ name: 'work', rotateDaysBefore: null }]);
});

test('an instance used without an account shows no tokens', async () => {
  const bridge = await openTokens({
    'instance.list': { instances: [exampleInstance({ anonymous: true, username: null })] },
  });
  await expect.element(page.getByText('This instance is used without an account')).toBeVisible();
  expect(bridge.asked('token.list')).toEqual([]);
});

test('the details of the token in use state that Packhorse uses it', async () => {
  await openTokens({ 'token.show': exampleToken({ ...mainToken }) }, { parameters: { token: '11' } });
  await expect.element(panel.getByText('Packhorse uses it for this instance.')).toBeVisible();
  await expect.element(panel.getByText('The plan work, daily at 02:30 Europe/Berlin')).toBeVisible();
});
