import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  displayLayoutKey,
  windowStateOn,
  WindowStateFile,
  type Display,
  type Rectangle,
} from '../../../../../src-main/hosts/desktop/window/window-state.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const display = (bounds: Rectangle, scaleFactor = 1): Display => ({
  bounds,
  workArea: { ...bounds, y: bounds.y + 30, height: bounds.height - 30 },
  scaleFactor,
});
const laptop = display({ x: 0, y: 0, width: 1440, height: 900 }, 2);
const desk = display({ x: 1440, y: -180, width: 2560, height: 1440 });
const at = (x: number, y: number, width = 1000, height = 700): Rectangle => ({ x, y, width, height });
const remembered = (bounds: Rectangle, maximised = false) => ({ layout: '', bounds, maximised });

describe('a remembered window', () => {
  test.each([
    ['in the middle', at(100, 100)],
    ['half outside to the left', at(-600, 100)],
    ['on the second display', at(2000, 0)],
    ['across both displays', at(1000, 100)],
    ['deep at the bottom, with its title bar still visible', at(100, 850)],
  ])('%s is restored there', (_where, bounds) => {
    expect(windowStateOn([laptop, desk], remembered(bounds))).toEqual({ bounds, maximised: false });
  });

  test.each([
    ['on a display that is no longer connected', at(2000, 0)],
    ['beyond the left edge', at(-990, 100)],
    ['below everything', at(100, 5000)],
    ['with its title bar above the screen', at(100, -100)],
    ['with its title bar under the panel', at(100, -15)],
    ['with its title bar below the work area', at(100, 895)],
  ])('%s keeps its size, and the system chooses a position where it can be reached', (_where, bounds) => {
    expect(windowStateOn([laptop], remembered(bounds))).toEqual({
      bounds: { width: 1000, height: 700 },
      maximised: false,
    });
  });

  test('is never larger than the work area of the display', () => {
    expect(windowStateOn([laptop], remembered(at(0, 40, 4000, 3000)))).toEqual({
      bounds: { x: 0, y: 40, width: 1440, height: 870 },
      maximised: false,
    });
  });

  test('that was maximised is maximised again', () => {
    expect(windowStateOn([laptop], remembered(at(100, 100), true)).maximised).toBe(true);
  });
});

test('a window without a remembered position fits the main display, even a small one', () => {
  expect(windowStateOn([laptop], null)).toEqual({ bounds: { width: 1100, height: 760 }, maximised: false });
  const small = display({ x: 0, y: 0, width: 800, height: 600 });
  expect(windowStateOn([small], null).bounds).toEqual({ width: 800, height: 570 });
  expect(windowStateOn([], null).bounds).toEqual({ width: 1100, height: 760 });
});

test('a display layout is recognised in any order of its displays, but not after a change', () => {
  expect(displayLayoutKey([laptop, desk])).toBe(displayLayoutKey([desk, laptop]));
  expect(displayLayoutKey([laptop, desk])).not.toBe(displayLayoutKey([laptop]));
  expect(displayLayoutKey([laptop])).not.toBe(displayLayoutKey([{ ...laptop, scaleFactor: 1 }]));
});

describe('window.json', () => {
  let path: string;
  let file: WindowStateFile;
  beforeEach(() => {
    path = join(temporaryFolder(), 'window.json');
    file = new WindowStateFile(path);
  });

  test('stores one window position for each display layout', () => {
    file.save([laptop], at(10, 40), false);
    file.save([laptop, desk], at(1500, 40), true);
    expect(file.read([laptop])).toEqual({ bounds: at(10, 40), maximised: false });
    expect(file.read([desk, laptop])).toEqual({ bounds: at(1500, 40), maximised: true });
    file.save([laptop], at(20, 50), false);
    expect(file.read([laptop]).bounds).toEqual(at(20, 50));
  });

  test('stores the eight latest display layouts', () => {
    const layouts = Array.from({ length: 9 }, (_, n) => [
      display({ x: 0, y: 0, width: 1400 + n, height: 900 }),
    ]);
    for (const displays of layouts) file.save(displays, at(10, 40), false);
    const places = (JSON.parse(readFileSync(path, 'utf8')) as { places: unknown[] }).places;
    expect(places).toHaveLength(8);
    expect(file.read(layouts[0] ?? [])).toEqual({
      bounds: { width: 1100, height: 760 },
      maximised: false,
    });
    expect(file.read(layouts[8] ?? []).bounds).toEqual(at(10, 40));
  });

  test.each([
    'not json',
    '{}',
    '{"schemaVersion":2,"places":[]}',
    '{"schemaVersion":1,"places":[{"layout":"","bounds":{"x":0.5,"y":0,"width":-1,"height":1e9},"maximised":1}]}',
  ])('with the content %s is ignored, and is replaced at the next move', (text) => {
    writeFileSync(path, text);
    expect(file.read([laptop]).bounds).toEqual({ width: 1100, height: 760 });
    file.save([laptop], at(10, 40), false);
    expect(file.read([laptop]).bounds).toEqual(at(10, 40));
  });

  test('that cannot be written causes no error, and the window gets its default size', () => {
    const unwritable = new WindowStateFile('/proc/nowhere/window.json');
    unwritable.save([laptop], at(10, 40), false);
    expect(unwritable.read([laptop]).bounds).toEqual({ width: 1100, height: 760 });
  });

  test('does not store a position that a window cannot have', () => {
    file.save([laptop], at(10, 40), false);
    file.save([laptop], { x: NaN, y: 0, width: 0, height: 700 }, false);
    expect(file.read([laptop]).bounds).toEqual(at(10, 40));
  });
});
