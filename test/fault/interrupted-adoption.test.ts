/**
 * @file A process that ends at any step of an adoption leaves a state from which the next adoption creates exactly one
 * archive.
 */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { composeApp } from '../../src-main/compose/compose.ts';
import type { Disk } from '../../src-main/platform/disk/disk.ts';
import { inProcessClient, type Client } from '../../src-main/bridge/transports/in-process.ts';
import { exportWith } from '../support/archives/archive-builder.ts';
import { onCommits } from '../support/faults/commit-watch.ts';
import { copyInterruptedFolder } from '../support/faults/left-folder.ts';
import { cuts, PowerCutDisk, type Cut } from '../support/faults/power-cut-disk.ts';
import { readStoredState } from '../support/faults/stored-truth.ts';
import { MemoryKeychain } from '../support/keychain/memory-keychain.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestSandbox } from '../support/world.ts';

/** Runs `work` in an app without jobs, like the command, and closes the app afterwards. */
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

it('after an adoption ends at any step, the next adoption completes exactly one archive', async () => {
  const folder = temporaryFolder();
  const template = join(folder, 'template');
  const sandbox = await openTestSandbox({ projectCount: 2 });
  const [first, second] = [join(folder, 'first.tar.gz'), join(folder, 'second.tar.gz')];
  writeFileSync(first, exportWith());
  writeFileSync(second, exportWith({ './VERSION': Buffer.alloc(0) }));
  await inProcess(template, async (client) => {
    await client.call('instance.setToken', { name: 'gl', token: sandbox.tokens.maintainer, keep: 'session' });
    const options = { caFile: null, pace: 'sandbox', keep: 'session' } as const;
    await client.call('instance.add', { name: 'gl', url: sandbox.url, ...options });
    await client.call('instance.refresh', { name: 'gl', visible: false });
    // Creates the archive folder and thereby flushes it to the medium.
    await adopt(client, second, 'gone/x');
  });

  const dataDir = join(folder, 'whole');
  cpSync(template, dataDir, { recursive: true });
  const interruptions: { copy: string; label: string }[] = [];
  let last = 'start';
  const copyFolder = (what: string, when: 'before' | 'after'): void => {
    if (when === 'before' || what.startsWith('write ')) return;
    last = what;
    const waysToEnd: ('kill' | Cut)[] = disk.isAtRisk ? ['kill', ...cuts] : ['kill'];
    for (const death of waysToEnd) {
      const copy = join(folder, String(interruptions.length));
      copyInterruptedFolder(
        dataDir,
        copy,
        death === 'kill' ? undefined : { disk, death, seed: interruptions.length },
      );
      interruptions.push({ copy, label: `${death} after ${last}` });
    }
  };
  const disk = new PowerCutDisk(join(dataDir, 'archives'), copyFolder);
  onCommits((commit, when) => {
    if (listening) copyFolder(commit, when);
  });
  let listening = true;
  await inProcess(dataDir, (client) => adopt(client, first, 'atlas/compass'), disk);
  listening = false;
  // Six disk changes for the archive, its manifest and its state, four for its folders, and one for the row.
  expect(interruptions.length).toBeGreaterThan(30);

  for (const { copy, label } of interruptions) {
    const archives = await inProcess(copy, async (client) => {
      const { files } = await adopt(client, first, 'atlas/compass');
      expect(['adopted', 'present'], label).toContain(files[0]?.outcome);
      expect(files[0]?.archive?.proof?.level, label).toBe('L2');
      await client.call('archive.rescan', {});
      const filter = { instance: null, project: 'atlas/compass', before: null, limit: 10 };
      return (await client.call('archive.list', filter)).archives;
    });
    expect(archives, label).toHaveLength(1);
    expect(readStoredState(copy).archives, label).toHaveLength(2);
  }
});
