/** @file The content of the menus of the window and of the tray icon, as plain data. Needs no Electron. */
import type { HostCommand } from '../../../../src-contract/host.ts';
import { desktopTexts } from '../tray/desktop-texts.ts';

/** The part of Electron's `MenuItemConstructorOptions` that is used. */
export interface MenuEntry {
  id?: string;
  label?: string;
  accelerator?: string;
  enabled?: boolean;
  type?: 'separator';
  role?:
    | 'about'
    | 'editMenu'
    | 'hide'
    | 'hideOthers'
    | 'resetZoom'
    | 'services'
    | 'toggleDevTools'
    | 'togglefullscreen'
    | 'unhide'
    | 'windowMenu'
    | 'zoomIn'
    | 'zoomOut';
  submenu?: MenuEntry[];
  click?: () => void;
}

export interface MenuActions {
  /** Shows the window and runs the command in its page. */
  runCommand(command: HostCommand): void;
  showWindow(): void;
  quit(): void;
}

const views = [
  ['overview', 'view.overview'],
  ['projects', 'view.projects'],
  ['plans', 'view.plans'],
  ['migrations', 'view.migrations'],
  ['archives', 'view.archives'],
  ['import', 'view.import'],
  ['check', 'view.check'],
  ['activity', 'view.activity'],
  ['instances', 'view.instances'],
  ['tokens', 'view.tokens'],
] as const satisfies [keyof typeof desktopTexts.menu, HostCommand][];

/** Only nine digits are available, because 0 resets the zoom. */
const viewAccelerator = (index: number): string => (index < 9 ? `CmdOrCtrl+${index + 1}` : 'CmdOrCtrl+T');

const separator: MenuEntry = { type: 'separator' };

export function windowMenu(
  platform: NodeJS.Platform,
  allowDevTools: boolean,
  { runCommand, quit }: Pick<MenuActions, 'runCommand' | 'quit'>,
): MenuEntry[] {
  const mac = platform === 'darwin';
  const entry = (
    name: keyof typeof desktopTexts.menu,
    command: HostCommand,
    accelerator: string,
  ): MenuEntry => ({
    id: command,
    label: desktopTexts.menu[name],
    accelerator,
    click: () => {
      runCommand(command);
    },
  });
  const settings = entry('settings', 'view.settings', 'CmdOrCtrl+,');
  const quitEntry: MenuEntry = {
    id: 'quit',
    label: desktopTexts.menu.quit,
    accelerator: 'CmdOrCtrl+Q',
    click: quit,
  };
  const programMenu: MenuEntry = mac
    ? {
        label: desktopTexts.name,
        submenu: [
          { role: 'about' },
          separator,
          settings,
          separator,
          { role: 'services' },
          { role: 'hide' },
          { role: 'hideOthers' },
          { role: 'unhide' },
          separator,
          quitEntry,
        ],
      }
    : { label: desktopTexts.menu.file, submenu: [settings, separator, quitEntry] };
  return [
    programMenu,
    { role: 'editMenu' },
    {
      label: desktopTexts.menu.view,
      submenu: [
        entry('palette', 'palette', 'CmdOrCtrl+K'),
        separator,
        ...views.map(([name, command], index) => entry(name, command, viewAccelerator(index))),
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(allowDevTools ? [separator, { role: 'toggleDevTools' } satisfies MenuEntry] : []),
      ],
    },
    { role: 'windowMenu' },
    ...(mac ? [] : [{ label: desktopTexts.menu.help, submenu: [{ role: 'about' } satisfies MenuEntry] }]),
  ];
}

export function trayMenu(
  activity: string,
  { showWindow, quit }: Pick<MenuActions, 'showWindow' | 'quit'>,
): MenuEntry[] {
  return [
    { id: 'open', label: desktopTexts.tray.open, click: showWindow },
    { id: 'activity', label: activity, enabled: false },
    separator,
    { id: 'quit', label: desktopTexts.tray.quit, click: quit },
  ];
}
