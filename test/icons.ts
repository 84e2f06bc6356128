/**
 * @file Draws the pictures in `resources/` from their SVG sources: `npx node test/icons.ts`. Run it when a source changes,
 * and review the pictures.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from './support/browser/chromium.ts';

const resources = join(import.meta.dirname, '../resources');

/** macOS takes the shape of a template and chooses the colour itself. */
const pictures: readonly (readonly [source: string, size: number, name: string, ink?: string])[] = [
  ['icon.svg', 1024, 'icon.png'],
  ['tray.svg', 32, 'tray.png'],
  ['tray.svg', 64, 'tray@2x.png'],
  ['tray.svg', 18, 'trayTemplate.png', '#000'],
  ['tray.svg', 36, 'trayTemplate@2x.png', '#000'],
];

const browser = await launchChromium();
const page = await browser.newPage();
for (const [source, size, name, ink] of pictures) {
  const svg = readFileSync(join(resources, source), 'utf8');
  const colour = ink === undefined ? '' : `svg { color: ${ink} }`;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px } ${colour}</style>${svg}`,
  );
  await page.screenshot({ path: join(resources, name), omitBackground: true });
}
await browser.close();
