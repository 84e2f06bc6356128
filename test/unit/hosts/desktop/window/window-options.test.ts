import { expect, test } from 'vitest';
import {
  windowOptions,
  type WindowSettings,
} from '../../../../../src-main/hosts/desktop/window/window-options.ts';

const settings: WindowSettings = {
  preload: '/out/preload/preload.cjs',
  allowDevTools: false,
  windowState: { bounds: { x: 10, y: 20, width: 900, height: 600 }, maximised: false },
  isDark: false,
  icon: '/resources/icon.png',
};

const webPreferences = {
  preload: '/out/preload/preload.cjs',
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
  devTools: false,
};

test('a window is sandboxed, isolated, without Node, and its options cannot be changed', () => {
  const options = windowOptions(settings);
  expect(options).toMatchObject(settings.windowState.bounds);
  expect(options.webPreferences).toEqual(webPreferences);
  expect(Object.isFrozen(options)).toBe(true);
  expect(Object.isFrozen(options.webPreferences)).toBe(true);
});

test('other options are ignored', () => {
  const more = {
    ...settings,
    commandLineSwitches: ['--no-sandbox'],
    sandbox: false,
    webPreferences: { sandbox: false, preload: '/tmp/evil.js' },
    windowState: {
      maximised: false,
      bounds: {
        ...settings.windowState.bounds,
        webPreferences: { nodeIntegration: true },
        parent: {},
        kiosk: true,
      },
    },
  };
  expect(windowOptions(more)).toEqual(windowOptions(settings));
});

test('without a remembered position the system chooses one', () => {
  const options = windowOptions({
    ...settings,
    windowState: { bounds: { width: 900, height: 600 }, maximised: false },
  });
  expect(options).not.toHaveProperty('x');
  expect(options).not.toHaveProperty('y');
});
