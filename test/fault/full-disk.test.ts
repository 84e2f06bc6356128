import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorText } from '../../src-contract/error-messages.ts';
import type { Job } from '../../src-contract/runs/job.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { SettingsStore } from '../../src-main/platform/settings.ts';
import { CliProcess } from '../support/processes/cli-process.ts';
import { noSmallDisk, smallDisk } from '../support/faults/small-disk.ts';
import { readStoredState } from '../support/faults/stored-truth.ts';
import { folderOnDisk } from '../support/temporary-folder.ts';
import { backUp, openTestSandbox, openWorld, register } from '../support/world.ts';

async function siteOn(root: string) {
  const dataDir = folderOnDisk();
  await new SettingsStore(createDataPaths(dataDir).settings, systemClock).change((before) => ({
    ...before,
    archiveRoot: root,
  }));
  const source = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld({ dataDir });
  await register(world, 'source', source);
  return {
    truth: () => readStoredState(dataDir, root),
    run: async (): Promise<Job | undefined> => (await backUp(world, 'source', source.state.paths))[0],
  };
}

const state = (job: Job | undefined) => job?.state;
const full = { status: 'failed', error: { code: 'disk-full' } };

describe.skipIf(noSmallDisk)('a full disk', () => {
  it('fails the backup with a message about space, damages nothing, and allows the next backup once space is free', async () => {
    const disk = smallDisk();
    const site = await siteOn(disk.root);
    expect(state(await site.run())).toMatchObject({ status: 'succeeded' });
    disk.resize('size=8m');
    const failed = state(await site.run());
    expect(failed).toMatchObject(full);
    if (failed?.status !== 'failed') throw new Error('It did not fail.');
    const { what, todo } = errorText(failed.error);
    expect(`${what} ${todo}`).toMatch(/space|full/i);
    expect(site.truth()).toMatchObject({ parts: [], trash: [] });
    expect(site.truth().archives).toHaveLength(1);
    disk.resize('size=300m');
    expect(state(await site.run())).toMatchObject({ status: 'succeeded' });
    expect(site.truth().archives).toHaveLength(2);
  });

  // A disk can also run out of inodes. Then the system call fails in the middle of a commit.
  it.each([0, 1])('with room for %i more files leaves no partial file', async (freeInodes) => {
    const disk = smallDisk();
    disk.resize('nr_inodes=60');
    const site = await siteOn(disk.root);
    expect(state(await site.run())).toMatchObject({ status: 'succeeded' });
    const ballast = (at: number): string => join(disk.root, `ballast-${at}`);
    let ballastCount = 0;
    try {
      for (; ballastCount < 1_000; ballastCount += 1) writeFileSync(ballast(ballastCount), '');
    } catch {
      for (let removed = 0; removed < freeInodes; removed += 1) rmSync(ballast((ballastCount -= 1)));
    }
    expect(state(await site.run())).toMatchObject(full);
    for (const file of readdirSync(disk.root)) if (file.startsWith('ballast')) rmSync(join(disk.root, file));
    expect(site.truth()).toMatchObject({ parts: [], trash: [] });
    expect(site.truth().archives).toHaveLength(1);
    expect(state(await site.run())).toMatchObject({ status: 'succeeded' });
    expect(site.truth().archives).toHaveLength(2);
  });

  it('that contains the catalogue ends the command with disk-full instead of letting it wait forever', async () => {
    const disk = smallDisk();
    const source = await openTestSandbox({ projectCount: 2 });
    const setUp = await openWorld({ dataDir: disk.root });
    await register(setUp, 'source', source);
    await setUp.app.close();
    const backup = new CliProcess(
      disk.root,
      { source: source.tokens.maintainer },
      'backup',
      '--instance',
      'source',
      '--all',
    );
    await expect.poll(() => source.requests.length > 8, { timeout: 20_000 }).toBe(true);
    disk.resize('size=8m');
    expect(() => {
      for (let file = 0; ; file += 1) writeFileSync(join(disk.root, `filler-${file}`), Buffer.alloc(4096));
    }).toThrow('ENOSPC');
    const { code, stdout } = await backup.ended;
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'disk-full' } });
    expect(code).toBe(1);
  });
});
