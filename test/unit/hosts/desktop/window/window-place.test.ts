import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  layoutOf,
  placeAmong,
  PlaceFile,
  type Display,
  type Rectangle,
} from '../../../../../src-main/hosts/desktop/window/window-place.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const display = (bounds: Rectangle, scaleFactor = 1): Display => ({
  bounds,
  workArea: { ...bounds, y: bounds.y + 30, height: bounds.height - 30 },
  scaleFactor,
});
const laptop = display({ x: 0, y: 0, width: 1440, height: 900 }, 2);
const desk = display({ x: 1440, y: -180, width: 2560, height: 1440 });
const at = (x: number, y: number, width = 1000, height = 700): Rectangle => ({ x, y, width, height });
const kept = (bounds: Rectangle, maximised = false) => ({ layout: '', bounds, maximised });

describe('a remembered window', () => {
  test.each([
    ['in the middle', at(100, 100)],
    ['half outside to the left', at(-600, 100)],
    ['on the second display', at(2000, 0)],
    ['across both', at(1000, 100)],
    ['deep at the bottom, its strip still in sight', at(100, 850)],
  ])('%s is put there again', (_where, bounds) => {
    expect(placeAmong([laptop, desk], kept(bounds))).toEqual({ bounds, maximised: false });
  });

  test.each([
    ['on a display that is gone', at(2000, 0)],
    ['beyond the left edge', at(-990, 100)],
    ['below everything', at(100, 5000)],
    ['with its strip above the screen', at(100, -100)],
    ['with its strip under the panel', at(100, -15)],
    ['with its strip below the work area', at(100, 895)],
  ])('%s keeps its size, and the system puts it where it can be reached', (_where, bounds) => {
    expect(placeAmong([laptop], kept(bounds))).toEqual({
      bounds: { width: 1000, height: 700 },
      maximised: false,
    });
  });

  test('is never larger than the display has room', () => {
    expect(placeAmong([laptop], kept(at(0, 40, 4000, 3000)))).toEqual({
      bounds: { x: 0, y: 40, width: 1440, height: 870 },
      maximised: false,
    });
  });

  test('that was maximised is maximised again', () => {
    expect(placeAmong([laptop], kept(at(100, 100), true)).maximised).toBe(true);
  });
});

test('a window without a memory fits the main display, also a small one', () => {
  expect(placeAmong([laptop], null)).toEqual({ bounds: { width: 1100, height: 760 }, maximised: false });
  const small = display({ x: 0, y: 0, width: 800, height: 600 });
  expect(placeAmong([small], null).bounds).toEqual({ width: 800, height: 570 });
  expect(placeAmong([], null).bounds).toEqual({ width: 1100, height: 760 });
});

test('a layout is recognised in any order of its displays, but not after a change', () => {
  expect(layoutOf([laptop, desk])).toBe(layoutOf([desk, laptop]));
  expect(layoutOf([laptop, desk])).not.toBe(layoutOf([laptop]));
  expect(layoutOf([laptop])).not.toBe(layoutOf([{ ...laptop, scaleFactor: 1 }]));
});

describe('window.json', () => {
  let path: string;
  let file: PlaceFile;
  beforeEach(() => {
    path = join(temporaryFolder(), 'window.json');
    file = new PlaceFile(path);
  });

  test('keeps one place per layout', () => {
    file.keep([laptop], at(10, 40), false);
    file.keep([laptop, desk], at(1500, 40), true);
    expect(file.place([laptop])).toEqual({ bounds: at(10, 40), maximised: false });
    expect(file.place([desk, laptop])).toEqual({ bounds: at(1500, 40), maximised: true });
    file.keep([laptop], at(20, 50), false);
    expect(file.place([laptop]).bounds).toEqual(at(20, 50));
  });

  test('keeps the eight latest layouts', () => {
    const layouts = Array.from({ length: 9 }, (_, n) => [
      display({ x: 0, y: 0, width: 1400 + n, height: 900 }),
    ]);
    for (const displays of layouts) file.keep(displays, at(10, 40), false);
    const places = (JSON.parse(readFileSync(path, 'utf8')) as { places: unknown[] }).places;
    expect(places).toHaveLength(8);
    expect(file.place(layouts[0] ?? [])).toEqual({
      bounds: { width: 1100, height: 760 },
      maximised: false,
    });
    expect(file.place(layouts[8] ?? []).bounds).toEqual(at(10, 40));
  });

  test.each([
    'not json',
    '{}',
    '{"schemaVersion":2,"places":[]}',
    '{"schemaVersion":1,"places":[{"layout":"","bounds":{"x":0.5,"y":0,"width":-1,"height":1e9},"maximised":1}]}',
  ])('%s counts as nothing, and is replaced at the next move', (text) => {
    writeFileSync(path, text);
    expect(file.place([laptop]).bounds).toEqual({ width: 1100, height: 760 });
    file.keep([laptop], at(10, 40), false);
    expect(file.place([laptop]).bounds).toEqual(at(10, 40));
  });

  test('that cannot be written costs nothing else', () => {
    const nowhere = new PlaceFile('/proc/nowhere/window.json');
    nowhere.keep([laptop], at(10, 40), false);
    expect(nowhere.place([laptop]).bounds).toEqual({ width: 1100, height: 760 });
  });

  test('takes no place that a window cannot have', () => {
    file.keep([laptop], at(10, 40), false);
    file.keep([laptop], { x: NaN, y: 0, width: 0, height: 700 }, false);
    expect(file.place([laptop]).bounds).toEqual(at(10, 40));
  });
});
