/**
 * @file Replaces the module `electron` in the process where the built desktop host runs under Node. The fake accepts
 * every registration like Electron, and records what the program does with the system. The test plays Chromium and the
 * user (`answers.ts`). Only the real binary shows Electron's own behaviour.
 */
import { EventEmitter } from 'node:events';
import { existsSync, rmSync, unwatchFile, watchFile, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listen, type Registered } from './answers.ts';
import { updateState, state, send } from './desktop-state.ts';
import type { MenuShown } from './messages.ts';

const registered: Registered = {
  decisions: {},
  handlers: new Map(),
  listeners: new Map(),
  menus: { window: [], tray: [] },
  choices: [],
  notifications: [],
  pages: null,
  window: null,
  tray: null,
  loaded: null,
  ntlm: null,
};
const registerDecision =
  (name: string) =>
  (handler: (...args: never[]) => unknown): void => {
    registered.decisions[name] = handler as (...args: unknown[]) => unknown;
  };

class App extends EventEmitter {
  readonly isPackaged = true;
  setPath(name: string, path: string): void {
    if (!existsSync(path)) throw new Error(`Failed to set path ${name}: there is no ${path}`);
    updateState(({ paths }) => (paths[name] = path));
  }
  setAppLogsPath(path: string): void {
    updateState(({ paths }) => (paths['logs'] = path));
  }
  /** One lock per user folder, like Electron's; a second process notifies the first. */
  requestSingleInstanceLock(): boolean {
    const own = state.paths['userData'];
    if (own === undefined) throw new Error('no userData');
    const lock = join(own, 'stand-in.lock');
    try {
      writeFileSync(lock, '', { flag: 'wx' });
    } catch {
      writeFileSync(lock, 'another one came');
      return false;
    }
    watchFile(lock, { interval: 50, persistent: false }, () => {
      this.emit('second-instance', {}, ['--evil', 'https://evil.example'], '/', {});
    });
    process.on('exit', () => {
      unwatchFile(lock);
      rmSync(lock, { force: true });
    });
    return true;
  }
  enableSandbox(): void {
    if (state.windows > 0) throw new Error('too late');
    updateState((now) => (now.sandbox = true));
  }
  whenReady(): Promise<void> {
    this.emit('session-created', session.defaultSession);
    return Promise.resolve();
  }
  getLoginItemSettings(): object {
    return { wasOpenedAtLogin: false };
  }
  setLoginItemSettings(settings: unknown): void {
    updateState((now) => (now.loginItem = settings));
  }
  exit(code: number): void {
    if (!process.connected) process.exit(code);
    process.send?.({ kind: 'state', state }, () => process.exit(code));
  }
}
export const app = new App();

class Session extends EventEmitter {
  readonly protocol = {
    handle(_scheme: string, handler: NonNullable<Registered['pages']>): void {
      registered.pages = handler;
    },
  };
  readonly webRequest = { onBeforeRequest: registerDecision('request') };
  readonly setPermissionRequestHandler = registerDecision('permissionRequest');
  readonly setPermissionCheckHandler = registerDecision('permissionCheck');
  readonly setDevicePermissionHandler = registerDecision('device');
  readonly setBluetoothPairingHandler = registerDecision('bluetoothPairing');
  readonly setDisplayMediaRequestHandler = registerDecision('displayMedia');
  allowNTLMCredentialsForDomains(domains: string): void {
    registered.ntlm = domains;
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    updateState((now) => (now.spellChecker = enabled));
  }
}
export const session = { defaultSession: new Session() };

export const protocol = {
  registerSchemesAsPrivileged(schemes: unknown): void {
    updateState((now) => (now.schemes = schemes));
  },
};

export const ipcMain = {
  handle(name: string, handler: (...args: unknown[]) => unknown): void {
    registered.handlers.set(name, handler);
    updateState(({ channels }) => channels.push(name));
  },
  removeHandler: (name: string): boolean => registered.handlers.delete(name),
  on(name: string, handler: (...args: unknown[]) => unknown): void {
    registered.listeners.set(name, handler);
    updateState(({ channels }) => channels.push(name));
  },
  removeAllListeners: (name: string): boolean => registered.listeners.delete(name),
};

interface Template extends MenuShown {
  click?: () => void;
  submenu?: Template[];
}
/** Returns a copy without functions, which cannot be sent. */
function shown(template: readonly Template[]): MenuShown[] {
  return template.map(({ click: _click, submenu, ...entry }) => ({
    ...entry,
    ...(submenu === undefined ? {} : { submenu: shown(submenu) }),
  }));
}
export const Menu = {
  buildFromTemplate: (template: Template[]): Template[] => template,
  setApplicationMenu(menu: Template[] | null): void {
    registered.menus.window = menu ?? [];
    updateState((now) => (now.menu = shown(menu ?? [])));
  },
};

export class Tray extends EventEmitter {
  #toolTip = '';
  #menu: Template[] = [];
  constructor(picture: string) {
    super();
    if (!existsSync(picture)) throw new Error(`Failed to load image from path '${picture}'`);
    registered.tray = this;
  }
  #note(): void {
    updateState((now) => (now.tray = { toolTip: this.#toolTip, menu: shown(this.#menu) }));
  }
  setToolTip(text: string): void {
    this.#toolTip = text;
    this.#note();
  }
  setContextMenu(menu: Template[]): void {
    registered.menus.tray = menu;
    this.#menu = menu;
    this.#note();
  }
}

export class Notification extends EventEmitter {
  readonly #content: { title: string; body: string };
  constructor(content: { title: string; body: string }) {
    super();
    this.#content = content;
  }
  static isSupported(): boolean {
    return true;
  }
  get title(): string {
    return this.#content.title;
  }
  show(): void {
    registered.notifications.push(this);
    updateState(({ notifications }) => notifications.push(this.#content));
  }
}

export const dialog = {
  showErrorBox(title: string, text: string): void {
    updateState((now) => (now.errorBox = `${title}: ${text}`));
  },
  /** The dialog stays open until the test presses a button. */
  showMessageBox(...args: unknown[]): Promise<{ response: number }> {
    const {
      message,
      detail = '',
      buttons = ['OK'],
    } = args.at(-1) as {
      message: string;
      detail?: string;
      buttons?: string[];
    };
    return new Promise((answer) => {
      registered.decisions[`dialog ${state.dialogs.length}`] = (response) => {
        answer({ response: response as number });
      };
      updateState(({ dialogs }) => dialogs.push({ message, detail, buttons, response: null }));
    });
  },
  showOpenDialog(): Promise<{ canceled: boolean; filePaths: string[] }> {
    const path = registered.choices.shift() ?? null;
    return Promise.resolve({ canceled: path === null, filePaths: path === null ? [] : [path] });
  },
};

export const clipboard = {
  writeText(text: string): Promise<void> {
    updateState((now) => (now.clipboard = text));
    return Promise.resolve();
  },
};

export const shell = {
  openExternal(url: string): Promise<void> {
    updateState(({ openedLinks }) => openedLinks.push(url));
    return Promise.resolve();
  },
  showItemInFolder(path: string): void {
    updateState(({ revealed }) => revealed.push(path));
  },
};

export const nativeTheme = {
  shouldUseDarkColors: false,
  set themeSource(theme: string) {
    updateState((now) => (now.theme = theme));
  },
};
export const net = { isOnline: (): boolean => registered.decisions['offline'] === undefined };
export const powerMonitor = new EventEmitter();
export const powerSaveBlocker = {
  start(): number {
    updateState(({ awake }) => {
      awake.active += 1;
      awake.total += 1;
    });
    return 1;
  },
  stop(): void {
    updateState(({ awake }) => (awake.active -= 1));
  },
};

const display = {
  id: 1,
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  workArea: { x: 0, y: 0, width: 1920, height: 1040 },
  scaleFactor: 1,
};
export const screen = { getPrimaryDisplay: () => display, getAllDisplays: () => [display] };

class Contents extends EventEmitter {
  readonly id = 1;
  loading = true;
  readonly setWindowOpenHandler = registerDecision('windowOpen');
  isDestroyed(): boolean {
    return false;
  }
  isLoading(): boolean {
    return this.loading;
  }
  send(channel: string, payload: unknown): void {
    send({ kind: 'event', channel, payload });
  }
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new Contents();
  bounds = { x: 0, y: 0, width: 0, height: 0 };
  hasFocus = false;
  constructor(options: { x?: number; y?: number; width: number; height: number }) {
    super();
    const { x = 0, y = 0, width, height } = options;
    this.bounds = { x, y, width, height };
    registered.window = this;
    updateState((now) => {
      now.windowOptions = options;
      now.windows += 1;
    });
    app.emit('web-contents-created', {}, this.webContents);
  }
  async loadURL(url: string): Promise<void> {
    const loaded = new Promise<string | null>((resolve) => (registered.loaded = resolve));
    send({ kind: 'load', url });
    const error = await loaded;
    if (error !== null) throw new Error(error);
    this.webContents.loading = false;
    this.webContents.emit('did-finish-load');
    this.emit('ready-to-show');
  }
  show(): void {
    this.hasFocus = true;
    updateState((now) => (now.visible = true));
  }
  hide(): void {
    this.hasFocus = false;
    updateState((now) => (now.visible = false));
  }
  focus(): void {
    this.hasFocus = true;
    updateState((now) => (now.focused += 1));
  }
  isFocused(): boolean {
    return this.hasFocus;
  }
  isVisible(): boolean {
    return state.visible;
  }
  isDestroyed(): boolean {
    return false;
  }
  isMinimized(): boolean {
    return state.minimised;
  }
  restore(): void {
    updateState((now) => (now.minimised = false));
  }
  isMaximized(): boolean {
    return state.maximised;
  }
  maximize(): void {
    updateState((now) => (now.maximised = true));
    this.emit('maximize');
  }
  isFullScreen(): boolean {
    return false;
  }
  getNormalBounds(): object {
    return this.bounds;
  }
  setProgressBar(progress: number): void {
    if (state.progress.at(-1) !== progress) updateState((now) => now.progress.push(progress));
  }
}

listen(registered, { app, powerMonitor, session: session.defaultSession });
