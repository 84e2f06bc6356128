/**
 * @file What goes between a test and the process in which the desktop host runs with the stand-in for Electron: the test
 * plays Chromium and the person, the process plays Electron. Types only. Sent over Node's channel, which clones as
 * Electron's does.
 */

/** A menu as it was built; entries with `click` can be clicked by their `id`. */
export interface MenuShown {
  id?: string;
  label?: string;
  role?: string;
  accelerator?: string;
  enabled?: boolean;
  submenu?: MenuShown[];
}

/** What the program did with the system so far; sent again whenever something changes. */
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
  /** Every value that the taskbar was given. */
  progress: number[];
  menu: MenuShown[];
  tray: { toolTip: string; menu: MenuShown[] } | null;
  notifications: { title: string; body: string }[];
  /** Blockers of the system's sleep that are held, and how many there have been. */
  awake: { held: number; ever: number };
  /** Message boxes, with the index of the chosen button once there is one. */
  dialogs: { message: string; detail: string; buttons: string[]; response: number | null }[];
  errorBox: string | null;
  /** What the program put there. */
  clipboard: string | null;
  openedLinks: string[];
  revealed: string[];
  loginItem: unknown;
  theme: string;
}

export interface Frame {
  origin: string;
  /** Whether it is inside another one. */
  nested: boolean;
  detached: boolean;
}

/** What the test can ask; each is answered once. */
export interface Requests {
  /** As Chromium asks for anything; a navigation of the page first asks whether it may. */
  fetch: {
    ask: { method: string; url: string; navigation: boolean };
    answer: { status: number; headers: Record<string, string>; body: Buffer } | 'cancelled';
  };
  invoke: { ask: { channel: string; args: unknown[]; frame: Frame }; answer: unknown };
  send: { ask: { channel: string; args: unknown[]; frame: Frame }; answer: null };
  openWindow: { ask: { url: string }; answer: string };
  /** What the guards decide about things that Chromium would ask. */
  decisions: { ask: null; answer: Record<string, unknown> };
  clickMenu: { ask: { id: string; of: 'window' | 'tray' }; answer: null };
  clickTray: { ask: null; answer: null };
  clickNotification: { ask: { title: string }; answer: null };
  answerDialog: { ask: { button: string }; answer: null };
  /** What the next dialog for a file answers. */
  planChoice: { ask: { path: string | null }; answer: null };
  closeWindow: { ask: null; answer: null };
  moveWindow: { ask: { x: number; y: number; width: number; height: number }; answer: null };
  /** Whether the window has the keyboard. */
  focus: { ask: { has: boolean }; answer: null };
  emit: { ask: { of: 'app' | 'powerMonitor' | 'window' | 'contents'; event: string }; answer: boolean };
  online: { ask: { is: boolean }; answer: null };
}
export type RequestName = keyof Requests;

export type ToDesktop =
  | { kind: 'ask'; id: number; name: RequestName; ask: unknown }
  /** The page that was to be loaded stands, or not. */
  | { kind: 'loaded'; error: string | null };

export type FromDesktop =
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'refused'; id: number; message: string }
  | { kind: 'load'; url: string }
  | { kind: 'event'; channel: string; payload: unknown }
  | { kind: 'state'; state: DesktopState };
