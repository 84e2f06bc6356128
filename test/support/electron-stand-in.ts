/**
 * @file Stands in for the module `electron` where the built desktop host is started under Node: takes every registration
 * as Electron would, opens the window, then asks the registered handlers what they decide and prints that as JSON.
 * It knows nothing of how Electron behaves otherwise; that takes the real binary.
 */
import { EventEmitter } from 'node:events';

type Decide = (...args: unknown[]) => unknown;

const taken: Record<string, unknown> = {};
const channels: string[] = [];
let respond: ((request: { method: string; url: string }) => Promise<Response>) | undefined;
const handlers: Record<string, Decide> = {};
const take =
  (name: string) =>
  (handler: Decide): void => {
    handlers[name] = handler;
  };

class App extends EventEmitter {
  readonly isPackaged = true;
  requestSingleInstanceLock(): boolean {
    return process.env['PACKHORSE_TEST_SECOND'] !== '1';
  }
  enableSandbox(): void {
    taken['sandbox'] = true;
  }
  whenReady(): Promise<void> {
    this.emit('session-created', session.defaultSession);
    return Promise.resolve();
  }
  exit(code: number): void {
    process.stdout.write(JSON.stringify({ ...taken, channels }), () => process.exit(code));
  }
}
export const app = new App();

class Session extends EventEmitter {
  readonly protocol = {
    handle(_scheme: string, handler: typeof respond): void {
      respond = handler;
    },
  };
  readonly webRequest = { onBeforeRequest: take('request') };
  readonly setPermissionRequestHandler = take('permissionRequest');
  readonly setPermissionCheckHandler = take('permissionCheck');
  readonly setDevicePermissionHandler = take('device');
  setSpellCheckerEnabled(enabled: boolean): void {
    taken['spellChecker'] = enabled;
  }
}
export const session = { defaultSession: new Session() };

export const protocol = {
  registerSchemesAsPrivileged(schemes: unknown): void {
    taken['schemes'] = schemes;
  },
};
export const Menu = { setApplicationMenu: (): void => undefined, buildFromTemplate: (): object => ({}) };
export const dialog = {
  showErrorBox(title: string, text: string): void {
    taken['errorBox'] = `${title}: ${text}`;
  },
};
export const ipcMain = {
  handle: (name: string): number => channels.push(name),
  removeHandler: (): void => undefined,
};

class Contents extends EventEmitter {
  readonly id = 1;
  readonly setWindowOpenHandler = take('windowOpen');
}

/** Whether a listener of `event` prevented it. */
function prevented(emitter: EventEmitter, event: string, details: object = {}): boolean {
  let was = false;
  emitter.emit(event, {
    ...details,
    preventDefault: () => {
      was = true;
    },
  });
  return was;
}

/** What a handler that answers through a callback said. */
function answered(name: string, ...args: unknown[]): unknown {
  let said: unknown;
  handlers[name]?.(...args, (value: unknown) => {
    said = value;
  });
  return said;
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new Contents();
  constructor(options: unknown) {
    super();
    taken['window'] = options;
    app.emit('web-contents-created', {}, this.webContents);
  }
  show(): void {
    taken['shown'] = true;
  }
  async loadURL(url: string): Promise<void> {
    this.emit('ready-to-show');
    const page = await respond?.({ method: 'GET', url });
    taken['page'] = {
      url,
      status: page?.status,
      policy: page?.headers.get('content-security-policy'),
      text: await page?.text(),
    };
    const elsewhere = { url: 'https://gitlab.example.com/' };
    taken['decisions'] = {
      permissionRequest: answered('permissionRequest', {}, 'media'),
      permissionCheck: handlers['permissionCheck']?.({}, 'media'),
      device: handlers['device']?.({}),
      foreignRequest: answered('request', elsewhere),
      ownRequest: answered('request', { url: 'app://bundle/index.html' }),
      windowOpen: handlers['windowOpen']?.(elsewhere),
      navigate: prevented(this.webContents, 'will-navigate', elsewhere),
      frameNavigate: prevented(this.webContents, 'will-frame-navigate', elsewhere),
      redirect: prevented(this.webContents, 'will-redirect', elsewhere),
      webview: prevented(this.webContents, 'will-attach-webview'),
      download: prevented(session.defaultSession, 'will-download'),
    };
    taken['quitWaits'] = prevented(app, 'will-quit');
  }
}
