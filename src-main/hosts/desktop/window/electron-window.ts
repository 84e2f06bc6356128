/** @file The one window: its place, showing and hiding it, and reloading a page that crashed. */
import { BrowserWindow, screen, type BrowserWindow as Window } from 'electron';
import type { Clock } from '../../../platform/clock.ts';
import { pageUrl } from '../bundle.ts';
import { windowOptions, type WindowSettings } from './window-options.ts';
import type { Display, WindowStateFile } from './window-state.ts';

export interface DesktopWindowOptions extends Omit<WindowSettings, 'windowState'> {
  places: WindowStateFile;
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
  /** Hides the window at once and for good; its place is saved. */
  hideForQuit: () => void;
}

/** Moving a window emits many events. Only the last place is written, after this time without another event. */
const settleMs = 500;
/** A page that crashes again within this time is not reloaded. */
const relapseMs = 60_000;

function displays(): Display[] {
  const main = screen.getPrimaryDisplay();
  return [main, ...screen.getAllDisplays().filter(({ id }) => id !== main.id)];
}

export function makeWindow({
  places,
  clock,
  onClose,
  onFailure,
  ...wish
}: DesktopWindowOptions): DesktopWindow {
  const place = places.read(displays());
  const window = new BrowserWindow(windowOptions({ ...wish, windowState: place }));
  if (place.maximised) window.maximize();

  const keep = (): void => {
    if (!window.isDestroyed()) places.save(displays(), window.getNormalBounds(), window.isMaximized());
  };
  let cancelKeeping = (): void => undefined;
  const keepSoon = (): void => {
    cancelKeeping();
    cancelKeeping = clock.timer(settleMs, keep);
  };
  window.on('move', keepSoon);
  window.on('resize', keepSoon);
  window.on('maximize', keepSoon);
  window.on('unmaximize', keepSoon);
  window.on('close', (event) => {
    event.preventDefault();
    onClose();
  });

  let diedAt: number | null = null;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    const now = clock.monotonic();
    if (diedAt !== null && now - diedAt < relapseMs) onFailure();
    else window.webContents.reload();
    diedAt = now;
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
      cancelKeeping();
      keep();
      window.hide();
    },
  };
}
