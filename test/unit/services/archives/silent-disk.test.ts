/** @file A disk that never answers: its folder counts as absent, and one call waits for it, not one for each look. */
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

// Another file of the same process may have loaded it with the real file system, and another may need it after this one.
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

test('however often it is looked for, one call waits for it', async () => {
  const { roots, clock } = await rootsOnSilentDisk();
  for (let look = 0; look < 5; look++) {
    const looked = roots.refreshPresence();
    const stands = roots.pathExists(roots.current());
    await vi.waitFor(() => {
      expect(calls.length).toBeGreaterThan(0);
    });
    await clock.advance(5_000);
    expect(await looked).toEqual([]);
    expect(await stands).toBe(false);
  }
  expect(calls).toHaveLength(1);
});

test('once it answers, it is there again', async () => {
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
