/** @file The options of every window: sandboxed, isolated, without Node. Needs no Electron. */
import type { WindowState } from './window-state.ts';

export const minWindowSize = { width: 640, height: 480 } as const;

export interface WindowSettings {
  preload: string;
  allowDevTools: boolean;
  windowState: WindowState;
  /** The background until the page is drawn. */
  isDark: boolean;
  icon: string;
}

/** Returns deeply frozen options, built only from the arguments, so that no window can have additional options. */
export function windowOptions({ preload, allowDevTools, windowState, isDark, icon }: WindowSettings) {
  const { bounds } = windowState;
  return Object.freeze({
    width: bounds.width,
    height: bounds.height,
    ...('x' in bounds ? { x: bounds.x, y: bounds.y } : {}),
    minWidth: minWindowSize.width,
    minHeight: minWindowSize.height,
    show: false,
    title: 'Packhorse',
    icon,
    backgroundColor: isDark ? '#171614' : '#f6f4f1',
    webPreferences: Object.freeze({
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: allowDevTools,
    }),
  });
}
