/**
 * @file The desktop host: one process, one window, one page. Runs in Electron's main process, from the build. Composes
 * the app, shows the window and shuts both down in order; decides nothing about projects or archives. Its own decisions
 * are in `desktop/`, where only files called `electron-…` use Electron.
 */
import { join } from 'node:path';
import { app, dialog, Menu, nativeTheme, net, powerMonitor, protocol, session } from 'electron';
import { errorText } from '../../src-contract/error-messages.ts';
import { AppError } from '../../src-contract/errors.ts';
import type { HostCommand, HostRequest } from '../../src-contract/host.ts';
import { composeApp } from '../compose/compose.ts';
import { serveWindow } from '../bridge/transports/electron.ts';
import { inProcessClient } from '../bridge/transports/in-process.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { dataFolder, createDataPaths, buildFolder, resourcesFolder } from '../platform/paths.ts';
import { makePrivateFolder } from '../platform/private-folder.ts';
import { ActivityWatch, idleActivity, type Activity } from './desktop/tray/activity.ts';
import { respondFromBundle, listBundle, origin, scheme } from './desktop/bundle.ts';
import { electronHost, wasStartedAtLogin } from './desktop/window/electron-host.ts';
import { tokenClipboard } from './desktop/window/electron-token-clipboard.ts';
import { createShutdown } from './desktop/shutdown/electron-shutdown.ts';
import { electronPower } from './desktop/shutdown/electron-power.ts';
import { denyByDefault } from './desktop/window/electron-security.ts';
import { createActivityIndicators } from './desktop/shutdown/electron-activity-indicators.ts';
import { makeTray, type TrayIcon } from './desktop/tray/electron-tray.ts';
import { makeWindow, type DesktopWindow } from './desktop/window/electron-window.ts';
import { windowMenu } from './desktop/window/menu.ts';
import { watchNetwork } from './desktop/tray/network.ts';
import { watchNewTokens } from './desktop/shutdown/new-token-watch.ts';
import { noticeOf, planNoticeOf, type Notice } from './desktop/tray/notices.ts';
import { createArchiveProblemHandler } from './desktop/tray/archive-problem.ts';
import { watchOverduePlans } from './desktop/tray/overdue.ts';
import { RunWatch } from './desktop/tray/run-watch.ts';
import { PreferencesWatch } from './desktop/preferences.ts';
import { awaitTrayHost, hasTrayHost } from './desktop/tray/tray-host.ts';
import { WindowStateFile } from './desktop/window/window-state.ts';
import { desktopTexts } from './desktop/tray/desktop-texts.ts';

const allowDevTools = !app.isPackaged;
/**
 * Must equal the id in electron-builder.yml, because Windows shows notifications only of programs whose shortcut has
 * this id.
 */
const appId = 'app.packhorse.desktop';
const folder = dataFolder({ env: process.env });

/** Electron's own files are stored in the data folder, so that only one instance can use a data folder. */
function lockDataFolder(): boolean {
  const desktopFolder = join(createDataPaths(folder).dataFolder, 'desktop');
  makePrivateFolder(desktopFolder);
  app.setPath('userData', desktopFolder);
  app.setAppLogsPath(join(desktopFolder, 'logs'));
  return app.requestSingleInstanceLock();
}

async function start(): Promise<void> {
  await app.whenReady();
  const bundle = listBundle(join(buildFolder, 'renderer'));
  session.defaultSession.protocol.handle(scheme, (request) => respondFromBundle(bundle, request));

  let desktop: DesktopWindow | null = null;
  let tray: TrayIcon | null = null;
  let activity: Activity = idleActivity;
  const host = electronHost(
    () => desktop?.window ?? null,
    () => tray !== null,
  );
  const core = await composeApp({
    dataDir: folder,
    env: process.env,
    host,
    power: electronPower,
    longLived: true,
  });
  core.tokenRecipient.set(tokenClipboard(() => desktop?.window ?? null));
  const client = inProcessClient(core.dispatch, new AbortController().signal);
  const preferences = new PreferencesWatch(client, ({ appearance }) => {
    nativeTheme.themeSource = appearance;
  });
  await preferences.refresh();
  // Updates the login item, because the program may have been moved.
  if (preferences.current.startAtLogin) await host.setStartAtLogin?.(true).catch(() => undefined);
  const startedAt = clock.now();
  const runJobs = (): void => {
    core.startJobs(() => true);
    core.startSchedule();
  };
  runJobs();

  const desktopWindow = makeWindow({
    preload: join(buildFolder, 'preload/preload.cjs'),
    allowDevTools,
    isDark: nativeTheme.shouldUseDarkColors,
    icon: join(resourcesFolder, 'icon.png'),
    stateFile: new WindowStateFile(join(folder, 'window.json')),
    clock,
    onClose: () => {
      shutdown.closeWindow();
    },
    onFailure: () => {
      dialog.showErrorBox(desktopTexts.dialog.pageFailed, desktopTexts.dialog.pageFailedDetail);
    },
  });
  desktop = desktopWindow;
  const { window } = desktopWindow;
  const emit = serveWindow({
    contents: window.webContents,
    origin,
    dispatch: core.dispatch,
    subscribe: (listener) => core.subscribe(listener),
    clock,
  });
  const sendCommand = (request: HostRequest): void => {
    desktopWindow.show();
    const send = (): void => {
      emit('host.command', request);
    };
    if (window.webContents.isLoading()) window.webContents.once('did-finish-load', send);
    else send();
  };

  const indicators = createActivityIndicators(window, electronPower, (place) => {
    sendCommand({ command: 'show', place });
  });
  const notify = (notice: Notice | null): void => {
    // A focused window shows the news itself.
    if (notice !== null && !window.isFocused()) indicators.notify(notice);
  };
  const watch = new ActivityWatch({
    client,
    clock,
    onActivity(current) {
      activity = current;
      indicators.show(current);
      tray?.show(current.text);
    },
    onRunEnded(jobs, isPlanned) {
      if (isPlanned) void runWatch.poll();
      else notify(noticeOf(jobs, preferences.current.notifications));
    },
  });
  const newTokenWatch = watchNewTokens({
    newTokens: core.newTokens,
    clock,
    onUnstored: () => {
      shutdown.offerToken();
    },
  });
  const notifyUnlessOff = (notice: Notice): void => {
    notify(preferences.current.notifications === 'none' ? null : notice);
  };
  const runWatch = new RunWatch(client, clock, startedAt, (news) => {
    notify(planNoticeOf(news, preferences.current.notifications));
  });
  const overdueWatch = watchOverduePlans(client, clock, notifyUnlessOff);
  const handleArchiveProblem = createArchiveProblemHandler(client, notifyUnlessOff);
  core.subscribe((name, payload) => {
    watch.handleEvent(name, payload);
    preferences.handleEvent(name);
    newTokenWatch.handleEvent(name);
    void runWatch.handleEvent(name);
    void overdueWatch.handleEvent(name);
    void handleArchiveProblem(name, payload);
  });
  const wake = (): void => {
    core.wake();
  };
  powerMonitor.on('resume', wake);
  const stopWatchingNetwork = watchNetwork(clock, () => net.isOnline(), wake);

  const closeController = new AbortController();
  const shutdown = createShutdown({
    clock,
    preferences,
    getWindow: () => desktop,
    // The panel with the tray icon may have disappeared; macOS always has its Dock.
    canReopenWindow: async () =>
      process.platform === 'darwin' || (tray !== null && (await hasTrayHost(process.platform))),
    isBusy: () => core.isRunningJobs() && activity.isBusy,
    newTokens: core.newTokens,
    suspendWork: () => core.suspendJobs(),
    runJobs,
    async closeApp() {
      closeController.abort();
      watch.stop();
      runWatch.stop();
      overdueWatch.stop();
      newTokenWatch.stop();
      stopWatchingNetwork();
      await core.close();
    },
  });
  const actions = {
    runCommand: (name: HostCommand) => {
      sendCommand({ command: name });
    },
    showWindow: desktopWindow.show,
    quit: shutdown.quit,
  };
  Menu.setApplicationMenu(Menu.buildFromTemplate(windowMenu(process.platform, allowDevTools, actions)));
  app.on('second-instance', desktopWindow.show);
  app.on('activate', desktopWindow.show);

  const startsHidden = wasStartedAtLogin();
  const showTray = async (): Promise<void> => {
    const found = await awaitTrayHost(clock, closeController.signal, () => hasTrayHost(process.platform));
    if (closeController.signal.aborted) return;
    if (found) tray = makeTray(activity.text, actions);
    else if (startsHidden) desktopWindow.show();
  };
  void showTray();
  await desktopWindow.load(startsHidden);
  if (core.notices.length > 0) {
    await dialog.showMessageBox({
      type: 'warning',
      message: desktopTexts.name,
      detail: core.notices.join('\n\n'),
    });
  }
}

function refuseToStart(thrown: unknown): void {
  const { what, todo } = errorText(AppError.from(thrown).toData());
  dialog.showErrorBox(desktopTexts.dialog.cannotStart, `${what}\n\n${todo}`);
  app.exit(1);
}

try {
  if (lockDataFolder()) {
    if (process.platform === 'win32') app.setAppUserModelId(appId);
    app.enableSandbox();
    protocol.registerSchemesAsPrivileged([
      { scheme, privileges: { standard: true, secure: true, codeCache: true } },
    ]);
    denyByDefault(allowDevTools);
    start().catch(refuseToStart);
  } else {
    app.exit(0);
  }
} catch (thrown) {
  refuseToStart(thrown);
}
