/**
 * @file The desktop host: one instance, one window, one page of our own. Runs in Electron's main process, from the build.
 * It decides nothing about projects or archives; it composes the app, shows the window and shuts both down in order.
 * What it decides itself stands in `desktop/`, where files called `electron-…` talk to Electron and the others do not.
 */
import { join } from 'node:path';
import { app, dialog, Menu, nativeTheme, net, powerMonitor, protocol, session } from 'electron';
import { errorText } from '../../src-preload/contract/error-messages.ts';
import { AppError } from '../../src-preload/contract/errors.ts';
import type { HostCommand } from '../../src-preload/contract/host.ts';
import { composeApp } from '../app/compose.ts';
import { answerWindow } from '../bridge/electron.ts';
import { inProcessClient } from '../bridge/in-process.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { dataFolder, dataPaths, outFolder, resourcesFolder } from '../platform/paths.ts';
import { makePrivateFolder } from '../platform/private-folder.ts';
import { ActivityWatch, idle, type Activity } from './desktop/activity.ts';
import { answerFromBundle, listBundle, origin, scheme } from './desktop/bundle.ts';
import { whatClosingDoes } from './desktop/closing.ts';
import { electronHost, startedAtLogin } from './desktop/electron-host.ts';
import { denyByDefault } from './desktop/electron-security.ts';
import { makeSignals } from './desktop/electron-signals.ts';
import { makeTray, type TrayIcon } from './desktop/electron-tray.ts';
import { makeWindow, type DesktopWindow } from './desktop/electron-window.ts';
import { windowMenu } from './desktop/menu.ts';
import { watchNetwork } from './desktop/network.ts';
import { noticeOf } from './desktop/notices.ts';
import { PreferencesWatch } from './desktop/preferences.ts';
import { createQuitting } from './desktop/quitting.ts';
import { awaitTrayHost, hasTrayHost } from './desktop/tray-host.ts';
import { PlaceFile } from './desktop/window-place.ts';
import { words } from './desktop/words.ts';

const developer = !app.isPackaged;
const folder = dataFolder({ env: process.env });

/** Electron's own files go into the data folder, so that there is one instance per data folder. */
function claimDataFolder(): boolean {
  const own = join(dataPaths(folder).dataFolder, 'desktop');
  makePrivateFolder(own);
  app.setPath('userData', own);
  app.setAppLogsPath(join(own, 'logs'));
  return app.requestSingleInstanceLock();
}

async function start(): Promise<void> {
  await app.whenReady();
  const bundle = listBundle(join(outFolder, 'renderer'));
  session.defaultSession.protocol.handle(scheme, (request) => answerFromBundle(bundle, request));

  let desktop: DesktopWindow | null = null;
  let tray: TrayIcon | null = null;
  let activity: Activity = idle;
  const host = electronHost(
    () => desktop?.window ?? null,
    () => tray !== null,
  );
  const core = await composeApp({ dataDir: folder, env: process.env, host, longLived: true });
  const client = inProcessClient(core.dispatch, new AbortController().signal);
  const preferences = new PreferencesWatch(client, ({ appearance }) => {
    nativeTheme.themeSource = appearance;
  });
  await preferences.read();
  // The program may have been moved since.
  if (preferences.now.startAtLogin) await host.setStartAtLogin?.(true).catch(() => undefined);
  core.startJobs(() => true);

  const stopping = new AbortController();
  const ask = async (message: string, detail: string, buttons: [string, string], safe: 0 | 1) => {
    const options = { type: 'question' as const, message, detail, buttons, defaultId: safe, cancelId: safe };
    const parent = desktop?.window.isVisible() === true ? desktop.window : null;
    const { response } = await (parent === null
      ? dialog.showMessageBox(options)
      : dialog.showMessageBox(parent, options));
    return response === 0;
  };
  const quit = createQuitting({
    clock,
    isBusy: () => core.runsJobs() && activity.busy,
    ask: () =>
      ask(words.dialog.quit, words.dialog.quitDetail, [words.dialog.quitYes, words.dialog.quitNo], 1),
    hide: () => desktop?.window.hide(),
    drain: async () => {
      stopping.abort();
      watch.stop();
      stopWatchingNetwork();
      await core.close();
    },
    exit: () => {
      app.exit(0);
    },
  });

  let closing = false;
  const close = async (): Promise<void> => {
    if (closing) return;
    closing = true;
    try {
      await preferences.read();
      const canComeBack = tray !== null || process.platform === 'darwin';
      const does = whatClosingDoes(preferences.now, canComeBack);
      if (does === 'hide') desktop?.hide();
      if (does === 'quit') await quit('person');
      if (does !== 'explain') return;
      const { closing: message, closingDetail, closingKeep, closingQuit } = words.dialog;
      const stays = await ask(message, closingDetail, [closingKeep, closingQuit], 0);
      await preferences.change({ closeExplained: true, closeBehaviour: stays ? 'tray' : 'quit' });
      if (stays) desktop?.hide();
      else await quit('person');
    } finally {
      closing = false;
    }
  };

  const opened = makeWindow({
    preload: join(outFolder, 'preload/preload.cjs'),
    developer,
    dark: nativeTheme.shouldUseDarkColors,
    icon: join(resourcesFolder, 'icon.png'),
    places: new PlaceFile(join(folder, 'window.json')),
    clock,
    onClose: () => void close(),
    onFailure: () => {
      dialog.showErrorBox(words.dialog.pageFailed, words.dialog.pageFailedDetail);
    },
  });
  desktop = opened;
  const { window } = opened;
  const tell = answerWindow({
    contents: window.webContents,
    origin,
    dispatch: core.dispatch,
    subscribe: (listener) => core.subscribe(listener),
    clock,
  });
  const command = (name: HostCommand): void => {
    opened.show();
    const send = (): void => {
      tell('host.command', { command: name });
    };
    if (window.webContents.isLoading()) window.webContents.once('did-finish-load', send);
    else send();
  };
  const actions = { command, open: opened.show, quit: () => void quit('person') };
  Menu.setApplicationMenu(Menu.buildFromTemplate(windowMenu(process.platform, developer, actions)));

  const signals = makeSignals(window, () => {
    command('view.activity');
  });
  const watch = new ActivityWatch({
    client,
    clock,
    onActivity(now) {
      activity = now;
      signals.show(now);
      tray?.tell(now.text);
    },
    onRunEnded(jobs) {
      const notice = noticeOf(jobs, preferences.now.notifications);
      // Whoever looks at the window sees it there.
      if (notice !== null && !window.isFocused()) signals.notify(notice);
    },
  });
  core.subscribe((name, payload) => {
    watch.heard(name, payload);
    preferences.heard(name);
  });

  app.on('second-instance', opened.show);
  app.on('activate', opened.show);
  app.on('before-quit', (event) => {
    event.preventDefault();
    void quit('person');
  });
  window.on('session-end', () => void quit('system'));
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    void quit('system');
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => void quit('system'));
  }
  const wake = (): void => {
    core.wake();
  };
  powerMonitor.on('resume', wake);
  const stopWatchingNetwork = watchNetwork(clock, () => net.isOnline(), wake);

  const hidden = startedAtLogin();
  const findTray = async (): Promise<void> => {
    const found = await awaitTrayHost(clock, stopping.signal, () => hasTrayHost(process.platform));
    if (stopping.signal.aborted) return;
    if (found) tray = makeTray(activity.text, actions);
    else if (hidden) opened.show();
  };
  void findTray();
  await opened.load(hidden);
  if (core.notices.length > 0) {
    await dialog.showMessageBox({ type: 'warning', message: words.name, detail: core.notices.join('\n\n') });
  }
}

function refuseToStart(thrown: unknown): void {
  const { what, todo } = errorText(AppError.from(thrown).toData());
  dialog.showErrorBox(words.dialog.cannotStart, `${what}\n\n${todo}`);
  app.exit(1);
}

try {
  if (claimDataFolder()) {
    app.enableSandbox();
    protocol.registerSchemesAsPrivileged([
      { scheme, privileges: { standard: true, secure: true, codeCache: true } },
    ]);
    denyByDefault(developer);
    start().catch(refuseToStart);
  } else {
    app.exit(0);
  }
} catch (thrown) {
  refuseToStart(thrown);
}
