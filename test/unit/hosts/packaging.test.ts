/** @file The result of electron-builder for `electron-builder.yml`, read and validated by electron-builder itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Packager } from 'electron-builder';
import { beforeAll, expect, test } from 'vitest';

const packager = new Packager({ projectDir: join(import.meta.dirname, '../../..') });
beforeAll(() => packager.validateConfig());

test('the package runs only its own archive, and building it publishes nothing', () => {
  const { config } = packager;
  expect(config.electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
    loadBrowserProcessSpecificV8Snapshot: false,
  });
  expect(config).toMatchObject({ asar: true, npmRebuild: false, publish: null });
  const desktop = readFileSync(join(import.meta.dirname, '../../../src-main/hosts/desktop.ts'), 'utf8');
  expect(desktop).toContain(`const appId = '${config.appId ?? ''}';`);
  expect(config).not.toHaveProperty('disableAsarIntegrity');
  // Folders of the user must not become trusted.
  expect(config).not.toHaveProperty('extraResources');
  expect(config).not.toHaveProperty('extraFiles');
});

test.each([
  ['icon.png', 1024],
  ['tray.png', 32],
  ['tray@2x.png', 64],
  ['trayTemplate.png', 18],
  ['trayTemplate@2x.png', 36],
])('the picture %s is in the package and is a PNG file, %i pixels wide and high', (name, size) => {
  expect(packager.config.files).toEqual([{ filter: expect.arrayContaining(['resources/*.png']) as unknown }]);
  const picture = readFileSync(join(import.meta.dirname, '../../../resources', name));
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([size, size]);
});
