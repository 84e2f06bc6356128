import { describe, expect, test } from 'vitest';
import { trayMenu, windowMenu, type MenuEntry } from '../../../../../src-main/hosts/desktop/window/menu.ts';
import { hostCommands } from '../../../../../src-contract/host.ts';

const flat = (entries: readonly MenuEntry[]): MenuEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.submenu ?? [])]);

function menu(platform: NodeJS.Platform, developer = false) {
  const calls: string[] = [];
  const entries = flat(
    windowMenu(platform, developer, {
      runCommand: (command) => calls.push(command),
      quit: () => calls.push('quit'),
    }),
  );
  return { entries, calls };
}

describe.each(['linux', 'win32', 'darwin'] as const)('on %s', (platform) => {
  test('every view, the palette and the quit command are in the menu, each with its own key', () => {
    const { entries, calls } = menu(platform);
    for (const { click } of entries) click?.();
    const commands = [...hostCommands];
    expect(calls.toSorted()).toEqual([...commands, 'quit'].toSorted());
    const keys = entries.flatMap(({ accelerator }) => accelerator ?? []);
    expect(keys).toHaveLength(commands.length + 1);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('the commands to copy, paste, zoom and arrange windows have the roles of the system', () => {
    const roles = menu(platform).entries.flatMap(({ role }) => role ?? []);
    expect(roles).toEqual(
      expect.arrayContaining(['editMenu', 'windowMenu', 'resetZoom', 'zoomIn', 'zoomOut', 'about']),
    );
  });

  test('only developers have the developer tools', () => {
    const roles = (developer: boolean) => menu(platform, developer).entries.map(({ role }) => role);
    expect(roles(false)).not.toContain('toggleDevTools');
    expect(roles(true)).toContain('toggleDevTools');
  });
});

test('the palette and the settings have their usual keys', () => {
  const key = (id: string) => menu('linux').entries.find((entry) => entry.id === id)?.accelerator;
  expect(key('palette')).toBe('CmdOrCtrl+K');
  expect(key('view.settings')).toBe('CmdOrCtrl+,');
});

test('the tray opens the window, shows the activity and quits', () => {
  const calls: string[] = [];
  const entries = trayMenu('Backing up a/b', {
    showWindow: () => calls.push('open'),
    quit: () => calls.push('quit'),
  });
  for (const { click } of entries) click?.();
  expect(calls).toEqual(['open', 'quit']);
  expect(entries).toContainEqual({ id: 'activity', label: 'Backing up a/b', enabled: false });
});
