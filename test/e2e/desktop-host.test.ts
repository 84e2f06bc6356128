/** @file How the built desktop product uses the system for the window, and what it refuses. */
import { existsSync, readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { autostartEntry } from '../../src-main/hosts/desktop/login-item.ts';
import { callIn, openDesktop, registerHome } from '../support/electron/desktop-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestSandbox } from '../support/world.ts';
import { archiveFilter } from '../support/requests.ts';

test('it says what it can do; a tray only where icons are shown', async () => {
  const desktop = await openDesktop();
  await desktop.process.until(({ tray }) => tray);
  const can = {
    host: 'desktop',
    choosePath: true,
    reveal: true,
    openLink: true,
    notify: true,
    startAtLogin: true,
  };
  expect(await callIn(desktop, 'host.capabilities', {})).toMatchObject({ ...can, tray: true });
  const without = await openDesktop({ tray: false });
  expect(await callIn(without, 'host.capabilities', {})).toMatchObject({ ...can, tray: false });
});

test('pages of instances and the documentation are opened, and no other address reaches the system', async () => {
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

test('a stored archive is shown in its folder, and no other file', async () => {
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

  // What stands in its place is a link out of the folder.
  renameSync(archive.absolutePath, `${elsewhere}.moved`);
  symlinkSync(elsewhere, archive.absolutePath);
  await expect(callIn(desktop, 'host.reveal', { archive: archive.id })).rejects.toThrow('archive-unsafe');
  expect(process.state?.revealed).toHaveLength(1);
});

test('the page names a file only once it was chosen in a dialog of the system, or dropped, and for what it was chosen', async () => {
  const desktop = await openDesktop();
  const { page, process } = desktop;
  const folder = temporaryFolder();
  const [chosen, dropped, certificate] = ['chosen', 'dropped', 'certificate'].map((name) => {
    const file = join(folder, `${name}.tar.gz`);
    writeFileSync(file, 'x');
    return file;
  }) as [string, string, string];
  const inspect = (archive: string) => callIn(desktop, 'archive.inspect', { archive });
  for (const path of [chosen, dropped, certificate, join(folder, 'missing')]) {
    await expect(inspect(path)).rejects.toThrow('path-refused');
  }

  await process.ask('planChoice', { path: chosen });
  await callIn(desktop, 'host.choosePath', { what: 'archive' });
  expect(await inspect(chosen)).toMatchObject({ verdict: 'unusable', sizeBytes: 1 });

  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'given' }))`,
  );
  await page.setInputFiles('#given', dropped);
  await page.evaluate(
    `window.packhorse.fileReference(document.querySelector('#given').files[0], () => undefined)`,
  );
  expect(await inspect(dropped)).toMatchObject({ verdict: 'unusable', sizeBytes: 1 });
  // A file that a page creates has no path, whatever its name.
  expect(
    await page.evaluate(`window.packhorse.fileReference(new File([], '/etc/passwd'), () => undefined)`),
  ).toBe('');

  await process.ask('planChoice', { path: certificate });
  await callIn(desktop, 'host.choosePath', { what: 'certificate' });
  await expect(inspect(certificate)).rejects.toThrow('path-refused');
  const root = (archiveRoot: string) => callIn(desktop, 'settings.change', { archiveRoot });
  await expect(root(folder)).rejects.toThrow('path-refused');
  await process.ask('planChoice', { path: folder });
  await callIn(desktop, 'host.choosePath', { what: 'folder' });
  expect(await root(folder)).toMatchObject({ archiveRoot: folder });
});

test('a file is chosen in a dialog of the system, or not', async () => {
  const desktop = await openDesktop();
  const chosen = '/somewhere/export.tar.gz';
  await desktop.process.ask('planChoice', { path: chosen });
  expect(await callIn(desktop, 'host.choosePath', { what: 'archive' })).toEqual({ path: chosen });
  expect(await callIn(desktop, 'host.choosePath', { what: 'folder' })).toEqual({ path: null });
});

test.skipIf(process.platform !== 'linux')(
  'starting at login is a file for the desktop, as long as it is wished',
  async () => {
    const desktop = await openDesktop();
    const entry = join(desktop.process.home, 'config/autostart/packhorse.desktop');
    const wish = (startAtLogin: boolean) =>
      callIn(desktop, 'settings.change', { preferences: { startAtLogin } });
    await wish(true);
    expect(readFileSync(entry, 'utf8')).toBe(autostartEntry([process.execPath]));
    await wish(false);
    expect(existsSync(entry)).toBe(false);
  },
);

test('the chosen appearance holds outside the page, too', async () => {
  const { process: program, page } = await openDesktop();
  await callIn({ page }, 'settings.change', { preferences: { appearance: 'dark' } });
  await program.until(({ theme }) => theme === 'dark');
});
