/** @file The only window: its position and size, showing and hiding it, and reloading a page that crashed. */
import { BrowserWindow, screen, type BrowserWindow as Window } from 'electron';
import type { Clock } from '../../../platform/clock.ts';
import { pageUrl } from '../bundle.ts';
import { windowOptions, type WindowSettings } from './window-options.ts';
import type { Display, WindowStateFile } from './window-state.ts';

export interface DesktopWindowOptions extends Omit<WindowSettings, 'windowState'> {
  stateFile: WindowStateFile;
  clock: Clock;
  onClose: () => void;
  onFailure: () => void;
}

export interface DesktopWindow {
  window: Window;
  /** Loads the page and shows the window once it is drawn, unless `hidden`. */
  load(hidden: boolean): Promise<void>;
  show: () => void;
  hide: () => void;
  /** Saves the position and hides the window at once, until the program quits. */
  hideForQuit: () => void;
}

/** Moving a window emits many events. Its position is saved once no event has followed for this time. */
const saveDebounceMs = 500;
/** A page that crashes again within this time is not reloaded. */
const minCrashIntervalMs = 60_000;

function displays(): Display[] {
  const primary = screen.getPrimaryDisplay();
  return [primary, ...screen.getAllDisplays().filter(({ id }) => id !== primary.id)];
}

export function makeWindow({
  stateFile,
  clock,
  onClose,
  onFailure,
  ...settings
}: DesktopWindowOptions): DesktopWindow {
  const state = stateFile.read(displays());
  const window = new BrowserWindow(windowOptions({ ...settings, windowState: state }));
  if (state.maximised) window.maximize();

  const saveState = (): void => {
    if (!window.isDestroyed()) stateFile.save(displays(), window.getNormalBounds(), window.isMaximized());
  };
  let cancelSave = (): void => undefined;
  const scheduleSave = (): void => {
    cancelSave();
    cancelSave = clock.timer(saveDebounceMs, saveState);
  };
  window.on('move', scheduleSave);
  window.on('resize', scheduleSave);
  window.on('maximize', scheduleSave);
  window.on('unmaximize', scheduleSave);
  window.on('close', (event) => {
    event.preventDefault();
    onClose();
  });

  let crashedAt: number | null = null;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    const now = clock.monotonic();
    if (crashedAt !== null && now - crashedAt < minCrashIntervalMs) onFailure();
    else window.webContents.reload();
    crashedAt = now;
  });

  const show = (): void => {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  return {
    window,
    async load(hidden) {
      if (!hidden) window.once('ready-to-show', show);
      await window.loadURL(pageUrl);
    },
    show,
    hide() {
      // On macOS, hiding a full-screen window leaves a black screen.
      if (window.isFullScreen()) {
        window.once('leave-full-screen', () => {
          window.hide();
        });
        window.setFullScreen(false);
      } else window.hide();
    },
    hideForQuit() {
      cancelSave();
      saveState();
      window.hide();
    },
  };
}
