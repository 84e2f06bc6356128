/** @file Handles the test's requests to the fake Electron: the test plays Chromium or the user. */
import type { EventEmitter } from 'node:events';
import { updateState, state, send } from './desktop-state.ts';
import type { Frame, RequestName, Requests, ToDesktop } from './messages.ts';

type Callback = (...args: unknown[]) => unknown;

interface Clickable {
  id?: string;
  click?: () => void;
  submenu?: Clickable[];
}

/** The handlers that the program registered, and the objects that it created. */
export interface Registered {
  /** The handlers that allow or refuse something, by names that only these fakes use. */
  decisions: Record<string, Callback | undefined>;
  handlers: Map<string, Callback>;
  listeners: Map<string, Callback>;
  menus: { window: Clickable[]; tray: Clickable[] };
  /** The next results of file dialogs. */
  choices: (string | null)[];
  notifications: (EventEmitter & { readonly title: string })[];
  pages: ((request: Request | { method: string; url: string }) => Promise<Response>) | null;
  window:
    | (EventEmitter & {
        webContents: EventEmitter & { id: number };
        bounds: { x: number; y: number; width: number; height: number };
        hasFocus: boolean;
      })
    | null;
  tray: EventEmitter | null;
  /** Called when the requested page is loaded, with an error or null. */
  loaded: ((error: string | null) => void) | null;
  /** Servers that would get the user's Windows login; null means Chromium's default. */
  ntlm: string | null;
}

interface Emitters {
  app: EventEmitter;
  powerMonitor: EventEmitter;
  session: EventEmitter;
}

/** Returns whether a listener of `event` prevented it. */
function prevented(emitter: EventEmitter, event: string, details: object = {}, ...args: unknown[]): boolean {
  let isPrevented = false;
  const preventDefault = (): void => {
    isPrevented = true;
  };
  emitter.emit(event, { ...details, preventDefault }, ...args);
  return isPrevented;
}

function find(entries: readonly Clickable[], id: string): Clickable | undefined {
  for (const entry of entries) {
    const found = entry.id === id ? entry : find(entry.submenu ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Answers = { [Name in RequestName]: (ask: Requests[Name]['ask']) => unknown };

function answersOf(registered: Registered, { app, powerMonitor, session }: Emitters): Answers {
  const { decisions } = registered;
  const window = () => {
    if (registered.window === null) throw new Error('There is no window yet.');
    return registered.window;
  };
  /** Returns the result of a handler that reports through a callback. */
  const callbackResult = (name: string, ...args: unknown[]): unknown => {
    let result: unknown;
    decisions[name]?.(...args, (value: unknown) => {
      result = value;
    });
    return result;
  };
  /** Returns the choice of a listener, and whether it chose at all. */
  const chosen = (emitter: EventEmitter, event: string, ...args: unknown[]): unknown => {
    let choice: unknown = 'nothing was chosen';
    const isPrevented = prevented(emitter, event, {}, ...args, (value?: unknown) => {
      choice = value ?? null;
    });
    return isPrevented ? choice : 'not prevented';
  };
  const eventOf = ({ origin, nested, detached }: Frame): object => ({
    sender: window().webContents,
    senderFrame: { origin, parent: nested ? {} : null, detached },
  });

  return {
    async fetch({ method, url, navigation }) {
      if (navigation && prevented(window().webContents, 'will-navigate', { url })) return 'cancelled';
      const { cancel } = callbackResult('request', { url }) as { cancel: boolean };
      if (cancel || !url.startsWith('app:')) return 'cancelled';
      const response = await registered.pages?.({ method, url });
      if (response === undefined) throw new Error('The scheme is not handled.');
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      };
    },
    invoke({ channel, args, frame }) {
      const handler = registered.handlers.get(channel);
      if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
      return handler(eventOf(frame), ...args);
    },
    send({ channel, args, frame }) {
      registered.listeners.get(channel)?.(eventOf(frame), ...args);
      return null;
    },
    openWindow: ({ url }) => (decisions['windowOpen']?.({ url }) as { action: string }).action,
    decisions() {
      const elsewhere = { url: 'https://gitlab.example.com/' };
      const { webContents } = window();
      return {
        permissionRequest: callbackResult('permissionRequest', {}, 'media'),
        permissionCheck: decisions['permissionCheck']?.({}, 'media'),
        device: decisions['device']?.({}),
        bluetoothPairing: callbackResult('bluetoothPairing', {}),
        bluetoothDevice: chosen(webContents, 'select-bluetooth-device', []),
        usbDevice: chosen(session, 'select-usb-device', {}),
        hidDevice: chosen(session, 'select-hid-device', {}),
        serialPort: chosen(session, 'select-serial-port', [], {}),
        certificateError: chosen(app, 'certificate-error', {}, '', '', {}),
        clientCertificate: chosen(app, 'select-client-certificate', {}, '', []),
        login: prevented(app, 'login'),
        foreignRequest: callbackResult('request', elsewhere),
        ownRequest: callbackResult('request', { url: 'app://bundle/index.html' }),
        windowOpen: decisions['windowOpen']?.(elsewhere),
        navigate: prevented(webContents, 'will-navigate', elsewhere),
        frameNavigate: prevented(webContents, 'will-frame-navigate', elsewhere),
        redirect: prevented(webContents, 'will-redirect', elsewhere),
        webview: prevented(webContents, 'will-attach-webview'),
        download: prevented(session, 'will-download'),
        ntlm: registered.ntlm,
      };
    },
    clickMenu({ id, of }) {
      const entry = find(registered.menus[of], id);
      if (entry?.click === undefined) throw new Error(`There is no entry "${id}" to click.`);
      entry.click();
      return null;
    },
    clickTray() {
      registered.tray?.emit('click');
      return null;
    },
    clickNotification({ title }) {
      const notification = registered.notifications.find((shown) => shown.title === title);
      if (notification === undefined) throw new Error(`There is no notification "${title}".`);
      notification.emit('click');
      return null;
    },
    answerDialog({ button }) {
      const at = state.dialogs.findIndex(
        ({ response, buttons }) => response === null && buttons.includes(button),
      );
      const response = state.dialogs[at]?.buttons.indexOf(button);
      if (response === undefined) throw new Error(`No open dialog has the button "${button}".`);
      updateState(({ dialogs }) => {
        const dialog = dialogs[at];
        if (dialog !== undefined) dialog.response = response;
      });
      decisions[`dialog ${at}`]?.(response);
      return null;
    },
    setNextChoice({ path }) {
      registered.choices.push(path);
      return null;
    },
    closeWindow() {
      if (!prevented(window(), 'close')) throw new Error('The window was closed for good.');
      return null;
    },
    moveWindow(bounds) {
      window().bounds = bounds;
      window().emit('move');
      return null;
    },
    focus({ has }) {
      window().hasFocus = has;
      return null;
    },
    emit({ of, event }) {
      const emitters = { app, powerMonitor, window: window(), contents: window().webContents };
      return prevented(emitters[of], event);
    },
    online({ is }) {
      if (is) delete decisions['offline'];
      else decisions['offline'] = () => undefined;
      return null;
    },
  };
}

/** Handles requests of the test from now on. */
export function listen(registered: Registered, emitters: Emitters): void {
  const answers = answersOf(registered, emitters);
  process.on('message', (message: ToDesktop) => {
    if (message.kind === 'loaded') {
      registered.loaded?.(message.error);
      return;
    }
    const { id, name, request } = message;
    const answer = answers[name] as (ask: unknown) => unknown;
    new Promise((resolve) => {
      resolve(answer(request));
    }).then(
      (result) => {
        send({ kind: 'answer', id, answer: result });
      },
      (thrown: unknown) => {
        send({ kind: 'refused', id, message: thrown instanceof Error ? thrown.message : String(thrown) });
      },
    );
  });
}
