/**
 * @file The types of messages between a test and the process of the desktop host with the fake Electron. The test plays
 * Chromium and the user; the process plays Electron. Node's channel clones messages like Electron's.
 */

/** A menu of the program; entries with `click` can be clicked by their `id`. */
export interface MenuShown {
  id?: string;
  label?: string;
  role?: string;
  accelerator?: string;
  enabled?: boolean;
  submenu?: MenuShown[];
}

/** Everything that the program did with the system so far. The state is sent again after every change. */
export interface DesktopState {
  /** Whether the sandbox was switched on before the first window. */
  sandbox: boolean;
  schemes: unknown;
  paths: Record<string, string>;
  spellChecker: boolean | null;
  channels: string[];
  windowOptions: unknown;
  windows: number;
  visible: boolean;
  maximised: boolean;
  minimised: boolean;
  /** How often the window was brought to the front. */
  focused: number;
  /** Every value that the program set on the taskbar. */
  progress: number[];
  menu: MenuShown[];
  tray: { toolTip: string; menu: MenuShown[] } | null;
  notifications: { title: string; body: string }[];
  /** Number of active blockers of the system's sleep, and of all so far. */
  awake: { active: number; total: number };
  /** Message boxes, with the index of the chosen button; null while a box is open. */
  dialogs: { message: string; detail: string; buttons: string[]; response: number | null }[];
  errorBox: string | null;
  /** The text that the program copied to the clipboard. */
  clipboard: string | null;
  openedLinks: string[];
  revealed: string[];
  loginItem: unknown;
  theme: string;
}

export interface Frame {
  origin: string;
  /** True for a frame inside another one. */
  nested: boolean;
  detached: boolean;
}

/** The requests of the test; each gets one reply. */
export interface Requests {
  /** A request of Chromium; a navigation of the page first asks for permission. */
  fetch: {
    ask: { method: string; url: string; navigation: boolean };
    answer: { status: number; headers: Record<string, string>; body: Buffer } | 'cancelled';
  };
  invoke: { ask: { channel: string; args: unknown[]; frame: Frame }; answer: unknown };
  send: { ask: { channel: string; args: unknown[]; frame: Frame }; answer: null };
  openWindow: { ask: { url: string }; answer: string };
  /** The decisions of the guards about permissions that Chromium would ask for. */
  decisions: { ask: null; answer: Record<string, unknown> };
  clickMenu: { ask: { id: string; of: 'window' | 'tray' }; answer: null };
  clickTray: { ask: null; answer: null };
  clickNotification: { ask: { title: string }; answer: null };
  answerDialog: { ask: { button: string }; answer: null };
  /** Sets the result of the next file dialog. */
  setNextChoice: { ask: { path: string | null }; answer: null };
  closeWindow: { ask: null; answer: null };
  moveWindow: { ask: { x: number; y: number; width: number; height: number }; answer: null };
  /** Whether the window has the keyboard. */
  focus: { ask: { has: boolean }; answer: null };
  emit: { ask: { of: 'app' | 'powerMonitor' | 'window' | 'contents'; event: string }; answer: boolean };
  online: { ask: { is: boolean }; answer: null };
}
export type RequestName = keyof Requests;

export type ToDesktop =
  | { kind: 'ask'; id: number; name: RequestName; request: unknown }
  /** The requested page is loaded, or has failed. */
  | { kind: 'loaded'; error: string | null };

export type FromDesktop =
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'refused'; id: number; message: string }
  | { kind: 'load'; url: string }
  | { kind: 'event'; channel: string; payload: unknown }
  | { kind: 'state'; state: DesktopState };
