/** @file The icon in the tray: opens the window, shows the activity, and ends the program. */
import { join } from 'node:path';
import { Menu, Tray } from 'electron';
import { resourcesFolder } from '../../../platform/paths.ts';
import { trayMenu, type MenuActions } from '../window/menu.ts';
import { desktopTexts } from './desktop-texts.ts';

export interface TrayIcon {
  /** Shows one line about the running work. */
  show(activity: string): void;
}

export function makeTray(activity: string, actions: Pick<MenuActions, 'showWindow' | 'quit'>): TrayIcon {
  // macOS colours a template image to match its menu bar.
  const picture = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
  const tray = new Tray(join(resourcesFolder, picture));
  let shownLine = '';
  const show = (line: string): void => {
    if (line === shownLine) return;
    shownLine = line;
    tray.setToolTip(`${desktopTexts.name}: ${line}`);
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(line, actions)));
  };
  // On macOS a click opens the menu.
  if (process.platform !== 'darwin') tray.on('click', actions.showWindow);
  show(activity);
  return { show };
}
