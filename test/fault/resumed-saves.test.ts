/** @file Files are saved outside the store across broken connections, within the limits that jobs keep. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../src-main/sandbox/sandbox.ts';
import { FastClock, patientWithDisk } from '../support/clocks/fast-clock.ts';
import { projectUrl, SandboxCalls } from '../support/servers/sandbox-calls.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openWorld } from '../support/world.ts';

const download = /\/export\/download$/;

/** Prepares a finished export that is old enough to be resumed, and a folder to save it to. */
async function site(options: Partial<SandboxOptions> = {}, pace: 'gitlab' | 'sandbox' = 'sandbox') {
  // A minute takes more than half a second.
  const clock = new FastClock(100);
  const sandbox = await startSandbox({ clock, projectCount: 1, ...options });
  onTestFinished(() => sandbox.close());
  const [project = ''] = sandbox.state.paths;
  const calls = new SandboxCalls(sandbox);
  const exportAnew = async (): Promise<void> => {
    await calls.call(`${projectUrl(project)}/export`, 'POST');
    await expect.poll(() => calls.exportStatus(project), { interval: 8 }).toBe('finished');
    await clock.sleep(3_000);
  };
  await exportAnew();
  const world = await openWorld({ clock, diskLimits: patientWithDisk });
  const source = { name: 'source', url: sandbox.url, caFile: null, pace, keep: 'session' } as const;
  await world.client.call('instance.setToken', { ...source, token: sandbox.tokens.maintainer });
  await world.client.call('instance.add', source);
  const folder = temporaryFolder();
  const save = () => world.client.call('export.download', { instance: 'source', project, to: folder });
  const asked = (path: RegExp) => sandbox.requests.filter((request) => path.test(request.path));
  const breakOff = (path: RegExp, afterBytes: number, nth: number): void => {
    sandbox.faults.add({
      match: { path: path.source, nth },
      action: { kind: 'cut', afterBytes, framing: 'length' },
    });
  };
  return { clock, sandbox, project, calls, exportAnew, world, folder, save, asked, breakOff };
}

describe('an export that is saved outside the store', () => {
  it.each([
    ['from the instance', false, download],
    ['from object storage', true, /\/exports\//],
  ])('%s goes on where its connection broke, and is whole', async (_where, objectStorage, path) => {
    const { breakOff, save, asked, folder, calls, project } = await site({ hasObjectStorage: objectStorage });
    for (const [at, afterBytes] of [900, 700, 500].entries()) breakOff(path, afterBytes, at + 1);

    const saved = await save();
    expect(saved.verdict).toBe('sound');
    const ranges = asked(path).map(({ headers }) => headers['range']);
    expect(ranges).toEqual([undefined, 'bytes=900-', 'bytes=1600-', 'bytes=2100-']);
    const reply = await calls.fetch(`${projectUrl(project)}/export/download`);
    expect(readFileSync(saved.path)).toEqual(Buffer.from(await reply.arrayBuffer()));
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('waits for its turn before it goes on, as jobs do: the instance refuses nothing', async () => {
    const { breakOff, save, asked, clock } = await site({ limits: 'gitlab' }, 'gitlab');
    breakOff(download, 900, 1);

    const began = clock.monotonic();
    expect((await save()).verdict).toBe('sound');
    expect(clock.monotonic() - began).toBeGreaterThanOrEqual(60_000);
    expect(asked(download).map(({ status }) => status)).toEqual([null, 206]);
    // The next one is another request of the same minute.
    await save();
    expect(asked(download).map(({ status }) => status)).toEqual([null, 206, 200]);
  });

  it('is the newer one alone where it was made anew meanwhile', async () => {
    const { breakOff, save, asked, exportAnew, calls, project, folder } = await site({}, 'gitlab');
    breakOff(download, 900, 1);
    const saving = save();
    await expect.poll(() => asked(download).length, { interval: 2 }).toBe(1);
    await calls.call(projectUrl(project), 'PUT', { description: 'Changed in between' });
    await exportAnew();

    const saved = await saving;
    expect(saved.verdict).toBe('sound');
    expect(asked(download).map(({ status }) => status)).toEqual([null, 200]);
    const reply = await calls.fetch(`${projectUrl(project)}/export/download`);
    expect(readFileSync(saved.path)).toEqual(Buffer.from(await reply.arrayBuffer()));
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('leaves nothing where it is given up', async () => {
    const { breakOff, save, folder } = await site();
    for (const nth of [1, 2, 3, 4]) breakOff(download, 0, nth);
    await expect(save()).rejects.toMatchObject({ code: 'connection-lost' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
