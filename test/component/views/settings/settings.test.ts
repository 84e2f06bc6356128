import { expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { ParsedRequest } from '../../../../src-contract/calls.ts';
import type { Preferences, SettingsReply as Stored } from '../../../../src-contract/settings.ts';
import { host } from '../../../../src-renderer/data/host.svelte.ts';
import { settings } from '../../../../src-renderer/data/settings.svelte.ts';
import SettingsView from '../../../../src-renderer/views/settings/SettingsView.svelte';
import { exampleCapabilities, exampleSettings } from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending, scriptWindow, type Script } from '../../support/window.ts';

/** Replies of an app that stores its settings. */
function storingApp(
  stored = exampleSettings(),
): Required<Pick<Script, 'settings.show' | 'settings.change'>> & { stored: () => Stored } {
  let current = stored;
  return {
    stored: () => current,
    'settings.show': () => current,
    'settings.change': (change: ParsedRequest<'settings.change'>) => {
      const moved = change.archiveRoot !== undefined && change.archiveRoot !== current.archiveRoot;
      current = {
        ...current,
        preferences: { ...current.preferences, ...change.preferences } as Preferences,
        archiveRoot: change.archiveRoot ?? current.archiveRoot,
        earlierRoots: [...current.earlierRoots, ...(moved ? [current.archiveRoot] : [])].filter(
          (root) => root !== change.archiveRoot && root !== change.forgetRoot,
        ),
      };
      return current;
    },
  };
}

const baseScript = {
  'storage.list': { storages: [] },
  'host.describe': { appVersion: '0.2.0', dataFolder: '/data', archiveRoot: '/data/archives' },
} satisfies Script;

async function open(
  { stored: _stored, ...script }: Script & { stored?: () => Stored },
  can = exampleCapabilities(),
) {
  const bridge = scriptWindow({ ...baseScript, 'host.capabilities': can, ...script });
  onTestFinished(settings.follow());
  await host.load();
  return { bridge, screen: await render(SettingsView) };
}

test('the settings show that they are loading', async () => {
  const { screen } = await open({ 'settings.show': pending });
  await expect.element(screen.getByText('Loading…')).toBeVisible();
  await expectAccessible();
});

test('a load error states what happened, and the settings can be loaded again', async () => {
  const { bridge, screen } = await open({
    'settings.show': fails('settings-unreadable', 'bad', { path: '/data/settings.json', why: 'cut' }),
  });
  await expect
    .element(screen.getByText('The settings in /data/settings.json cannot be read: cut.'))
    .toBeVisible();
  await expectAccessible();
  bridge.answer('settings.show', exampleSettings());
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByLabelText('Folder for new archives')).toBeVisible();
});

test('a change is saved at once, reported visibly, and can be undone', async () => {
  const app = storingApp();
  const { bridge, screen } = await open(app);
  await expect.element(screen.getByRole('radio', { name: 'Same as the system' })).toBeChecked();
  await expectAccessible();
  await screen.getByRole('radio', { name: 'Dark' }).click();
  await expect.element(screen.getByText('Saved: Appearance')).toBeVisible();
  expect(app.stored().preferences.appearance).toBe('dark');
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('Undone: Appearance')).toBeVisible();
  await expect.element(screen.getByRole('radio', { name: 'Same as the system' })).toBeChecked();
  expect(app.stored().preferences.appearance).toBe('system');
  expect(bridge.asked('settings.change')).toEqual([
    { preferences: { appearance: 'dark' } },
    { preferences: { appearance: 'system' } },
  ]);
  expect(screen.getByRole('button', { name: 'Undo' }).elements()).toEqual([]);
});

test('a new folder takes effect at once; the earlier one is listed and can be used again', async () => {
  const app = storingApp();
  const { screen } = await open({ ...app, 'host.choosePath': { path: '/mnt/backups' } });
  const before = exampleSettings().archiveRoot;
  const field = screen.getByLabelText('Folder for new archives');
  await screen.getByRole('button', { name: 'Choose…' }).click();
  await expect.element(screen.getByText('Saved: Folder for new archives')).toBeVisible();
  expect(app.stored().archiveRoot).toBe('/mnt/backups');
  await expect.element(screen.getByText(before)).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(field).toHaveValue(before);
  expect(app.stored().archiveRoot).toBe(before);
  await screen.getByRole('button', { name: 'Use again' }).click();
  await expect.element(field).toHaveValue('/mnt/backups');
});

test('an earlier folder is forgotten only after a confirmation, which states that no file is changed', async () => {
  const app = storingApp(exampleSettings({ earlierRoots: ['/mnt/old', '/mnt/older'] }));
  const { bridge, screen } = await open(app);
  const dialog = screen.getByRole('dialog', { name: 'Forget this folder?' });
  await screen.getByTitle('Forget the folder /mnt/old', { exact: true }).click();
  await expect.element(dialog.getByText(/Nothing on the disk is changed/)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(bridge.asked('settings.change')).toEqual([]);

  bridge.answer(
    'settings.change',
    fails('invalid-input', '/mnt/old is the archive folder of the plan "Nightly".'),
  );
  await screen.getByTitle('Forget the folder /mnt/old', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Forget the folder' }).click();
  await expect.element(dialog.getByText(/archive folder of the plan "Nightly"/).first()).toBeVisible();
  bridge.answer('settings.change', app['settings.change']);
  await dialog.getByRole('button', { name: 'Forget the folder' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(screen.getByText('/mnt/old', { exact: true })).not.toBeInTheDocument();
  await expect.element(screen.getByText('/mnt/older', { exact: true })).toBeVisible();
  expect(app.stored().earlierRoots).toEqual(['/mnt/older']);
  expect(bridge.asked('settings.change').at(-1)).toEqual({ forgetRoot: '/mnt/old' });
});

test('a folder is chosen in a dialog, never typed; a browser page shows the command instead', async () => {
  const { screen } = await open(storingApp(), exampleCapabilities({ host: 'browser', choosePath: false }));
  await expect.element(screen.getByLabelText('Folder for new archives')).toHaveAttribute('readonly');
  await expect.element(screen.getByText(/packhorse settings change --archive-root/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Choose…' }).elements()).toEqual([]);
  await expectAccessible();
});

test('a refused folder shows the reason at its field', async () => {
  const { screen } = await open({
    ...storingApp(),
    'host.choosePath': { path: '/root' },
    'settings.change': fails('disk-denied', 'The folder /root cannot be written.'),
  });
  const field = screen.getByLabelText('Folder for new archives');
  await screen.getByRole('button', { name: 'Choose…' }).click();
  await expect.element(screen.getByText(/The folder \/root cannot be written\./)).toBeVisible();
  await expect.element(screen.getByText('Not saved: Folder for new archives')).toBeVisible();
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field).toHaveValue(exampleSettings().archiveRoot);
  await expectAccessible();
});

test('a refused proxy stays in its field, which shows the reason', async () => {
  const { screen } = await open({
    ...storingApp(),
    'settings.change': fails('invalid-input', '"proxy" is not an address of a proxy.'),
  });
  const field = screen.getByLabelText('Proxy');
  await field.fill('proxy');
  await userEvent.keyboard('{Tab}');
  await expect.element(screen.getByText(/is not an address of a proxy\./)).toBeVisible();
  await expect.element(field).toHaveValue('proxy');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
});

test('an invalid number of jobs is refused before it is sent', async () => {
  const { bridge, screen } = await open(storingApp());
  const field = screen.getByLabelText('Jobs at once');
  await field.fill('9');
  await userEvent.keyboard('{Tab}');
  await expect.element(screen.getByText('Enter a whole number from 1 to 8.')).toBeVisible();
  expect(bridge.asked('settings.change')).toEqual([]);
  await field.fill('2');
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => bridge.asked('settings.change')).toEqual([{ preferences: { jobsAtOnce: 2 } }]);
});

test('the desktop offers the tray, the start at sign-in and notifications', async () => {
  const app = storingApp();
  const { screen } = await open(app);
  await screen.getByRole('switch', { name: 'Start when I sign in' }).click();
  await screen.getByRole('radio', { name: 'Quits Packhorse' }).click();
  await screen.getByRole('radio', { name: 'For all finished work' }).click();
  await expect
    .poll(() => app.stored().preferences)
    .toMatchObject({ startAtLogin: true, closeBehaviour: 'quit', notifications: 'all' });
});

test('a browser page explains what it cannot do instead of offering it', async () => {
  const browser = exampleCapabilities({
    host: 'browser',
    choosePath: false,
    tray: false,
    notify: false,
    startAtLogin: false,
  });
  const { screen } = await open(storingApp(), browser);
  await expect.element(screen.getByText(/^This window is a browser page/)).toBeVisible();
  expect(screen.getByRole('switch').elements()).toEqual([]);
  expect(screen.getByRole('button', { name: 'Choose…' }).elements()).toEqual([]);
  await expectAccessible();
});

test('the doctor shows for each part whether it is fine, and what to do', async () => {
  const { screen } = await open({
    ...storingApp(),
    'doctor.run': {
      checks: [
        { name: 'keychain', ok: false, value: 'no session bus', todo: 'Start a desktop session.' },
        { name: 'disk', ok: true, value: '240 GB free', todo: null },
      ],
    },
  });
  await screen.getByRole('button', { name: 'Check the installation' }).click();
  const checks = screen.getByRole('list', { name: 'Checks' });
  const lines = checks
    .getByRole('listitem')
    .elements()
    .map((check) => check.textContent.replace(/\s+/g, ' ').trim());
  expect(lines).toEqual(['keychain Problem no session bus Start a desktop session.', 'disk OK 240 GB free']);
  await expectAccessible();
});
