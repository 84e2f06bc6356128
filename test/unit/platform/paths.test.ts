import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  dataFolder,
  createDataPaths,
  buildFolder,
  packageFile,
  resolveUserPath,
} from '../../../src-main/platform/paths.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const home = '/home/somebody';
const checkout = process.cwd();

test.skipIf(process.platform === 'win32').for([
  ['linux', {}, '/home/somebody/.local/share/packhorse'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/packhorse'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/somebody/.local/share/packhorse'],
  ['freebsd', {}, '/home/somebody/.local/share/packhorse'],
  ['darwin', {}, '/home/somebody/Library/Application Support/Packhorse'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Packhorse'],
  ['win32', {}, '/home/somebody/AppData/Roaming/Packhorse'],
  ['linux', { PACKHORSE_DATA_DIR: '/elsewhere' }, '/elsewhere'],
  ['linux', { PACKHORSE_DATA_DIR: '' }, '/home/somebody/.local/share/packhorse'],
] as const)('on %s with %o the data folder is %s', ([platform, env, expected]) => {
  expect(dataFolder({ platform, env, home })).toBe(expected);
});

test('an argument has priority over the environment', () => {
  const wanted = resolve('/wanted');
  expect(dataFolder({ requested: wanted, env: { PACKHORSE_DATA_DIR: '/elsewhere' }, home })).toBe(wanted);
});

test('the data folder is created for this user only, and its files and folders have fixed names', () => {
  const folder = join(temporaryFolder(), 'a', 'b');
  expect(createDataPaths(folder)).toEqual({
    dataFolder: folder,
    catalogue: join(folder, 'catalogue.sqlite'),
    downloads: join(folder, 'downloads'),
    settings: join(folder, 'settings.json'),
    logFolder: join(folder, 'logs'),
    archives: join(folder, 'archives'),
  });
  if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a data folder that cannot be created is named in the error', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => createDataPaths(join(file, 'data'))).toThrow(
    expect.objectContaining({ code: 'disk-denied', details: { path: join(file, 'data') } }),
  );
});

test.skipIf(process.platform !== 'linux')(
  'a data folder in a place where none can be created is rejected at once',
  () => {
    expect(() => createDataPaths('/proc/nope/data')).toThrow(
      expect.objectContaining({ code: 'disk-denied' }),
    );
  },
);

test('in a checkout a typed path is relative to the folder where npm was called, otherwise to the current folder', () => {
  const env = { INIT_CWD: resolve('/typed/here') };
  expect(resolveUserPath('a.tar.gz', env, checkout)).toBe(resolve('/typed/here/a.tar.gz'));
  expect(resolveUserPath('a.tar.gz', {}, checkout)).toBe(join(checkout, 'a.tar.gz'));
  expect(resolveUserPath('a.tar.gz', env, resolve('/elsewhere'))).toBe(resolve('/elsewhere/a.tar.gz'));
  expect(resolveUserPath(resolve('/absolute'), env, checkout)).toBe(resolve('/absolute'));
  for (const empty of ['', ' ']) expect(() => resolveUserPath(empty)).toThrow(/empty/);
});

test('the program finds its package file and its build folder', () => {
  expect(existsSync(packageFile)).toBe(true);
  expect(buildFolder).toBe(join(checkout, 'out'));
});
