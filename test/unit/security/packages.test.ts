/** @file What is installed with the product: known versions, whole, few, and free to use. Reads the lockfile only. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from '../../../src-contract/schema.ts';

const root = join(import.meta.dirname, '../../..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));

const lockSchema = z.object({
  lockfileVersion: z.number(),
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      optional: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});
const { lockfileVersion, packages } = lockSchema.parse(read('package-lock.json'));
const { '': _project, ...installed } = packages;
const shipped = Object.entries(installed).filter(([, { dev, devOptional }]) => !dev && !devOptional);

const isAtLeast = (version: string, least: string): boolean =>
  version.localeCompare(least, 'en', { numeric: true }) >= 0;

const versionOf = (name: string): string => installed[`node_modules/${name}`]?.version ?? '0';

test('every package is known by its content, and none comes from beside the registry', () => {
  expect(lockfileVersion).toBe(3);
  const loose = Object.entries(installed).filter(
    ([, { integrity, resolved }]) => integrity?.startsWith('sha512-') !== true || resolved !== undefined,
  );
  expect(loose.map(([path]) => path)).toEqual([]);
});

// Below these, known holes: archives that leave their folder, tokens in errors, a crash with another Node, the sandbox.
test.each([
  ['electron', '44.0.0'],
  ['tar', '7.5.21'],
  ['got', '16.1.0'],
  ['better-sqlite3', '13.0.0'],
  ['keytar', '7.10.0'],
])('%s is at least %s', (name, least) => {
  expect(isAtLeast(versionOf(name), least), versionOf(name)).toBe(true);
});

test('Electron is of one of the two newest lines, and not behind the patch last looked up', () => {
  const { newestMajor, newestOfLine } = z
    .object({ newestMajor: z.number(), newestOfLine: z.record(z.string(), z.string()) })
    .parse(read('test/support/electron-releases.json'));
  const version = versionOf('electron');
  const major = Number.parseInt(version, 10);
  expect(major).toBeGreaterThanOrEqual(newestMajor - 1);
  expect(isAtLeast(version, newestOfLine[String(major)] ?? '0'), version).toBe(true);
});

test('there are no more packages in the product than there were', () => {
  // Of the builds of one package for many machines, a machine gets one.
  const everywhere = shipped.filter(([, { optional }]) => optional !== true);
  // The servers that are part of the product, Fastify's, are half of them. Lower it when it falls.
  expect(everywhere.length).toBeLessThanOrEqual(99);
});

test('whatever is in the product may be given away with it', () => {
  const free = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', '(MIT OR CC0-1.0)'];
  const others = shipped.filter(([, { license }]) => license === undefined || !free.includes(license));
  expect(others.map(([path, { license }]) => `${path}: ${license ?? 'none'}`)).toEqual([]);
});

test('of the packages in the product, only those that were looked at run something when they are installed', () => {
  const running = shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(running.map(([path]) => path.replace('node_modules/', '')).sort()).toEqual(['keytar']);
});

test('nothing in the product updates it', () => {
  expect(Object.keys(installed).filter((path) => /electron-updater|update-electron-app/.test(path))).toEqual(
    [],
  );
});
