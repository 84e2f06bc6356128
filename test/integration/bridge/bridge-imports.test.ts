/** @file The default name of the target of an import, and the names that are rejected. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { openTestSandbox, openWorld, register, type World } from '../../support/world.ts';

async function start(world: World, file: string, path: string | null): Promise<string> {
  const archive = join(world.dataDir, file);
  writeFileSync(archive, exportWith());
  const { target } = await world.client.call('import.start', {
    instance: 'lab',
    archive,
    namespace: 'atlas',
    path,
    name: null,
    overwrite: false,
    allowSuspicious: true,
    overrideParams: {},
  });
  return target;
}

test('without a path, a valid path is derived from the name of the file', async () => {
  const world = await openWorld();
  await register(world, 'lab', await openTestSandbox());
  expect(await start(world, '2026-11-20_08-00-000_group_app_export.tar.gz', null)).toBe('atlas/group_app');
  expect(await start(world, '.hidden_export.tar.gz', null)).toBe('atlas/hidden');
});

test.each(['.app', '-app', 'a/b', ''])('the path "%s" is rejected before anything is sent', async (path) => {
  const world = await openWorld();
  const sandbox = await openTestSandbox();
  await register(world, 'lab', sandbox);
  const before = sandbox.requests.length;
  await expect(start(world, 'app_export.tar.gz', path)).rejects.toMatchObject({ code: 'invalid-input' });
  expect(sandbox.requests).toHaveLength(before);
});
