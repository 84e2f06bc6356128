/**
 * @file Records what the program did with the system, in the process of the fake Electron, and sends every change to
 * the test.
 */
import type { DesktopState, FromDesktop } from './messages.ts';

export const state: DesktopState = {
  sandbox: false,
  schemes: null,
  paths: {},
  spellChecker: null,
  channels: [],
  windowOptions: null,
  windows: 0,
  visible: false,
  maximised: false,
  minimised: false,
  focused: 0,
  progress: [],
  menu: [],
  tray: null,
  notifications: [],
  awake: { active: 0, total: 0 },
  dialogs: [],
  errorBox: null,
  clipboard: null,
  openedLinks: [],
  revealed: [],
  loginItem: null,
  theme: 'system',
};

export function send(message: FromDesktop): void {
  // A test that has ended needs no updates.
  if (process.connected) process.send?.(message, () => undefined);
}

let isUpdateQueued = false;

/** Changes the state and sends it to the test, once for all changes made together. */
export function updateState(change: (state: DesktopState) => void): void {
  change(state);
  if (isUpdateQueued) return;
  isUpdateQueued = true;
  queueMicrotask(() => {
    isUpdateQueued = false;
    send({ kind: 'state', state });
  });
}
