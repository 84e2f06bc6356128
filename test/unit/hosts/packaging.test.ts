/** @file What electron-builder makes of `electron-builder.yml`, read and validated by electron-builder itself. */
import { join } from 'node:path';
import { Packager } from 'electron-builder';
import { expect, test } from 'vitest';

test('the package runs nothing but its own archive, and is never updated behind the user’s back', async () => {
  const packager = new Packager({ projectDir: join(import.meta.dirname, '../../..') });
  await packager.validateConfig();
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
  expect(config).not.toHaveProperty('disableAsarIntegrity');
});
