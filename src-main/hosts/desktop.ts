/**
 * @file The desktop host: one instance, one window, one page of our own. Runs in Electron's main process, from the build.
 * It decides nothing about projects or archives; it composes the app, shows the window and shuts both down in order.
 */
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  protocol,
  session,
  type MenuItemConstructorOptions,
  type Session,
} from 'electron';
import { errorText } from '../../src-preload/contract/error-messages.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import { composeApp } from '../app/compose.ts';
import { answerWindow } from '../bridge/electron.ts';
import { outFolder } from '../platform/paths.ts';
import { answerFromBundle, listBundle, origin, pageUrl, scheme } from './desktop/bundle.ts';
import { mayNavigate, mayRequest } from './desktop/guards.ts';
import { windowOptions } from './desktop/window-options.ts';

const developer = !app.isPackaged;

/** Denies everything a page could ask of the system, and every request that does not go to our own files. */
function harden(target: Session): void {
  target.setPermissionRequestHandler((_contents, _permission, answer) => {
    answer(false);
  });
  target.setPermissionCheckHandler(() => false);
  target.setDevicePermissionHandler(() => false);
  target.setSpellCheckerEnabled(false); // it would download dictionaries
  target.on('will-download', (event) => {
    event.preventDefault();
  });
  // Logins, certificates and proxies never come up: no request leaves the session.
  target.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !mayRequest(details.url, developer) });
  });
}

async function start(): Promise<void> {
  await app.whenReady();
  const bundle = listBundle(join(outFolder, 'renderer'));
  session.defaultSession.protocol.handle(scheme, (request) => answerFromBundle(bundle, request));
  // macOS needs a menu for its copy and paste keys; elsewhere the window does without.
  const macMenu: MenuItemConstructorOptions[] = [
    { role: 'appMenu' },
    { role: 'editMenu' },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(process.platform === 'darwin' ? Menu.buildFromTemplate(macMenu) : null);

  const core = await composeApp({ dataDir: null, env: process.env });
  core.startJobs(() => true);
  const window = new BrowserWindow(windowOptions(join(outFolder, 'preload/preload.cjs'), developer));
  answerWindow(window.webContents, origin, core.dispatch, (listener) => core.subscribe(listener));
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  // Comes last on every way out: the last window closed, the menu, the system shutting down.
  app.on('will-quit', (event) => {
    event.preventDefault();
    void core.close().finally(() => {
      app.exit(0);
    });
  });
  window.once('ready-to-show', () => {
    window.show();
  });
  await window.loadURL(pageUrl);
}

function refuseToStart(thrown: unknown): void {
  const { what, todo } = errorText(AppError.from(thrown).toData());
  dialog.showErrorBox('Packhorse could not start', `${what}\n\n${todo}`);
  app.exit(1);
}

if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, codeCache: true } },
  ]);
  app.on('session-created', harden);
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    const stay = (event: { url: string; preventDefault: () => void }): void => {
      if (!mayNavigate(event.url)) event.preventDefault();
    };
    contents.on('will-navigate', stay);
    contents.on('will-frame-navigate', stay);
    contents.on('will-redirect', stay);
    contents.on('will-attach-webview', (event) => {
      event.preventDefault();
    });
  });
  start().catch(refuseToStart);
} else {
  app.exit(0);
}
