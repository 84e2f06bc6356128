/**
 * @file The built product as a user runs it: the real main process code, preload and page in a real Chromium. The fake in
 * `test/support/electron/` replaces Electron itself, and records how the program uses the system.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WindowBridge } from '../../src-contract/call-names.ts';
import { callNames } from '../../src-contract/call-names.ts';
import { contentSecurityPolicy } from '../../src-main/hosts/desktop/bundle.ts';
import { autostartEntry } from '../../src-main/hosts/desktop/login-item.ts';
import { callIn, openDesktop, type WindowOptions } from '../support/electron/desktop-app.ts';
import { DesktopProcess } from '../support/electron/desktop-process.ts';
import { builtProduct } from '../support/processes/product-build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

declare const window: { packhorse: WindowBridge };

describe('the page', () => {
  test('opens under its content security policy, writes nothing to its console, and follows the menu from any view', async () => {
    const { page, process, shot } = await openDesktop();
    await page.waitForLoadState('networkidle');
    expect(await page.title()).toContain('Packhorse');
    const answer = await process.request('fetch', { method: 'GET', url: 'app://bundle/', navigation: false });
    expect(answer).toMatchObject({ headers: { 'content-security-policy': contentSecurityPolicy } });
    await shot('desktop');

    for (const view of ['projects', 'settings', 'overview']) {
      await process.request('clickMenu', { of: 'window', id: `view.${view}` });
      await page.waitForURL(`**/#/${view}`);
    }
    await process.request('clickMenu', { of: 'window', id: 'palette' });
    await page.getByRole('dialog').waitFor();
  });

  test('has no globals of Node, and a bridge that cannot be changed and rejects an unknown event and invalid input', async () => {
    const desktop = await openDesktop();
    const { page } = desktop;
    const seen = await page.evaluate(() => {
      const types = ['require', 'process', 'Buffer', 'global', 'module', '__toMain'].map(
        (name) => typeof (globalThis as Record<string, unknown>)[name],
      );
      const { packhorse } = window;
      const attempts = [
        () => Reflect.set(packhorse, 'invoke', 1),
        () => Reflect.set(packhorse.calls, 'host.describe', 1),
        () => Reflect.set(window, 'packhorse', 1),
        () => Reflect.deleteProperty(window, 'packhorse'),
      ];
      return {
        types,
        changed: attempts.map((attempt) => attempt()),
        keys: Object.keys(packhorse),
        calls: Object.keys(packhorse.calls),
        frozen: Object.isFrozen(packhorse) && Object.isFrozen(packhorse.calls),
      };
    });
    expect(seen).toEqual({
      types: Array.from({ length: 6 }, () => 'undefined'),
      changed: [false, false, false, false],
      keys: ['calls', 'cancel', 'on', 'fileReference'],
      calls: [...callNames],
      frozen: true,
    });

    const subscription = page.evaluate(() =>
      window.packhorse.on('call.secret' as 'job.changed', () => undefined),
    );
    await expect(subscription).rejects.toThrow('There is no such event.');

    expect(await callIn(desktop, 'host.describe', {})).toMatchObject({ dataFolder: desktop.process.dataDir });
    await expect(callIn(desktop, 'job.show', { job: 7 as unknown as string })).rejects.toThrow(
      'invalid-input',
    );
  });

  test('cannot leave its address, open a window, load from another address or run injected code', async () => {
    const { page } = await openDesktop({
      allowedMessages: /Content Security Policy|net::ERR_|requires 'Trusted/,
    });
    const before = page.url();
    const elsewhere = 'https://gitlab.example.com/';
    await page.evaluate(`location.href = '${elsewhere}'`);
    const opened = page.context().waitForEvent('page');
    await page.evaluate(`void window.open('${elsewhere}')`);
    const popup = await opened;
    if (!popup.isClosed()) await popup.waitForEvent('close');
    const refused = await page.evaluate(`(async () => {
      const attempts = {
        fetch: () => fetch('${elsewhere}'),
        script: () => Object.assign(document.createElement('script'), { src: '${elsewhere}evil.js' }),
        inline: () => Object.assign(document.createElement('script'), { textContent: 'globalThis.ran = 1' }),
        html: () => Object.assign(document.createElement('p'), { innerHTML: '<img src=x onerror=alert(1)>' }),
        worker: () => new Worker('${elsewhere}evil.js'),
      };
      const refused = [];
      for (const [name, attempt] of Object.entries(attempts)) {
        try {
          await attempt();
        } catch {
          refused.push(name);
        }
      }
      return refused;
    })()`);
    expect(refused).toEqual(['fetch', 'script', 'inline', 'html', 'worker']);
    const images = page.evaluate(`new Promise((resolve) => {
      const image = Object.assign(new Image(), { src: '${elsewhere}seen.png' });
      image.onload = () => resolve('loaded');
      image.onerror = () => resolve('refused');
    })`);
    expect(await images).toBe('refused');
    expect(page.url()).toBe(before);
    expect(page.context().pages()).toEqual([page]);
  });

  test('provides the path of a chosen file but not of a forged one, and stays when a file is dropped outside of a drop zone', async () => {
    const { page } = await openDesktop();
    const chosen = join(temporaryFolder(), 'some export.tar.gz');
    writeFileSync(chosen, 'x');
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'chosen' }))`,
    );
    await page.setInputFiles('#chosen', chosen);
    const reference = (argument: string) =>
      page.evaluate(`window.packhorse.fileReference(${argument}, () => undefined)`);
    expect(await reference(`document.querySelector('#chosen').files[0]`)).toBe(chosen);
    const forged = reference(`{ path: '/etc/passwd' }`);
    await expect(forged).rejects.toThrow('not a File');

    const before = page.url();
    const file = join(temporaryFolder(), 'dropped.html');
    writeFileSync(file, '<title>elsewhere</title>');
    await page.evaluate(`window.addEventListener('dragover', ({ defaultPrevented, dataTransfer }) => {
      document.title = JSON.stringify({ defaultPrevented, effect: dataTransfer.dropEffect });
    })`);
    const devTools = await page.context().newCDPSession(page);
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await devTools.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
    }
    expect(await page.title()).toBe('{"defaultPrevented":true,"effect":"none"}');
    expect(page.url()).toBe(before);
    expect(page.context().pages()).toEqual([page]);
  });
});

describe('closing the window', () => {
  const closeExplained = { message: 'Packhorse keeps running in the tray' };

  test('hides it after an explanation that is shown only once, and the tray opens it again', async () => {
    const desktop = await openDesktop();
    const { process } = desktop;
    await process.until(({ tray }) => tray);
    await process.request('closeWindow', null);
    await process.until(({ dialogs }) => dialogs.length === 1);
    expect(process.state).toMatchObject({ visible: true, dialogs: [closeExplained] });
    await process.request('answerDialog', { button: 'Keep running' });
    await process.until(({ visible }) => !visible);
    await process.request('clickTray', null);
    await process.until(({ visible }) => visible);
    await process.request('closeWindow', null);
    const { dialogs } = await process.until(({ visible }) => !visible);
    expect(dialogs).toHaveLength(1);
    expect((await callIn(desktop, 'settings.show', {})).preferences).toMatchObject({
      closeBehaviour: 'tray',
      closeExplained: true,
    });
  });

  test('quits from then on if the user chooses this in the explanation', async () => {
    const { process } = await openDesktop();
    await process.until(({ tray }) => tray);
    await process.request('closeWindow', null);
    await process.until(({ dialogs }) => dialogs.length === 1);
    await process.request('answerDialog', { button: 'Quit instead' });
    expect(await process.exited).toEqual({ code: 0, stderr: '' });

    const again = new DesktopProcess({ product: await builtProduct(), dataDir: process.dataDir });
    await again.until(({ tray }) => tray);
    await again.request('closeWindow', null);
    expect(await again.exited).toEqual({ code: 0, stderr: '' });
    expect(again.state?.dialogs).toEqual([]);
  });

  test('quits if there is no tray from which to open it again', async () => {
    const { process } = await openDesktop({ tray: false });
    await process.request('closeWindow', null);
    expect(await process.exited).toEqual({ code: 0, stderr: '' });
    expect(process.state).toMatchObject({ tray: null, dialogs: [] });
  });
});

describe('the program', () => {
  const start = async (options: Omit<WindowOptions, 'mayBeSaid'> = {}): Promise<DesktopProcess> =>
    new DesktopProcess({ ...options, product: await builtProduct() });

  test('exits without opening anything when it is started a second time; the first one ignores its arguments and focuses the window', async () => {
    const first = await start();
    await first.until(({ visible, tray }) => visible && tray !== null);
    const { focused } = first.state ?? { focused: 0 };
    const second = await start({ dataDir: first.dataDir });
    expect(await second.exited).toEqual({ code: 0, stderr: '' });
    expect(second.state).toMatchObject({ windows: 0, channels: [], sandbox: false });
    await first.until((state) => state.focused > focused);
    expect(first.state?.openedLinks).toEqual([]);
  });

  test('stays in the tray after a start at login until the user opens it', async () => {
    const [, argument = ''] = /^Exec="program" "(.*)"$/m.exec(autostartEntry(['program'])) ?? [];
    const process = await start({ args: [argument] });
    await new Promise<void>((resolve) => {
      process.onLoad = () => {
        resolve();
        return Promise.resolve();
      };
    });
    await process.until(({ tray }) => tray);
    // The program has also handled the end of loading when it answers this.
    await process.request('fetch', { method: 'GET', url: 'app://bundle/', navigation: false });
    expect(process.state?.visible).toBe(false);
    await process.request('clickMenu', { of: 'tray', id: 'open' });
    await process.until(({ visible }) => visible);
  });

  test('restores the position and size of its window at the next start', async () => {
    const first = await start();
    await first.until(({ visible }) => visible);
    await first.request('moveWindow', { x: 120, y: 80, width: 940, height: 660 });
    await first.request('emit', { of: 'app', event: 'before-quit' });
    await first.exited;
    const second = await start({ dataDir: first.dataDir });
    const { windowOptions } = await second.until(({ windows }) => windows === 1);
    expect(windowOptions).toMatchObject({ x: 120, y: 80, width: 940, height: 660 });
  });
});
