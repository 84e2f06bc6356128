/** @file The disk fails once while the catalogue is recovered, at each call of the file system in turn. */
import { cpSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openCatalogue } from '../../../../src-main/catalogue/database.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import { queuedJob } from '../../../support/catalogue/catalogue.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const failing = vi.hoisted(() => ({ calls: [] as string[], at: -1, isOn: false }));
vi.mock('node:fs', async (original) => {
  const real = await original<Record<string, unknown>>();
  const failable = [
    'chmodSync',
    'copyFileSync',
    'fsyncSync',
    'openSync',
    'readFileSync',
    'readdirSync',
    'renameSync',
    'rmSync',
    'statSync',
    'writeFileSync',
  ];
  const wrapped = failable.map((name) => {
    const call = real[name] as (...args: unknown[]) => unknown;
    const failable = (...args: unknown[]): unknown => {
      if (failing.isOn && failing.calls.push(name) - 1 === failing.at) {
        throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO', errno: -5 });
      }
      return call(...args);
    };
    return [name, failable] as const;
  });
  return { ...real, ...Object.fromEntries(wrapped) };
});

// Another file of the same process may have loaded these modules with the real file system, and another may need them
// afterwards.
vi.resetModules();
const { openOrRecoverCatalogue } = await import('../../../../src-main/catalogue/recovery/recovery.ts');
afterAll(() => {
  vi.resetModules();
});

const clock = new SteppedClock();

/** Creates a folder with a damaged catalogue and a copy that contains one job. */
async function damagedFolder(): Promise<string> {
  const folder = temporaryFolder();
  const path = join(folder, 'catalogue.sqlite');
  const first = openCatalogue({ path, clock });
  queuedJob(new JobStore(first), 'group/project');
  first.close();
  await clock.advance(25 * 3_600_000);
  openCatalogue({ path, clock }).close();
  writeFileSync(path, Buffer.alloc(statSync(path).size, 0xa5));
  return folder;
}

/** @returns the error of the opening; null if it succeeded. */
async function recoverWith(template: string, at: number): Promise<{ path: string; thrown: unknown }> {
  const folder = join(temporaryFolder(), 'data');
  cpSync(template, folder, { recursive: true });
  const path = join(folder, 'catalogue.sqlite');
  Object.assign(failing, { calls: [], at, isOn: true });
  try {
    (await openOrRecoverCatalogue({ path, clock })).catalogue.close();
    return { path, thrown: null };
  } catch (thrown) {
    return { path, thrown };
  } finally {
    failing.isOn = false;
  }
}

test('EIO at any call leads at most to a disk error, and the next opening recovers the catalogue', async () => {
  const template = await damagedFolder();
  const failed = new Set<string>();
  for (let at = 0; ; at += 1) {
    const { path, thrown } = await recoverWith(template, at);
    const call = failing.calls[at];
    if (call === undefined) break;
    const label = `${call} (${at})`;
    if (thrown !== null) {
      failed.add(call);
      expect(thrown, label).toMatchObject({ name: 'AppError', code: 'disk-failed', retry: 'later' });
    }
    const { catalogue } = await openOrRecoverCatalogue({ path, clock });
    expect(new JobStore(catalogue).openJobs(), label).toHaveLength(1);
    catalogue.close();
  }
  expect([...failed]).toEqual(expect.arrayContaining(['copyFileSync', 'fsyncSync', 'renameSync']));
});
