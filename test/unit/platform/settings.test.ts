import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { numberedRoots, SettingsStore } from '../../../src-main/platform/settings.ts';
import { initialPreferences } from '../../../src-contract/settings.ts';
import { presetPaces, instanceDefaults } from '../../../src-contract/instances/instance.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let path: string;
let settings: SettingsStore;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'settings.json');
  settings = new SettingsStore(path, systemClock);
});

const instance = (name: string): Instance => ({
  name,
  url: 'https://gitlab.example',
  caFile: null,
  pacePreset: 'gitlab',
  pace: presetPaces.gitlab,
  username: 'somebody',
  userId: 1,
  administrator: false,
  serverVersion: '17.11.0',
  tokenExpiresOn: null,
  tokenCanWrite: null,
  addedAt: '2026-11-20T12:00:00.000Z',
  ...instanceDefaults,
});
const add = (name: string) =>
  settings.change((before) => ({ ...before, instances: [...before.instances, instance(name)] }));

test('settings of the previous version are read, which had another name for the longest wait between polls', async () => {
  await add('work');
  const text = readFileSync(path, 'utf8');
  const earlier = text.replaceAll('maxPollMs', 'longestPollMs');
  expect(earlier).not.toBe(text);
  writeFileSync(path, earlier);
  expect(new SettingsStore(path, systemClock).read().instances[0]?.pace).toEqual(presetPaces.gitlab);
});

test('a table layout of the previous version is read, which had another name for the backup status column', async () => {
  const columns = [{ id: 'backupStatus', width: 99, visible: false }];
  const layout = { columns, sort: { column: 'backupStatus', descending: true } };
  await settings.change((before) => ({
    ...before,
    preferences: { ...before.preferences, tables: { projects: layout } },
  }));
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"backupStatus"', '"standing"'));
  expect(new SettingsStore(path, systemClock).read().preferences.tables).toEqual({ projects: layout });
});

test('without a file the settings have their initial values, and reading creates no file', () => {
  expect(settings.read()).toEqual({
    schemaVersion: 1,
    archiveRoot: null,
    defaultRootMarked: false,
    archiveRoots: [],
    forgottenRoots: [],
    instances: [],
    plans: [],
    practice: [],
    storages: [],
    preferences: initialPreferences,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a setting that a file of an older version does not have is read with its initial value', () => {
  writeFileSync(path, '{"schemaVersion": 1, "archiveRoot": "/far/away", "instances": []}');
  expect(settings.read()).toMatchObject({ plans: [], practice: [], preferences: initialPreferences });
  expect(numberedRoots(settings.read())).toEqual(['/far/away']);
});

test('a preference that the file does not have is read with its initial value', () => {
  writeFileSync(
    path,
    '{"schemaVersion": 1, "archiveRoot": null, "instances": [], "preferences": {"jobsAtOnce": 2}}',
  );
  expect(settings.read().preferences).toEqual({ ...initialPreferences, jobsAtOnce: 2 });
});

test('archive roots keep their numbers when the current one changes', () => {
  const archiveRoots = [null, '/one', '/two'];
  expect(numberedRoots({ archiveRoot: '/one', archiveRoots })).toEqual([null, '/one', '/two']);
  expect(numberedRoots({ archiveRoot: '/three', archiveRoots })).toEqual([null, '/one', '/two', '/three']);
});

test('a change is stored on disk, for this user only, and no other file remains', async () => {
  const changed = await add('work');
  expect(new SettingsStore(path, systemClock).read()).toEqual(changed);
  expect(settings.instance('work')).toEqual(instance('work'));
  expect(readdirSync(folder)).toEqual(['settings.json']);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('all readers get the same frozen settings until the content of the file changes', async () => {
  await add('work');
  const read = settings.read();
  expect(settings.read()).toBe(read);
  expect(() => read.instances.push(instance('home'))).toThrow(TypeError);
  expect(() => Object.assign(read.instances[0] ?? {}, { url: '' })).toThrow(TypeError);
  // The new text has the same length and nearly the same time.
  writeFileSync(path, readFileSync(path, 'utf8').replace('"work"', '"home"'));
  expect(settings.read().instances).toEqual([instance('home')]);
  writeFileSync(path, '{');
  expect(() => settings.read()).toThrow('cannot be read');
  rmSync(path);
  expect(settings.read().instances).toEqual([]);
});

test('an instance that is not registered is reported as unknown', () => {
  expect(() => settings.instance('work')).toThrow(expect.objectContaining({ code: 'instance-unknown' }));
});

test.for([
  ['cut short', '{"schemaVersion": 1, "arch'],
  ['from a newer program', '{"schemaVersion": 2, "archiveRoot": null, "instances": []}'],
  [
    'invalid because of an instance',
    '{"schemaVersion": 1, "archiveRoot": null, "instances": [{"name": "A B"}]}',
  ],
  [
    'invalid because of a preference',
    '{"schemaVersion": 1, "archiveRoot": null, "instances": [], "preferences": {"jobsAtOnce": 99}}',
  ],
  ['empty', ''],
])('a file that is %s is reported and never overwritten', async ([, text]) => {
  writeFileSync(path, text ?? '');
  expect(() => settings.read()).toThrow(expect.objectContaining({ code: 'settings-unreadable' }));
  await expect(add('work')).rejects.toMatchObject({ code: 'settings-unreadable', details: { path } });
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

test('a change that throws or returns invalid settings writes nothing', async () => {
  await add('work');
  const before = readFileSync(path, 'utf8');
  const refuse = () => {
    throw new Error('no');
  };
  await expect(settings.change(refuse)).rejects.toThrow('no');
  await expect(settings.change((old) => ({ ...old, instances: [instance('Not A Name')] }))).rejects.toThrow();
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

test('changes made at the same time are all stored', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `name-${index}`);
  await Promise.all(
    names.map((name) =>
      new SettingsStore(path, systemClock).change((before) => ({
        ...before,
        instances: [...before.instances, instance(name)],
      })),
    ),
  );
  expect(
    settings
      .read()
      .instances.map(({ name }) => name)
      .sort(),
  ).toEqual(names.sort());
});
