/** @file Downloads break off while the project is exported again. Parts of two exports never become one file. */
import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src-contract/errors.ts';
import { downloadExport } from '../../src-main/gitlab/transfers/exports.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { Token } from '../../src-main/platform/token.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src-main/sandbox/sandbox.ts';
import { seeded } from '../support/archives/archive-builder.ts';
import { testClient } from '../support/servers/instance-client.ts';
import { projectUrl, SandboxCalls } from '../support/servers/sandbox-calls.ts';
import { ShiftedClock } from '../support/clocks/shifted-clock.ts';
import { readStoredState } from '../support/faults/stored-truth.ts';
import { backUp, ended, openWorld, register } from '../support/world.ts';

const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const instant = { exportPendingMs: 0, exportQueuedMs: 0, exportStartedMs: 0, exportClosingMs: 0 };

async function scene(options: Partial<SandboxOptions> = {}) {
  const clock = new ShiftedClock(systemClock.now());
  const sandbox = await startSandbox({ clock, projectCount: 1, speed: instant, ...options });
  onTestFinished(() => sandbox.close());
  const [project = ''] = sandbox.state.paths;
  return { clock, sandbox, project, calls: new SandboxCalls(sandbox) };
}

/** Exports the project again, with about the same length, and returns the hash and length of the file. */
async function regenerate(calls: SandboxCalls, project: string, description: string) {
  await calls.call(`${projectUrl(project)}/export`, 'POST', { description });
  await expect.poll(() => calls.exportStatus(project), { interval: 8 }).toBe('finished');
  const bytes = await (await calls.fetch(`${projectUrl(project)}/export/download`)).arrayBuffer();
  return { sha: shaOf(Buffer.from(bytes)), length: bytes.byteLength };
}

const breakOff = (sandbox: Sandbox, path: RegExp, afterBytes: number, nth = 1): void => {
  sandbox.faults.add({
    match: { path: path.source, nth },
    action: { kind: 'cut', afterBytes, framing: 'length' },
  });
};

describe.each([
  ['from the instance', false, /\/export\/download$/],
  ['from object storage', true, /\/exports\//],
])('a download %s', (_where, objectStorage, path) => {
  it('that breaks off while the project is exported again delivers one whole export or none, in a hundred tries', async () => {
    const { clock, sandbox, project, calls } = await scene({ hasObjectStorage: objectStorage });
    const client = testClient(sandbox.url, {
      token: () => Promise.resolve(new Token(sandbox.tokens.maintainer)),
    });
    const randomBelow = seeded(objectStorage ? 11 : 7);
    const description = (): string => String(randomBelow(1e9)).padStart(9, '0');
    const seen = { whole: 0, failed: 0, restarted: 0, resumed: 0, sameLength: 0 };
    for (let run = 0; run < 100; run += 1) {
      const versions = [await regenerate(calls, project, description())];
      // The download starts within the second of the export, at the edge of that second, or well after it.
      clock.step([0, 900, 2_000, 60_000][run % 4] ?? 0);
      sandbox.faults.clear();
      const length = versions[0]?.length ?? 0;
      breakOff(sandbox, path, 1 + randomBelow(length - 1));
      let received: Uint8Array[] = [];
      let starts = 0;
      const isExportedAgain = run % 5 !== 0;
      const work = downloadExport(client, project, {
        onStart: () => {
          starts += 1;
          received = [];
        },
        onChunk: (chunk) => Promise.resolve(void received.push(Buffer.from(chunk))),
        beforeResume: async () => {
          if (!isExportedAgain || versions.length > 1) return;
          clock.step([0, 400, 1_500][run % 3] ?? 0);
          versions.push(await regenerate(calls, project, description()));
        },
      });
      const failure = await work.then(
        () => null,
        (thrown: unknown) => AppError.from(thrown),
      );
      if (failure !== null) {
        expect(failure.code).toMatch(/^(connection-lost|export-gone|server-error)$/);
        seen.failed += 1;
        continue;
      }
      expect(versions.map(({ sha }) => sha)).toContain(shaOf(Buffer.concat(received)));
      seen.whole += 1;
      if (starts > 1) seen.restarted += 1;
      else seen.resumed += 1;
      if (starts > 1 && versions[0]?.length === versions[1]?.length) seen.sameLength += 1;
    }
    // The runs covered both cases: downloads were resumed, and restarted although the new file was as long as the old
    // one.
    expect(seen.resumed).toBeGreaterThan(5);
    expect(seen.restarted).toBeGreaterThan(20);
    expect(seen.sameLength).toBeGreaterThan(5);
  });
});

/** A clock whose sleeps do not wait but move the wall clock. */
class InstantClock extends ShiftedClock {
  override sleep(ms: number): Promise<void> {
    this.step(ms);
    return Promise.resolve();
  }
}

describe('a backup whose download breaks off', () => {
  /** Prepares a backup of a project whose exports are ten seconds old when they can be downloaded. */
  async function site(objectStorage: boolean) {
    const clock = new InstantClock(systemClock.now());
    const speed = { ...instant, exportClosingMs: 10_000 };
    const { sandbox, project } = await scene({ clock, hasObjectStorage: objectStorage, speed });
    const world = await openWorld();
    await register(world, 'source', sandbox);
    const requestsTo = (path: RegExp) => sandbox.requests.filter((request) => path.test(request.path));
    return { sandbox, project, world, requestsTo };
  }

  it.each([
    ['on the instance', false, /\/export\/download$/],
    ['in object storage', true, /\/exports\//],
  ])('%s resumes where it broke off, and the export is stored', async (_where, objectStorage, path) => {
    const { sandbox, project, world, requestsTo } = await site(objectStorage);
    for (const [at, afterBytes] of [900, 700, 500].entries()) breakOff(sandbox, path, afterBytes, at + 1);
    const [job] = await backUp(world, 'source', [project]);
    expect(job?.state.status).toBe('succeeded');
    const truth = readStoredState(world.dataDir);
    expect(truth).toMatchObject({ parts: [], trash: [] });
    expect(truth.archives).toHaveLength(1);
    const ranges = requestsTo(path).map(({ headers }) => headers['range']);
    expect(ranges).toEqual([undefined, 'bytes=900-', 'bytes=1600-', 'bytes=2100-']);
    expect(requestsTo(/\/export\/download$/)).toHaveLength(objectStorage ? 1 : 4);
    const { events } = await world.client.call('job.log', { job: job?.id ?? '', afterId: 0, limit: 100 });
    expect(events.map(({ message }) => message)).toContain(
      'The download was interrupted after 900 bytes; resuming from there.',
    );
  });

  it('and whose remainder has a flipped byte downloads the whole file again', async () => {
    const { sandbox, project, world, requestsTo } = await site(false);
    const path = /\/export\/download$/;
    breakOff(sandbox, path, 900);
    sandbox.faults.add({ match: { path: path.source, nth: 2 }, action: { kind: 'corrupt', at: 300 } });
    const [job] = await backUp(world, 'source', [project]);
    expect(job?.state.status).toBe('succeeded');
    expect(requestsTo(path).map(({ headers }) => headers['range'])).toEqual([
      undefined,
      'bytes=900-',
      undefined,
    ]);
    expect(readStoredState(world.dataDir).archives).toHaveLength(1);
  });

  it('can be cancelled while it waits to resume', async () => {
    const { sandbox, project, world, requestsTo } = await site(false);
    breakOff(sandbox, /\/export\/download$/, 900);
    sandbox.faults.add({
      match: { path: '/export/download$', nth: 2, times: 9 },
      action: { kind: 'respond', status: 429, headers: { 'retry-after': '60' } },
    });
    const start = { instance: 'source', projects: [project], keepExisting: false };
    const { runId, jobIds } = await world.client.call('backup.start', start);
    await expect.poll(() => requestsTo(/\/export\/download$/).length, { interval: 2 }).toBe(2);
    await world.client.call('job.cancel', { job: jobIds[0] ?? '', by: 'me' });
    expect(await ended(world, runId)).toMatchObject([{ state: { status: 'cancelled' } }]);
    expect(readStoredState(world.dataDir)).toMatchObject({ archives: [], parts: [], trash: [] });
  });
});
