/** @file How the target of an import is named when nobody names it, and which names are refused. */
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

test('without a path, the name of the file gives one that an instance takes', async () => {
  const world = await openWorld();
  await register(world, 'lab', await openTestSandbox());
  expect(await start(world, '2026-11-20_08-00-000_group_app_export.tar.gz', null)).toBe('atlas/group_app');
  expect(await start(world, '.hidden_export.tar.gz', null)).toBe('atlas/hidden');
});

test.each(['.app', '-app', 'a/b', ''])('the path "%s" is refused before anything is sent', async (path) => {
  const world = await openWorld();
  const sandbox = await openTestSandbox();
  await register(world, 'lab', sandbox);
  const before = sandbox.requests.length;
  await expect(start(world, 'app_export.tar.gz', path)).rejects.toMatchObject({ code: 'invalid-input' });
  expect(sandbox.requests).toHaveLength(before);
});
