/** @file If the archive folder disappears during a run, no project of the run counts as backed up. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Job } from '../../../src-contract/runs/job.ts';
import { backUp, ended, openTestSandbox, openWorld, register } from '../../support/world.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { archiveFilter } from '../../support/requests.ts';

const projects = 10;
/** Four exports run at once, so that the first archives are stored long before the last ones. */
const speed = { exportPendingMs: 0, exportQueuedMs: 0, exportStartedMs: 300, exportClosingMs: 0 };

test.for<[string, (folder: string) => void]>([
  [
    'removed',
    (folder) => {
      // A backup that writes to the folder at this moment may recreate one of its subfolders.
      rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 20 });
    },
  ],
  [
    'replaced by a link',
    (folder) => {
      renameSync(folder, `${folder}-elsewhere`);
      mkdirSync(`${folder}-empty`);
      symlinkSync(`${folder}-empty`, folder);
    },
  ],
  [
    'replaced by a file',
    (folder) => {
      renameSync(folder, `${folder}-elsewhere`);
      writeFileSync(folder, '');
    },
  ],
])('a run whose archive folder is %s exits with 1, and reports no project as stored', async ([, harm]) => {
  const sandbox = await openTestSandbox({ projectCount: projects, speed });
  const cli = new Cli();
  await cli.add('work', sandbox);
  const token = tokenOption('work', sandbox.tokens.maintainer);
  const run = cli.start(['backup', '--instance', 'work', ...sandbox.state.paths.slice(0, projects)], token);
  await run.prints(/: done/);
  harm(join(cli.dataDir, 'archives'));
  const { code, stdout } = await run.ended;
  expect(code).toBe(1);
  expect(stdout).not.toMatch(/^\S+ +stored /m);
  expect(stdout).toContain(`0 of ${projects} projects backed up.`);
  expect(stdout).toMatch(/The archive folder .* is not available/);
  const { document } = await cli.json(['job', 'list']);
  const { jobs } = document as { jobs: Job[] };
  expect(jobs.map(({ state }) => state.status)).toEqual(Array.from({ length: projects }, () => 'failed'));
});

test('an archive that is gone when its run ends fails only its own job, and an archive in the trash fails none', async () => {
  const sandbox = await openTestSandbox({ projectCount: 3 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const jobs = await backUp(world, 'work', sandbox.state.paths.slice(0, 3));
  const { runId = '' } = jobs[0] ?? {};
  expect(await world.app.failJobsWithLostArchives(runId)).toBe(0);
  const archives = await world.client.call('archive.list', archiveFilter({ limit: 9 }));
  const [gone, trashed] = archives.archives;
  rmSync(gone?.absolutePath ?? '');
  await world.client.call('archive.moveToTrash', { archive: trashed?.id ?? '' });
  expect(await world.app.failJobsWithLostArchives(runId)).toBe(1);
  const failed = (await ended(world, runId)).filter(({ state }) => state.status !== 'succeeded');
  expect(failed).toMatchObject([
    { project: gone?.fullPath, state: { status: 'failed', error: { code: 'archive-missing' } } },
  ]);
  const { runs } = await world.client.call('run.list', { before: null, limit: 1 });
  expect(runs[0]?.outcome).toBe('partly-failed');
  expect(await world.app.failJobsWithLostArchives(runId)).toBe(0);
});
