/** @file Checks the versions, hashes, number and licences of the packages in the product. Reads the lockfile and the list of Electron releases. */
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

const isAtLeast = (version: string, minVersion: string): boolean =>
  version.localeCompare(minVersion, 'en', { numeric: true }) >= 0;

const versionOf = (name: string): string => installed[`node_modules/${name}`]?.version ?? '0';

test('every package has a SHA-512 hash, and none comes from outside of the registry', () => {
  expect(lockfileVersion).toBe(3);
  const unverified = Object.entries(installed).filter(
    ([, { integrity, resolved }]) => integrity?.startsWith('sha512-') !== true || resolved !== undefined,
  );
  expect(unverified.map(([path]) => path)).toEqual([]);
});

// Older versions have known vulnerabilities or faults: archives that leave their folder, tokens in errors, a crash with
// another Node, the sandbox.
test.each([
  ['electron', '44.0.0'],
  ['tar', '7.5.21'],
  ['got', '16.1.0'],
  ['better-sqlite3', '13.0.0'],
  ['keytar', '7.10.0'],
])('%s is at least %s', (name, minVersion) => {
  expect(isAtLeast(versionOf(name), minVersion), versionOf(name)).toBe(true);
});

test('Electron has one of the two newest major versions, and is not older than the last known patch', () => {
  const { newestMajor, newestOfLine } = z
    .object({ newestMajor: z.number(), newestOfLine: z.record(z.string(), z.string()) })
    .parse(read('test/support/electron-releases.json'));
  const version = versionOf('electron');
  const major = Number.parseInt(version, 10);
  expect(major).toBeGreaterThanOrEqual(newestMajor - 1);
  expect(isAtLeast(version, newestOfLine[String(major)] ?? '0'), version).toBe(true);
});

test('the number of packages in the product does not grow', () => {
  // A machine gets only one of the builds of a package for many machines.
  const everywhere = shipped.filter(([, { optional }]) => optional !== true);
  // Half of them belong to Fastify, for the servers in the product. Lower the limit when the number falls. A new package needs
  // its sentence in docs/dependencies.md.
  expect(everywhere.length).toBeLessThanOrEqual(100);
});

test('every package in the product has a licence that allows redistribution', () => {
  const allowedLicences = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', '(MIT OR CC0-1.0)'];
  const others = shipped.filter(
    ([, { license }]) => license === undefined || !allowedLicences.includes(license),
  );
  expect(others.map(([path, { license }]) => `${path}: ${license ?? 'none'}`)).toEqual([]);
});

test('only a reviewed package of the product runs a script when it is installed', () => {
  const running = shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(running.map(([path]) => path.replace('node_modules/', '')).sort()).toEqual(['keytar']);
});

test('no package updates the product', () => {
  expect(Object.keys(installed).filter((path) => /electron-updater|update-electron-app/.test(path))).toEqual(
    [],
  );
});
