import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../src-contract/runs/job.ts';
import type { Sandbox } from '../../src-main/services/sandbox/embedded-sandbox.ts';
import { readStoredState } from '../support/faults/stored-truth.ts';
import { backUp, ended, openTestSandbox, openWorld, register, type World } from '../support/world.ts';

type Action = Parameters<Sandbox['faults']['add']>[0]['action'];

const poll = { interval: 2, timeout: 10_000 };

async function ready(): Promise<{ world: World; source: Sandbox }> {
  const source = await openTestSandbox({ projectCount: 1 });
  // Jobs soon give up a lasting fault.
  const world = await openWorld({ maxOutageMs: 500 });
  await register(world, 'source', source);
  return { world, source };
}

const addFault = (source: Sandbox, action: Action, times?: number): void => {
  source.faults.add({
    match: { path: '/export/download$', ...(times === undefined ? {} : { times }) },
    action,
  });
};

const run = async ({ world, source }: { world: World; source: Sandbox }): Promise<Job | undefined> =>
  (await backUp(world, 'source', source.state.paths))[0];

describe('a download', () => {
  const failures: [string, Action, string, { isRetried: boolean; isTrashed: boolean }][] = [
    [
      'whose connection closes before the stated length',
      { kind: 'cut', afterBytes: 900, framing: 'length' },
      'connection-lost',
      { isRetried: true, isTrashed: false },
    ],
    [
      'whose connection is reset half-way',
      { kind: 'cut', afterBytes: 900, framing: 'length', reset: true },
      'connection-lost',
      { isRetried: true, isTrashed: false },
    ],
    [
      'whose chunked body is cut',
      { kind: 'cut', afterBytes: 900, framing: 'chunked' },
      'connection-lost',
      { isRetried: true, isTrashed: false },
    ],
    [
      'whose body is cut and has no stated length',
      { kind: 'cut', afterBytes: 900, framing: 'close' },
      'archive-corrupt',
      { isRetried: true, isTrashed: true },
    ],
    [
      'that returns a web page',
      { kind: 'html', status: 200 },
      'not-gitlab',
      { isRetried: false, isTrashed: false },
    ],
    [
      'with a flipped byte',
      { kind: 'corrupt', at: 700 },
      'archive-corrupt',
      { isRetried: false, isTrashed: true },
    ],
    [
      'that is empty',
      { kind: 'respond', status: 200, body: '', contentType: 'application/octet-stream' },
      'archive-corrupt',
      { isRetried: false, isTrashed: true },
    ],
  ];

  it.each(failures)(
    '%s fails its job with the matching error code and stores no archive',
    async (_how, action, code, { isTrashed }) => {
      const site = await ready();
      // The product may resume a broken download piece by piece, so the server sends nothing after the first piece.
      if (action.kind === 'cut' && code === 'connection-lost') {
        addFault(site.source, action, 1);
        addFault(site.source, { ...action, afterBytes: 0 });
      } else {
        addFault(site.source, action);
      }
      const job = await run(site);
      expect(job?.state).toMatchObject({ status: 'failed', error: { code } });
      const truth = readStoredState(site.world.dataDir);
      expect(truth).toMatchObject({ archives: [], parts: [] });
      expect(truth.trash.filter((file) => file.endsWith('.tar.gz'))).toHaveLength(isTrashed ? 1 : 0);
      if (isTrashed) {
        const [reason = ''] = truth.trash.filter((file) => file.endsWith('.reason.txt'));
        expect(readFileSync(join(site.world.dataDir, 'archives', reason), 'utf8').length).toBeGreaterThan(5);
      }
    },
  );

  it.each(failures.filter(([, , , { isRetried }]) => isRetried))(
    '%s is retried without another export',
    async (_how, action) => {
      const site = await ready();
      addFault(site.source, action, 2);
      expect((await run(site))?.state.status).toBe('succeeded');
      const { requests } = site.source;
      expect(
        requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/export')),
      ).toHaveLength(1);
      expect(readStoredState(site.world.dataDir)).toMatchObject({ parts: [], jobs: [{ step: null }] });
    },
  );
});

describe('a backup that is cancelled', () => {
  const steps: [string, Parameters<Sandbox['faults']['add']>[0], (job: Job) => boolean][] = [
    [
      'during its preparation',
      { match: { path: '/version$' }, action: { kind: 'delay', ms: 60_000 } },
      ({ step }) => step === 'prepare',
    ],
    [
      'while it requests the export',
      { match: { method: 'POST' }, action: { kind: 'delay', ms: 60_000 } },
      ({ step }) => step === 'request',
    ],
    [
      'while the server exports',
      { match: { method: 'POST' }, action: { kind: 'end-export', as: 'stuck' } },
      ({ step, state }) => step === 'wait' && state.status === 'waiting',
    ],
    [
      'while it downloads',
      { match: { path: 'download$' }, action: { kind: 'stall', afterBytes: 900 } },
      ({ progress }) => progress?.done === 900,
    ],
  ];

  it.each(steps)('%s leaves no archive, no partial file and no trash', async (_when, fault, reached) => {
    const { world, source } = await ready();
    const requestsBefore = source.requests.length;
    source.faults.add(fault);
    const { runId, jobIds } = await world.client.call('backup.start', {
      instance: 'source',
      projects: source.state.paths,
      keepExisting: false,
    });
    const job = jobIds[0] ?? '';
    const isReached = async () => {
      const pathPattern = fault.match.path ?? '';
      const isRequested = source.requests
        .slice(requestsBefore)
        .some(
          ({ path, method }) =>
            new RegExp(pathPattern).test(path) && method === (fault.match.method ?? method),
        );
      return isRequested && reached(await world.client.call('job.show', { job }));
    };
    await expect.poll(isReached, poll).toBe(true);
    await world.client.call('job.cancel', { job, by: 'me' });
    const [cancelled] = await ended(world, runId);
    expect(cancelled?.state).toEqual({ status: 'cancelled', by: 'me' });
    expect(readStoredState(world.dataDir)).toMatchObject({ archives: [], parts: [], trash: [] });
  });
});
