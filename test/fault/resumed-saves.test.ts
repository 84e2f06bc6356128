/** @file Exports are saved outside the store despite broken connections, within the limits that jobs respect. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../src-main/sandbox/sandbox.ts';
import { FastClock, longDiskTimeouts } from '../support/clocks/fast-clock.ts';
import { projectUrl, SandboxCalls } from '../support/servers/sandbox-calls.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openWorld } from '../support/world.ts';

const download = /\/export\/download$/;

/** Prepares a finished export that is old enough to be resumed, and a folder to save it to. */
async function site(options: Partial<SandboxOptions> = {}, pace: 'gitlab' | 'sandbox' = 'sandbox') {
  // At this speed a minute takes more than half a second.
  const clock = new FastClock(100);
  const sandbox = await startSandbox({ clock, projectCount: 1, ...options });
  onTestFinished(() => sandbox.close());
  const [project = ''] = sandbox.state.paths;
  const calls = new SandboxCalls(sandbox);
  const exportAgain = async (): Promise<void> => {
    await calls.call(`${projectUrl(project)}/export`, 'POST');
    await expect.poll(() => calls.exportStatus(project), { interval: 8 }).toBe('finished');
    await clock.sleep(3_000);
  };
  await exportAgain();
  const world = await openWorld({ clock, diskLimits: longDiskTimeouts });
  const source = { name: 'source', url: sandbox.url, caFile: null, pace, keep: 'session' } as const;
  await world.client.call('instance.setToken', { ...source, token: sandbox.tokens.maintainer });
  await world.client.call('instance.add', source);
  const folder = temporaryFolder();
  const save = () => world.client.call('export.download', { instance: 'source', project, to: folder });
  const requestsTo = (path: RegExp) => sandbox.requests.filter((request) => path.test(request.path));
  const breakOff = (path: RegExp, afterBytes: number, nth: number): void => {
    sandbox.faults.add({
      match: { path: path.source, nth },
      action: { kind: 'cut', afterBytes, framing: 'length' },
    });
  };
  return { clock, sandbox, project, calls, exportAgain, world, folder, save, requestsTo, breakOff };
}

describe('an export that is saved outside the store', () => {
  it.each([
    ['from the instance', false, download],
    ['from object storage', true, /\/exports\//],
  ])('%s resumes where its connection broke, and is complete', async (_where, objectStorage, path) => {
    const { breakOff, save, requestsTo, folder, calls, project } = await site({
      hasObjectStorage: objectStorage,
    });
    for (const [at, afterBytes] of [900, 700, 500].entries()) breakOff(path, afterBytes, at + 1);

    const saved = await save();
    expect(saved.verdict).toBe('sound');
    const ranges = requestsTo(path).map(({ headers }) => headers['range']);
    expect(ranges).toEqual([undefined, 'bytes=900-', 'bytes=1600-', 'bytes=2100-']);
    const reply = await calls.fetch(`${projectUrl(project)}/export/download`);
    expect(readFileSync(saved.path)).toEqual(Buffer.from(await reply.arrayBuffer()));
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('waits for its turn before it resumes, like a job, so that the instance rejects nothing', async () => {
    const { breakOff, save, requestsTo, clock } = await site({ limits: 'gitlab' }, 'gitlab');
    breakOff(download, 900, 1);

    const startedAt = clock.monotonic();
    expect((await save()).verdict).toBe('sound');
    expect(clock.monotonic() - startedAt).toBeGreaterThanOrEqual(60_000);
    expect(requestsTo(download).map(({ status }) => status)).toEqual([null, 206]);
    // The next save sends another request in the same minute.
    await save();
    expect(requestsTo(download).map(({ status }) => status)).toEqual([null, 206, 200]);
  });

  it('contains only the newer export if the project is exported again during the download', async () => {
    const { breakOff, save, requestsTo, exportAgain, calls, project, folder } = await site({}, 'gitlab');
    breakOff(download, 900, 1);
    const saving = save();
    await expect.poll(() => requestsTo(download).length, { interval: 2 }).toBe(1);
    await calls.call(projectUrl(project), 'PUT', { description: 'Changed in between' });
    await exportAgain();

    const saved = await saving;
    expect(saved.verdict).toBe('sound');
    expect(requestsTo(download).map(({ status }) => status)).toEqual([null, 200]);
    const reply = await calls.fetch(`${projectUrl(project)}/export/download`);
    expect(readFileSync(saved.path)).toEqual(Buffer.from(await reply.arrayBuffer()));
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('leaves nothing if the download fails', async () => {
    const { breakOff, save, folder } = await site();
    for (const nth of [1, 2, 3, 4]) breakOff(download, 0, nth);
    await expect(save()).rejects.toMatchObject({ code: 'connection-lost' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
