import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { JobStore } from '../../../src-main/catalogue/runs/jobs.ts';
import { Lease } from '../../../src-main/catalogue/lease.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { withFileLock } from '../../../src-main/platform/file-lock.ts';
import { createDataPaths } from '../../../src-main/platform/paths.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import { catalogueForTest } from '../../support/catalogue/catalogue.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const lockProgram = fileURLToPath(new URL('../../support/catalogue/lock-child.ts', import.meta.url));
const program = fileURLToPath(new URL('../../support/catalogue/catalogue-child.ts', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/**
 * Starts a process on the data folder; resolves once it has printed its result. The process lives until the test ends.
 */
async function startProcess(
  action: 'enqueue' | 'acquire' | 'count' | 'open',
): Promise<{ printed: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [program, action, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const firstLine = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const [printed] = await Promise.race([firstLine, exited.then((): [string] => ['ended without a word'])]);
  return { printed, child };
}

test('processes that open a new catalogue at once all succeed, and the same work is queued once', async () => {
  const printed = await Promise.all(
    Array.from({ length: 6 }, async () => (await startProcess('enqueue')).printed),
  );
  expect(printed.sort()).toEqual(['joined', 'joined', 'joined', 'joined', 'joined', 'queued']);
  const jobs = new JobStore(catalogueForTest(createDataPaths(folder).catalogue));
  const [job, ...others] = jobs.openJobs();
  expect(others).toEqual([]);
  expect(jobs.events({ jobId: job?.id, limit: 10 }).map(({ type }) => type)).toEqual([
    'queued',
    ...Array.from({ length: 5 }, () => 'joined'),
  ]);
});

test('several processes can open a new catalogue at the same moment', async () => {
  const printed = await Promise.all(
    Array.from({ length: 4 }, async () => (await startProcess('open')).printed),
  );
  expect(printed).toEqual(['opened', 'opened', 'opened', 'opened']);
});

test('one process holds the lease; when it is killed, another process acquires it at once', async () => {
  const holder = await startProcess('acquire');
  expect(holder.printed).toBe('holds the lease');
  expect((await startProcess('acquire')).printed).toBe('waits');
  const own = new Lease(catalogueForTest(createDataPaths(folder).catalogue), systemClock);
  expect(own.acquire()).toBe(false);
  expect(own.holder()).toMatchObject({ pid: holder.child.pid });
  const killed = once(holder.child, 'exit');
  holder.child.kill('SIGKILL');
  await killed;
  expect(own.acquire()).toBe(true);
  expect((await startProcess('acquire')).printed).toBe('waits');
});

test('settings changed by several processes at once lose no change', async () => {
  const printed = await Promise.all(
    Array.from({ length: 3 }, async () => (await startProcess('count')).printed),
  );
  expect(printed).toEqual(['counted', 'counted', 'counted']);
  const { settings } = createDataPaths(folder);
  expect(new SettingsStore(settings, systemClock).read().archiveRoot).toBe('60');
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

test('two processes never hold a file lock at once, even if some are killed while they hold it', async () => {
  mkdirSync(join(folder, 'marks'));
  const fates = [
    ...[3, 6, 9, 12].map((rounds) => [rounds, 'dies']),
    ...Array.from({ length: 4 }, () => [25, 'survives']),
  ];
  const ends = await Promise.all(
    fates.map(async ([rounds, fate]) => {
      const child = spawn(process.execPath, [lockProgram, folder, String(rounds), String(fate)], {
        stdio: 'inherit',
      });
      return (await once(child, 'exit')) as unknown[];
    }),
  );
  expect(ends).toEqual([
    ...Array.from({ length: 4 }, () => [null, 'SIGKILL']),
    ...Array.from({ length: 4 }, () => [0, null]),
  ]);
  expect(readdirSync(join(folder, 'marks'))).toHaveLength(3 + 6 + 9 + 12 + 4 * 25);
  // The last owner of the lock may have died.
  await withFileLock(join(folder, 'lock'), systemClock, () => undefined);
  expect(readdirSync(folder)).toEqual(['marks']);
});
