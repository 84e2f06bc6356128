/**
 * @file A second process on one data folder, for tests: `catalogue-child.ts <what> <data folder>`. Prints one line when it
 * is done, and runs until its standard input ends or it is killed.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import { JobStore } from '../../../src-main/catalogue/runs/jobs.ts';
import { Lease } from '../../../src-main/catalogue/lease.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { createDataPaths } from '../../../src-main/platform/paths.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';

const [what, folder = ''] = process.argv.slice(2);
const paths = createDataPaths(folder);

function enqueue(): string {
  const jobs = new JobStore(openCatalogue({ path: paths.catalogue, clock: systemClock }));
  const at = systemClock.now();
  const runId = jobs.newId(at);
  jobs.createRun({ id: runId, kind: 'backup', request: {}, at });
  const work = { runId, kind: 'export', instance: 'source', project: 'group/project', input: {} } as const;
  return jobs.enqueue({ ...work, id: jobs.newId(at), firstStep: 'request', at }).joined ? 'joined' : 'queued';
}

function acquire(): string {
  const lease = new Lease(openCatalogue({ path: paths.catalogue, clock: systemClock }), systemClock);
  return lease.acquire() ? 'holds the lease' : 'waits';
}

/** Opens fifty new catalogues, one after the other, once all four processes are ready. */
function open(): string {
  writeFileSync(join(folder, `ready-${process.pid}`), '');
  while (readdirSync(folder).filter((name) => name.startsWith('ready-')).length < 4);
  for (let number = 0; number < 50; number++) {
    openCatalogue({ path: join(folder, `${number}.sqlite`), clock: systemClock }).close();
  }
  return 'opened';
}

/** Makes twenty changes. Each must see the changes before it. */
async function count(): Promise<string> {
  const settings = new SettingsStore(paths.settings, systemClock);
  for (let round = 0; round < 20; round++) {
    await settings.change((before) => ({ ...before, archiveRoot: String(Number(before.archiveRoot) + 1) }));
  }
  return 'counted';
}

/** Holds the write lock of the catalogue for half a second. */
function hold(): string {
  openCatalogue({ path: paths.catalogue, clock: systemClock }).transaction(() => {
    process.stdout.write('holds the catalogue\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  });
  return 'let go';
}

const commands: Record<string, () => string | Promise<string>> = { enqueue, acquire, count, open, hold };
process.stdout.write(`${(await commands[what ?? '']?.()) ?? 'unknown'}\n`);
process.stdin.resume();
