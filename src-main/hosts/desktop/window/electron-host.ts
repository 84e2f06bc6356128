/** @file The desktop's services for the calls of the bridge: dialogs, the file manager, links, starting at login. */
import { app, dialog, Notification, shell, type BrowserWindow, type OpenDialogOptions } from 'electron';
import type { HostActions } from '../../../bridge/host/host-port.ts';
import { programFolder } from '../../../platform/paths.ts';
import { autostartPath, hiddenArgument, setAutostart } from '../login-item.ts';
import { desktopTexts } from '../tray/desktop-texts.ts';

type PathKind = Parameters<HostActions['choosePath']>[0];

const anyFileFilter = { name: desktopTexts.choose.anything, extensions: ['*'] };
const dialogOptions: Record<PathKind, OpenDialogOptions> = {
  archive: {
    title: desktopTexts.choose.archive,
    properties: ['openFile'],
    filters: [{ name: desktopTexts.choose.archives, extensions: ['gz', 'tgz'] }, anyFileFilter],
  },
  folder: { title: desktopTexts.choose.folder, properties: ['openDirectory', 'createDirectory'] },
  certificate: {
    title: desktopTexts.choose.certificate,
    properties: ['openFile'],
    filters: [{ name: desktopTexts.choose.certificates, extensions: ['pem', 'crt', 'cer'] }, anyFileFilter],
  },
  program: { title: desktopTexts.choose.program, properties: ['openFile'] },
};

/** `getWindow` is called when a dialog opens, `hasTray` when the page requests the capabilities. */
export function electronHost(getWindow: () => BrowserWindow | null, hasTray: () => boolean): HostActions {
  return {
    get capabilities() {
      return {
        host: 'desktop' as const,
        choosePath: true,
        reveal: true,
        openLink: true,
        tray: hasTray(),
        notify: Notification.isSupported(),
        startAtLogin: true,
      };
    },
    async choosePath(what) {
      const parent = getWindow();
      const options = dialogOptions[what];
      const { canceled, filePaths } = await (parent === null
        ? dialog.showOpenDialog(options)
        : dialog.showOpenDialog(parent, options));
      return canceled ? null : (filePaths[0] ?? null);
    },
    reveal(absolutePath) {
      shell.showItemInFolder(absolutePath);
      return Promise.resolve();
    },
    openLink: (url) => shell.openExternal(url),
    setStartAtLogin(enabled) {
      setStartAtLogin(enabled);
      return Promise.resolve();
    },
  };
}

/** Idempotent. Also updates the path of a program that was moved. */
function setStartAtLogin(enabled: boolean): void {
  if (process.platform === 'linux') {
    // An AppImage runs from a temporary folder. In a checkout, Electron needs the folder as an argument.
    const program = process.env['APPIMAGE'] ?? process.execPath;
    setAutostart(enabled, app.isPackaged ? [program] : [program, programFolder], autostartPath(process.env));
    return;
  }
  app.setLoginItemSettings({
    openAtLogin: enabled,
    ...(process.platform === 'win32' ? { args: [hiddenArgument] } : {}),
  });
}

export function wasStartedAtLogin(): boolean {
  if (process.platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return process.argv.includes(hiddenArgument);
}
