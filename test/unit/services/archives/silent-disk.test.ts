/** @file The folder of a disk that never responds counts as absent. One call waits for it, not one for each check. */
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { SettingsStore } from '../../../../src-main/platform/settings.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const silent = '/network/that/is/dead';
const calls: (() => void)[] = [];

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof promises>();
  return {
    ...real,
    access: (path: string, mode?: number) =>
      path.startsWith(silent) ? new Promise<void>((resolve) => calls.push(resolve)) : real.access(path, mode),
    realpath: (path: string) => (path.startsWith(silent) ? Promise.resolve(path) : real.realpath(path)),
  };
});

// Another file of the same process may have loaded the module with the real file system, and another may need it
// afterwards.
vi.resetModules();
const { ArchiveRoots } = await import('../../../../src-main/services/archives/folders/archive-roots.ts');
afterAll(() => {
  vi.resetModules();
});

beforeEach(() => {
  calls.length = 0;
});

async function rootsOnSilentDisk() {
  const dataFolder = temporaryFolder();
  const settings = new SettingsStore(join(dataFolder, 'settings.json'), systemClock);
  await settings.change((before) => ({ ...before, archiveRoot: silent, archiveRoots: [null, silent] }));
  const clock = new SteppedClock();
  const roots = new ArchiveRoots({
    ...{ settings, defaultPath: join(dataFolder, 'archives'), dataFolder, clock, disk: undefined },
    ...{ hasArchives: () => true, onPresenceChecked: () => undefined },
  });
  return { roots, clock };
}

test('however often a silent folder is checked, one call waits for it', async () => {
  const { roots, clock } = await rootsOnSilentDisk();
  for (let check = 0; check < 5; check++) {
    const checked = roots.refreshPresence();
    const exists = roots.pathExists(roots.current());
    await vi.waitFor(() => {
      expect(calls.length).toBeGreaterThan(0);
    });
    await clock.advance(5_000);
    expect(await checked).toEqual([]);
    expect(await exists).toBe(false);
  }
  expect(calls).toHaveLength(1);
});

test('a silent folder is present again once its disk responds', async () => {
  const { roots, clock } = await rootsOnSilentDisk();
  const late = roots.refreshPresence();
  await vi.waitFor(() => {
    expect(calls).toHaveLength(1);
  });
  await clock.advance(5_000);
  expect(await late).toEqual([]);
  calls[0]?.();
  const again = roots.refreshPresence();
  await vi.waitFor(() => {
    expect(calls).toHaveLength(2);
  });
  calls[1]?.();
  expect((await again).map(({ path }) => path)).toEqual([silent]);
});
