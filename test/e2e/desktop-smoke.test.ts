/**
 * @file The built product as a person has it: the real main process code, preload and page in a real Chromium. Electron's
 * place is taken by its own binary where there is one, else by the stand-in in `test/support/electron/`.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { type WindowBridge } from '../../src-preload/contract/call-names.ts';
import { openDesktop, type DesktopWindow } from '../support/electron/desktop-app.ts';

declare const window: { packhorse: WindowBridge };

describe('the page', () => {
  let desktop: DesktopWindow;
  beforeEach(async () => {
    desktop = await openDesktop();
  });

  test('opens', async () => {
    await desktop.page.waitForLoadState('networkidle');
    expect(await desktop.page.title()).toContain('Packhorse');
    await desktop.shot('desktop');
  });

  test('asks the main process', async () => {
    const about = await desktop.page.evaluate(() => window.packhorse.calls['host.describe']({}, 'c1'));
    expect(about).toMatchObject({ ok: true, value: { dataFolder: desktop.process.dataDir } });
  });
});
