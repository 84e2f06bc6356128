/** @file The built desktop product uses the operating system for the window, and refuses unsafe requests. */
import { existsSync, readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { autostartEntry } from '../../src-main/hosts/desktop/login-item.ts';
import { callIn, openDesktop, registerHome } from '../support/electron/desktop-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestSandbox } from '../support/world.ts';
import { archiveFilter } from '../support/requests.ts';

test('the desktop host reports its capabilities, and a tray only if the desktop shows tray icons', async () => {
  const desktop = await openDesktop();
  await desktop.process.until(({ tray }) => tray);
  const capabilities = {
    host: 'desktop',
    choosePath: true,
    reveal: true,
    openLink: true,
    notify: true,
    startAtLogin: true,
  };
  expect(await callIn(desktop, 'host.capabilities', {})).toMatchObject({ ...capabilities, tray: true });
  const withoutTray = await openDesktop({ tray: false });
  expect(await callIn(withoutTray, 'host.capabilities', {})).toMatchObject({ ...capabilities, tray: false });
});

test('the system opens pages of registered instances and of the GitLab documentation, and receives no other address', async () => {
  const sandbox = await openTestSandbox();
  const desktop = await openDesktop();
  await registerHome(desktop, sandbox);
  const { url } = sandbox;
  const { host, port } = new URL(url);
  for (const bad of [
    'https://example.com/',
    `https://${host}/`,
    `http://${host}.example.com/`,
    `http://${host}@example.com/`,
    `http://me:secret@${host}/`,
    `http://127.0.0.1:${Number(port) + 1}/`,
    'http://127.0.0.1/',
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    `http://${host}\\@example.com/`,
    `http://${host}/\u0000`,
    `http://${host}/\nx`,
    `\thttp://${host}/`,
    `http://${host}/${'x'.repeat(2048)}`,
    'http://docs.gitlab.com/',
    'https://docs.gitlab.com.example.com/',
    'https://docs.gitlab.com:8443/',
    'javascript:alert(1)',
    'vbscript:msgbox(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'smb://server/share',
    '\\\\server\\share',
    'mailto:a@example.com',
    'ms-msdt:/id',
    'app://bundle/',
    'ftp://example.com/',
    'ssh://example.com/',
    'view-source:https://docs.gitlab.com/',
    'blob:https://docs.gitlab.com/1',
    'docs.gitlab.com',
    '/etc/passwd',
    '',
  ]) {
    await expect(callIn(desktop, 'host.openLink', { url: bad }), bad).rejects.toThrow('link-refused');
  }
  await callIn(desktop, 'host.openLink', { url: `${url}/atlas/compass` });
  await callIn(desktop, 'host.openLink', { url: 'https://docs.gitlab.com/user/project/' });
  const { openedLinks } = await desktop.process.until((state) => state.openedLinks.length > 1);
  expect(openedLinks).toEqual([`${url}/atlas/compass`, 'https://docs.gitlab.com/user/project/']);
});

test('the system shows a stored archive in its folder, but no other file and no link that replaced an archive', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const desktop = await openDesktop();
  const { process } = desktop;
  await registerHome(desktop, sandbox);
  await callIn(desktop, 'backup.start', { instance: 'home', projects: 'all', keepExisting: false });
  const filter = archiveFilter({ limit: 10 });
  const stored = async () => (await callIn(desktop, 'archive.list', filter)).archives;
  await expect.poll(stored).toHaveLength(1);
  const [archive] = await stored();
  if (archive === undefined) throw new Error('There is no archive.');

  const elsewhere = join(temporaryFolder(), 'elsewhere.tar.gz');
  writeFileSync(elsewhere, 'x');
  for (const bad of [elsewhere, '/etc/passwd', `${archive.absolutePath}\0.png`, '../settings.json', '']) {
    await expect(callIn(desktop, 'host.reveal', { archive: bad }), bad).rejects.toThrow();
  }
  await callIn(desktop, 'host.reveal', { archive: archive.absolutePath });
  const { revealed } = await process.until((state) => state.revealed.length > 0);
  expect(revealed).toEqual([realpathSync(archive.absolutePath)]);

  // A link out of the folder replaces the archive.
  renameSync(archive.absolutePath, `${elsewhere}.moved`);
  symlinkSync(elsewhere, archive.absolutePath);
  await expect(callIn(desktop, 'host.reveal', { archive: archive.id })).rejects.toThrow('archive-unsafe');
  expect(process.state?.revealed).toHaveLength(1);
});

test('the page can use a path only after the user chose it in a system dialog or dropped its file on the page, and only for that purpose', async () => {
  const desktop = await openDesktop();
  const { page, process } = desktop;
  const folder = temporaryFolder();
  const [chosen, dropped, certificate] = ['chosen', 'dropped', 'certificate'].map((name) => {
    const file = join(folder, `${name}.tar.gz`);
    writeFileSync(file, 'x');
    return file;
  }) as [string, string, string];
  const inspect = (archive: string) => callIn(desktop, 'archive.inspect', { archive });
  const setRoot = (archiveRoot: string) => callIn(desktop, 'settings.change', { archiveRoot });
  for (const path of [chosen, dropped, certificate, join(folder, 'missing')]) {
    await expect(inspect(path)).rejects.toThrow('path-refused');
  }

  await process.request('setNextChoice', { path: chosen });
  await callIn(desktop, 'host.choosePath', { what: 'archive' });
  expect(await inspect(chosen)).toMatchObject({ verdict: 'unusable', sizeBytes: 1 });

  const zone = await page.getByRole('group', { name: /^Drop/ }).boundingBox();
  if (zone === null) throw new Error('There is no drop zone.');
  const devTools = await page.context().newCDPSession(page);
  const data = { items: [], files: [dropped], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devTools.send('Input.dispatchDragEvent', { type, x: zone.x + 9, y: zone.y + 9, data });
  }
  await page.waitForURL(/#\/archives\?file=/);
  expect(await inspect(dropped)).toMatchObject({ verdict: 'unusable', sizeBytes: 1 });
  // A file that a page creates has no path, whatever its name.
  expect(
    await page.evaluate(`window.packhorse.fileReference(new File([], '/etc/passwd'), () => undefined)`),
  ).toBe('');

  await process.request('setNextChoice', { path: certificate });
  await callIn(desktop, 'host.choosePath', { what: 'certificate' });
  await expect(inspect(certificate)).rejects.toThrow('path-refused');
  for (const path of [chosen, dropped, certificate, folder]) {
    await expect(setRoot(path)).rejects.toThrow('path-refused');
  }
  await process.request('setNextChoice', { path: folder });
  await callIn(desktop, 'host.choosePath', { what: 'folder' });
  expect(await setRoot(folder)).toMatchObject({ archiveRoot: folder });
});

test('a system dialog returns the chosen path, or null if the user chooses none', async () => {
  const desktop = await openDesktop();
  const chosen = '/somewhere/export.tar.gz';
  await desktop.process.request('setNextChoice', { path: chosen });
  expect(await callIn(desktop, 'host.choosePath', { what: 'archive' })).toEqual({ path: chosen });
  expect(await callIn(desktop, 'host.choosePath', { what: 'folder' })).toEqual({ path: null });
});

test.skipIf(process.platform !== 'linux')(
  'the setting to start at login creates an autostart file, and deletes it when turned off',
  async () => {
    const desktop = await openDesktop();
    const entry = join(desktop.process.home, 'config/autostart/packhorse.desktop');
    const setStartAtLogin = (startAtLogin: boolean) =>
      callIn(desktop, 'settings.change', { preferences: { startAtLogin } });
    await setStartAtLogin(true);
    expect(readFileSync(entry, 'utf8')).toBe(autostartEntry([process.execPath]));
    await setStartAtLogin(false);
    expect(existsSync(entry)).toBe(false);
  },
);

test('the chosen appearance also applies outside the page', async () => {
  const { process: program, page } = await openDesktop();
  await callIn({ page }, 'settings.change', { preferences: { appearance: 'dark' } });
  await program.until(({ theme }) => theme === 'dark');
});
