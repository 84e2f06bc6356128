import { describe, expect, test } from 'vitest';
import { trayMenu, windowMenu, type MenuEntry } from '../../../../../src-main/hosts/desktop/window/menu.ts';
import { hostCommands } from '../../../../../src-contract/host.ts';

const flat = (entries: readonly MenuEntry[]): MenuEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.submenu ?? [])]);

function menu(platform: NodeJS.Platform, developer = false) {
  const happened: string[] = [];
  const entries = flat(
    windowMenu(platform, developer, {
      runCommand: (command) => happened.push(command),
      quit: () => happened.push('quit'),
    }),
  );
  return { entries, happened };
}

describe.each(['linux', 'win32', 'darwin'] as const)('on %s', (platform) => {
  test('every view and the palette are in the menu, each with a key of its own', () => {
    const { entries, happened } = menu(platform);
    for (const { click } of entries) click?.();
    const commands = [...hostCommands];
    expect(happened.toSorted()).toEqual([...commands, 'quit'].toSorted());
    const keys = entries.flatMap(({ accelerator }) => accelerator ?? []);
    expect(keys).toHaveLength(commands.length + 1);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('copying, pasting, zooming and the window are as the system has them', () => {
    const roles = menu(platform).entries.flatMap(({ role }) => role ?? []);
    expect(roles).toEqual(
      expect.arrayContaining(['editMenu', 'windowMenu', 'resetZoom', 'zoomIn', 'zoomOut', 'about']),
    );
  });

  test('developer tools are for developers', () => {
    const roles = (developer: boolean) => menu(platform, developer).entries.map(({ role }) => role);
    expect(roles(false)).not.toContain('toggleDevTools');
    expect(roles(true)).toContain('toggleDevTools');
  });
});

test('the palette and the settings have the keys that people know', () => {
  const key = (id: string) => menu('linux').entries.find((entry) => entry.id === id)?.accelerator;
  expect(key('palette')).toBe('CmdOrCtrl+K');
  expect(key('view.settings')).toBe('CmdOrCtrl+,');
});

test('the tray opens the window, shows the activity and quits', () => {
  const happened: string[] = [];
  const entries = trayMenu('Backing up a/b', {
    open: () => happened.push('open'),
    quit: () => happened.push('quit'),
  });
  for (const { click } of entries) click?.();
  expect(happened).toEqual(['open', 'quit']);
  expect(entries).toContainEqual({ id: 'activity', label: 'Backing up a/b', enabled: false });
});
