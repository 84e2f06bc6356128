/**
 * @file A process that ends at any step of an adoption leaves a state from which the next adoption makes exactly one
 * archive.
 */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { composeApp } from '../../src-main/compose/compose.ts';
import type { Disk } from '../../src-main/platform/disk/disk.ts';
import { inProcessClient, type Client } from '../../src-main/bridge/transports/in-process.ts';
import { exportWith } from '../support/archives/archive-builder.ts';
import { watchCommits } from '../support/faults/commit-watch.ts';
import { leaveFolder } from '../support/faults/left-folder.ts';
import { cuts, PowerCutDisk, type Cut } from '../support/faults/power-cut-disk.ts';
import { storedTruth } from '../support/faults/stored-truth.ts';
import { MemoryKeychain } from '../support/keychain/memory-keychain.ts';
import { folderInMemory } from '../support/temporary-folder.ts';
import { openTestSandbox } from '../support/world.ts';

/** Runs `work` in one process without jobs, like the command, and closes it afterwards. */
async function inProcess<T>(dataDir: string, work: (client: Client) => Promise<T>, disk?: Disk): Promise<T> {
  const app = await composeApp({
    dataDir,
    env: { PACKHORSE_TOKEN_GL: 'glpat-none-is-needed' },
    keychain: new MemoryKeychain(),
    ...(disk === undefined ? {} : { disk }),
  });
  try {
    return await work(inProcessClient(app.dispatch, new AbortController().signal));
  } finally {
    await app.close();
  }
}

const adopt = (client: Client, file: string, project: string) =>
  client.call('archive.adopt', {
    instance: 'gl',
    files: [{ file, fullPath: project }],
    prove: false,
  });

it('after an end at any step, the next adoption completes the one archive', async () => {
  const folder = folderInMemory();
  const template = join(folder, 'template');
  const sandbox = await openTestSandbox({ projectCount: 2 });
  const [first, second] = [join(folder, 'first.tar.gz'), join(folder, 'second.tar.gz')];
  writeFileSync(first, exportWith());
  writeFileSync(second, exportWith({ './VERSION': Buffer.alloc(0) }));
  await inProcess(template, async (client) => {
    await client.call('instance.setToken', { name: 'gl', token: sandbox.tokens.maintainer, keep: 'session' });
    const how = { caFile: null, pace: 'sandbox', keep: 'session' } as const;
    await client.call('instance.add', { name: 'gl', url: sandbox.url, ...how });
    await client.call('instance.refresh', { name: 'gl', visible: false });
    // Creates the folder of archives, which is then on the medium.
    await adopt(client, second, 'gone/x');
  });

  const dataDir = join(folder, 'whole');
  cpSync(template, dataDir, { recursive: true });
  const ends: { left: string; told: string }[] = [];
  let last = 'start';
  const note = (what: string, when: 'before' | 'after'): void => {
    if (when === 'before' || what.startsWith('write ')) return;
    last = what;
    const deaths: ('kill' | Cut)[] = disk.isAtRisk ? ['kill', ...cuts] : ['kill'];
    for (const death of deaths) {
      const left = join(folder, String(ends.length));
      leaveFolder(dataDir, left, death === 'kill' ? undefined : { disk, death, seed: ends.length });
      ends.push({ left, told: `${death} after ${last}` });
    }
  };
  const disk = new PowerCutDisk(join(dataDir, 'archives'), note);
  watchCommits((commit, when) => {
    if (listening) note(commit, when);
  });
  let listening = true;
  await inProcess(dataDir, (client) => adopt(client, first, 'atlas/compass'), disk);
  listening = false;
  // Six changes of the disk for the archive, its manifest and its state, four for its folders, and the row.
  expect(ends.length).toBeGreaterThan(30);

  for (const { left, told } of ends) {
    const archives = await inProcess(left, async (client) => {
      const { files } = await adopt(client, first, 'atlas/compass');
      expect(['adopted', 'present'], told).toContain(files[0]?.outcome);
      expect(files[0]?.archive?.proof?.level, told).toBe('L2');
      await client.call('archive.rescan', {});
      const filter = { instance: null, project: 'atlas/compass', before: null, limit: 10 };
      return (await client.call('archive.list', filter)).archives;
    });
    expect(archives, told).toHaveLength(1);
    expect(storedTruth(left).archives, told).toHaveLength(2);
  }
});
