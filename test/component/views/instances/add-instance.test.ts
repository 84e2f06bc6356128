import { beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { host } from '../../../../src-renderer/data/host.svelte.ts';
import AddInstanceDialog from '../../../../src-renderer/views/instances/AddInstanceDialog.svelte';
import { exampleCapabilities, exampleCheck, exampleInstance } from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending, scriptWindow, type Script } from '../../support/window.ts';

let added: string[] = [];
beforeEach(() => {
  added = [];
});

async function open(script: Script, can = exampleCapabilities()) {
  const bridge = scriptWindow({ 'host.capabilities': can, ...script });
  await host.load();
  const screen = await render(AddInstanceDialog, {
    existingNames: ['home'],
    onadded: (name: string) => added.push(name),
    onclose: () => void screen.unmount(),
  });
  const dialog = screen.getByRole('dialog', { name: 'Add an instance' });
  await expect.element(dialog.getByLabelText('Address of the instance')).toHaveFocus();
  return { bridge, dialog };
}

async function typeAddress(): Promise<void> {
  await userEvent.keyboard('https://gitlab.example.com{Enter}');
}

const accepted = {
  'instance.setToken': {},
  'instance.preview': exampleCheck({ name: 'gitlab.example.com' }),
  'instance.add': {
    instance: exampleInstance({ name: 'gitlab.example.com' }),
    check: exampleCheck({ name: 'gitlab.example.com' }),
  },
} satisfies Script;

test('an instance is added by keyboard alone; its token is checked first and stored in the keychain', async () => {
  const { bridge, dialog } = await open(accepted);
  await expectAccessible();
  await typeAddress();
  await expect.element(dialog.getByLabelText('Personal access token')).toHaveFocus();
  await expectAccessible();
  await userEvent.keyboard('glpat-secret{Enter}');
  await expect.element(dialog.getByText('This token can do everything that Packhorse needs.')).toBeVisible();
  await expectAccessible();
  expect(bridge.asked('instance.setToken')).toEqual([
    { name: 'gitlab.example.com', token: 'glpat-secret', keep: 'session' },
  ]);
  expect(bridge.asked('instance.preview')).toEqual([
    { name: 'gitlab.example.com', url: 'https://gitlab.example.com', caFile: null },
  ]);
  expect(bridge.asked('instance.add')).toEqual([]);
  await expect.element(dialog.getByRole('button', { name: 'Add the instance' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => added).toEqual(['gitlab.example.com']);
  expect(bridge.asked('instance.add')).toEqual([
    {
      name: 'gitlab.example.com',
      url: 'https://gitlab.example.com',
      caFile: null,
      pace: 'gitlab',
      keep: 'keychain',
      anonymous: false,
    },
  ]);
});

test('a refused token shows the reason at its field, which is emptied', async () => {
  const { bridge, dialog } = await open({
    'instance.setToken': {},
    'instance.preview': fails('token-invalid'),
  });
  await typeAddress();
  const token = dialog.getByLabelText('Personal access token');
  await token.fill('glpat-bad');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByText(/^The instance does not know this token\./)).toBeVisible();
  await expect.element(token).toHaveAttribute('aria-invalid', 'true');
  await expect.element(token).toHaveFocus();
  await expect.element(token).toHaveValue('');
  await expectAccessible();
  expect(bridge.asked('instance.add')).toEqual([]);
});

test('the token is removed from its field while the instance still checks it', async () => {
  const { dialog } = await open({ 'instance.setToken': {}, 'instance.preview': pending });
  await typeAddress();
  const token = dialog.getByLabelText('Personal access token');
  await token.fill('glpat-slow');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByText('Checking the rights of the token…')).toBeVisible();
  await expect.element(token).toHaveValue('');
  expect(document.body.innerHTML).not.toContain('glpat-slow');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(token).toBeEnabled();
});

test('a read-only token leads back to its field, and can be added for reading only', async () => {
  const readOnly = exampleCheck({ canWrite: false, scopes: ['read_api'] });
  const { bridge, dialog } = await open({
    ...accepted,
    'instance.preview': readOnly,
  });
  await typeAddress();
  await userEvent.keyboard('glpat-looks{Enter}');
  await expect.element(dialog.getByText('This token can only read')).toBeVisible();
  const can = dialog.getByRole('list', { name: 'What this token can and cannot do' });
  await expect.element(can.getByText('Can read projects')).toBeVisible();
  await expect.element(can.getByText('Cannot back up: exports are not allowed')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Add it for reading only' })).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Use another token' }).click();
  await expect.element(dialog.getByLabelText('Personal access token')).toHaveFocus();
  expect(bridge.asked('instance.add')).toEqual([]);
});

test('a token that cannot even read cannot be added', async () => {
  const { dialog } = await open({
    ...accepted,
    'instance.preview': exampleCheck({ canRead: false, canWrite: false }),
  });
  await typeAddress();
  await userEvent.keyboard('glpat-useless{Enter}');
  await expect.element(dialog.getByText('This token cannot be used here')).toBeVisible();
  expect(dialog.getByRole('button', { name: /^Add/ }).elements()).toEqual([]);
});

test('without a keychain the token is kept for this session only, and the dialog states this', async () => {
  const { bridge, dialog } = await open(accepted, exampleCapabilities({ keychain: false }));
  await typeAddress();
  await userEvent.keyboard('glpat-secret{Enter}');
  await expect.element(dialog.getByText('The token is kept for this session only')).toBeVisible();
  expect(dialog.getByRole('radio').elements()).toEqual([]);
  await dialog.getByText('Equivalent command').click();
  await expect
    .element(
      dialog.getByText(
        'packhorse instance add gitlab.example.com https://gitlab.example.com --token-stdin --no-keychain',
      ),
    )
    .toBeVisible();
  await dialog.getByRole('button', { name: 'Add the instance' }).click();
  await expect.poll(() => bridge.asked('instance.add')).toMatchObject([{ keep: 'session' }]);
});

test.each([
  ['address-unknown', 'Address of the instance', /cannot be found/],
  ['not-gitlab', 'Address of the instance', /does not respond like GitLab's API/],
  ['certificate-untrusted', 'File with certificate authorities (PEM)', /is not trusted/],
  ['ca-file-unusable', 'File with certificate authorities (PEM)', /Give a readable PEM file/],
] as const)('%s is shown at the field that corrects it', async (code, field, words) => {
  const { dialog } = await open({ 'instance.setToken': {}, 'instance.preview': fails(code) });
  await typeAddress();
  await userEvent.keyboard('glpat-x{Enter}');
  await expect.element(dialog.getByLabelText(field)).toHaveAttribute('aria-invalid', 'true');
  await expect.element(dialog.getByLabelText(field)).toHaveFocus();
  await expect.element(dialog.getByText(words)).toBeVisible();
});

test('an error that belongs to no field is shown, and the dialog stays at its step', async () => {
  const { dialog } = await open({ ...accepted, 'instance.add': fails('keychain-locked') });
  await typeAddress();
  await userEvent.keyboard('glpat-secret{Enter}');
  await dialog.getByRole('button', { name: 'Add the instance' }).click();
  await expect.element(dialog.getByText('The keychain is locked.')).toBeVisible();
  await dialog.getByRole('radio', { name: 'For this session only' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Add the instance' })).toBeEnabled();
});

test('a name that is already in use or invalid is refused before anything is sent', async () => {
  const { bridge, dialog } = await open({});
  await userEvent.keyboard('gitlab.example.com');
  const name = dialog.getByLabelText('Short name');
  await expect.element(name).toHaveValue('gitlab.example.com');
  for (const [typed, words] of [
    ['home', 'An instance with that name already exists.'],
    ['My Server', /begin with a letter or digit/],
  ] as const) {
    await name.fill(typed);
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog.getByText(words)).toBeVisible();
    await expect.element(name).toHaveFocus();
  }
  expect(bridge.asked('instance.setToken')).toEqual([]);
});

test('an address without encryption shows a warning unless it is this machine', async () => {
  const { dialog } = await open({});
  const url = dialog.getByLabelText('Address of the instance');
  await url.fill('http://gitlab.example.com');
  await expect.element(dialog.getByText('The connection is not encrypted')).toBeVisible();
  await url.fill('http://127.0.0.1:8080');
  await expect.element(dialog.getByText('The connection is not encrypted')).not.toBeInTheDocument();
});

test('certificates are chosen in the file dialog of the system if there is one', async () => {
  const { dialog } = await open({ 'host.choosePath': { path: '/etc/ssl/own.pem' } });
  await dialog.getByText('More about the connection').click();
  await dialog.getByRole('button', { name: 'Choose…' }).click();
  await expect
    .element(dialog.getByLabelText('File with certificate authorities (PEM)'))
    .toHaveValue('/etc/ssl/own.pem');
  await dialog.getByRole('button', { name: 'None' }).click();
  await expect.element(dialog.getByLabelText('File with certificate authorities (PEM)')).toHaveValue('');
});

test('a browser page shows the command that sets the certificates', async () => {
  const { dialog } = await open({}, exampleCapabilities({ host: 'browser', choosePath: false }));
  await dialog.getByText('More about the connection').click();
  await expect.element(dialog.getByText(/packhorse instance add … --ca-file FILE/)).toBeVisible();
  await expect
    .element(dialog.getByLabelText('File with certificate authorities (PEM)'))
    .toHaveAttribute('readonly');
  await expectAccessible();
});

test('an instance without an account is added as such, and no token is requested or sent', async () => {
  const { bridge, dialog } = await open({
    'instance.add': {
      instance: exampleInstance({ name: 'gitlab.example.com', anonymous: true, username: null }),
      check: exampleCheck({ name: 'gitlab.example.com', username: null, userId: null, tokenSource: null }),
    },
  });
  await typeAddress();
  await dialog.getByLabelText('Personal access token').fill('glpat-typed');
  await dialog.getByRole('checkbox', { name: 'Without an account' }).click();
  await expect.element(dialog.getByLabelText('Personal access token')).not.toBeInTheDocument();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Add the instance' }).click();
  await expect.poll(() => added).toEqual(['gitlab.example.com']);
  expect(bridge.asked('instance.setToken')).toEqual([]);
  expect(bridge.asked('instance.add')).toMatchObject([{ name: 'gitlab.example.com', anonymous: true }]);
  expect(document.documentElement.outerHTML).not.toContain('glpat-typed');
});
