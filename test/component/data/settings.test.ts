import { expect, test, vi } from 'vitest';
import type { CallReply } from '../../../src-contract/calls.ts';
import { initialPreferences, type TableLayout } from '../../../src-contract/settings.ts';
import { settings } from '../../../src-renderer/data/settings.svelte.ts';
import { fails, scriptWindow } from '../support/window.ts';

const shown: CallReply<'settings.show'> = {
  preferences: initialPreferences,
  archiveRoot: '/archives',
  earlierRoots: [],
  dataFolder: '/data',
};
const dark = { ...shown, preferences: { ...initialPreferences, appearance: 'dark' as const } };
const layout: TableLayout = { columns: [{ id: 'a', width: 100, visible: true }], sort: null };

test('a change is shown at once', async () => {
  scriptWindow({ 'settings.show': shown, 'settings.change': dark });
  await settings.refresh();
  const change = settings.change({ preferences: { appearance: 'dark' } });
  expect(settings.preferences.appearance).toBe('dark');
  await change;
  expect(settings.preferences.appearance).toBe('dark');
});

test('a refused change is reverted', async () => {
  scriptWindow({ 'settings.show': shown, 'settings.change': fails('disk-denied') });
  await settings.refresh();
  const result = await settings.change({ preferences: { appearance: 'dark' } });
  expect(result).toMatchObject({ ok: false, error: { code: 'disk-denied' } });
  expect(settings.preferences.appearance).toBe('system');
});

test('a reply from before a change does not undo the change', async () => {
  let answer: ((value: CallReply<'settings.show'>) => void) | null = null;
  scriptWindow({ 'settings.show': shown, 'settings.change': dark });
  await settings.refresh();
  scriptWindow({
    'settings.show': () => new Promise((done) => (answer = done)),
    'settings.change': dark,
  });
  const refresh = settings.refresh();
  await settings.change({ preferences: { appearance: 'dark' } });
  (answer as ((value: CallReply<'settings.show'>) => void) | null)?.(shown);
  await refresh;
  expect(settings.preferences.appearance).toBe('dark');
});

test('nothing is stored over the settings before they are known', async () => {
  vi.useFakeTimers();
  try {
    const bridge = scriptWindow();
    settings.rememberLayout('projects', layout);
    await vi.advanceTimersByTimeAsync(5000);
    expect(bridge.asked('settings.change')).toEqual([]);
    expect(settings.layoutOf('projects')).toEqual(layout);
  } finally {
    vi.useRealTimers();
  }
});

test('the layout of a table is known at once, and is stored once however often it changes', async () => {
  const other = { ...initialPreferences, tables: { other: layout } };
  const bridge = scriptWindow({
    'settings.show': { ...shown, preferences: other },
    'settings.change': ({ preferences }) => ({
      ...shown,
      preferences: { ...other, tables: preferences?.tables ?? {} },
    }),
  });
  await settings.refresh();
  expect(settings.layoutOf('never seen')).toBeNull();
  for (let width = 100; width < 140; width += 1) {
    settings.rememberLayout('projects', { ...layout, columns: [{ id: 'a', width, visible: true }] });
  }
  expect(settings.layoutOf('projects')?.columns[0]?.width).toBe(139);
  await expect.poll(() => bridge.asked('settings.change').length).toBe(1);
  const stored = bridge.asked('settings.change')[0]?.preferences?.tables;
  expect(Object.keys(stored ?? {})).toEqual(['other', 'projects']);
  expect(stored?.['projects']?.columns[0]?.width).toBe(139);
});
