/** @file The place of the window for each layout of displays, in `window.json`. Needs no Electron. */
import { readFileSync } from 'node:fs';
import { z } from '../../../../src-contract/schema.ts';
import { replaceFileSync } from '../../../platform/disk/durable-file.ts';

/** A rectangle in Electron's screen coordinates. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The part of Electron's `Display` that matters; `workArea` excludes panels. */
export interface Display {
  readonly bounds: Rectangle;
  readonly workArea: Rectangle;
  readonly scaleFactor: number;
}

/** Without `x` and `y`, the system chooses the position. */
export interface WindowState {
  bounds: Rectangle | { width: number; height: number };
  maximised: boolean;
}

const coordinateSchema = z.number().int().min(-100_000).max(100_000);
const size = z.number().int().min(1).max(100_000);
const placeSchema = z.object({
  layout: z.string().max(2000),
  bounds: z.object({ x: coordinateSchema, y: coordinateSchema, width: size, height: size }),
  maximised: z.boolean(),
});
const fileSchema = z.object({ schemaVersion: z.literal(1), places: z.array(placeSchema) });
type Places = z.infer<typeof fileSchema>['places'];

/** Maximum number of stored layouts, the latest last. A laptop may be used at a desk, in a meeting room, and without an external display. */
const maxStoredLayouts = 8;
const defaultSize = { width: 1100, height: 760 };
/** Height of the title bar, by which a window is dragged, and the width of it that must be visible. */
const titleBar = { height: 40, visible: 120 };

/** Returns the same text for the same displays in the same places, in any order. */
export function displayLayoutKey(displays: readonly Display[]): string {
  return displays
    .map(({ bounds: { x, y, width, height }, scaleFactor }) => `${x},${y},${width}x${height}@${scaleFactor}`)
    .sort()
    .join(' ');
}

/** Returns the place of the window. The first display is the main one; `stored` is the stored place. */
export function windowStateOn(displays: readonly Display[], stored: Places[number] | null): WindowState {
  const fitToDisplay = ({ width, height }: { width: number; height: number }, { workArea }: Display) => ({
    width: Math.min(width, workArea.width),
    height: Math.min(height, workArea.height),
  });
  const previousDisplay =
    stored === null ? undefined : displays.find((display) => canBeReached(stored.bounds, display));
  if (stored !== null && previousDisplay !== undefined) {
    const { x, y } = stored.bounds;
    return { bounds: { x, y, ...fitToDisplay(stored.bounds, previousDisplay) }, maximised: stored.maximised };
  }
  const [main] = displays;
  return {
    bounds: main === undefined ? defaultSize : fitToDisplay(stored?.bounds ?? defaultSize, main),
    maximised: stored?.maximised ?? false,
  };
}

function canBeReached(bounds: Rectangle, { workArea }: Display): boolean {
  const overlap = (start: number, length: number, from: number, room: number): number =>
    Math.min(start + length, from + room) - Math.max(start, from);
  const visibleWidth = overlap(bounds.x, bounds.width, workArea.x, workArea.width);
  const visibleHeight = overlap(bounds.y, titleBar.height, workArea.y, workArea.height);
  return visibleWidth >= Math.min(titleBar.visible, bounds.width) && visibleHeight >= titleBar.height / 2;
}

/**
 * Reads and writes `window.json` in the data folder. A file that cannot be read or written is ignored, because it is
 * only a convenience.
 */
export class WindowStateFile {
  readonly #path: string;
  constructor(path: string) {
    this.#path = path;
  }

  #read(): Places {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8'))).places;
    } catch {
      return [];
    }
  }

  read(displays: readonly Display[]): WindowState {
    const layout = displayLayoutKey(displays);
    return windowStateOn(displays, this.#read().find((kept) => kept.layout === layout) ?? null);
  }

  save(displays: readonly Display[], bounds: Rectangle, maximised: boolean): void {
    const layout = displayLayoutKey(displays);
    const { x, y, width, height } = bounds;
    const others = this.#read().filter((kept) => kept.layout !== layout);
    const places = [...others, { layout, bounds: { x, y, width, height }, maximised }].slice(
      -maxStoredLayouts,
    );
    try {
      const file = fileSchema.parse({ schemaVersion: 1, places });
      replaceFileSync(this.#path, `${JSON.stringify(file, null, 2)}\n`);
    } catch {
      // The window then opens at its previous stored place.
    }
  }
}
