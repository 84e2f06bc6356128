import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../src-contract/runs/job.ts';
import type { Sandbox } from '../../src-main/services/sandbox/embedded-sandbox.ts';
import { storedTruth } from '../support/faults/stored-truth.ts';
import { backUp, ended, openTestSandbox, openWorld, register, type World } from '../support/world.ts';

type Action = Parameters<Sandbox['faults']['add']>[0]['action'];

const poll = { interval: 2, timeout: 10_000 };

async function ready(): Promise<{ world: World; source: Sandbox }> {
  const source = await openTestSandbox({ projectCount: 1 });
  // A lasting fault is given up soon.
  const world = await openWorld({ maxOutageMs: 500 });
  await register(world, 'source', source);
  return { world, source };
}

const spoil = (source: Sandbox, action: Action, times?: number): void => {
  source.faults.add({
    match: { path: '/export/download$', ...(times === undefined ? {} : { times }) },
    action,
  });
};

const run = async ({ world, source }: { world: World; source: Sandbox }): Promise<Job | undefined> =>
  (await backUp(world, 'source', source.state.paths))[0];

describe('a download that goes wrong', () => {
  const ways: [string, Action, string, { again: boolean; trash: boolean }][] = [
    [
      'cut short of its length',
      { kind: 'cut', afterBytes: 900, framing: 'length' },
      'connection-lost',
      { again: true, trash: false },
    ],
    [
      'reset half-way',
      { kind: 'cut', afterBytes: 900, framing: 'length', reset: true },
      'connection-lost',
      { again: true, trash: false },
    ],
    [
      'cut in a chunked body',
      { kind: 'cut', afterBytes: 900, framing: 'chunked' },
      'connection-lost',
      { again: true, trash: false },
    ],
    [
      'cut where only the end of the connection tells',
      { kind: 'cut', afterBytes: 900, framing: 'close' },
      'archive-corrupt',
      { again: true, trash: true },
    ],
    ['a web page', { kind: 'html', status: 200 }, 'not-gitlab', { again: false, trash: false }],
    ['with a flipped byte', { kind: 'corrupt', at: 700 }, 'archive-corrupt', { again: false, trash: true }],
    [
      'empty',
      { kind: 'respond', status: 200, body: '', contentType: 'application/octet-stream' },
      'archive-corrupt',
      { again: false, trash: true },
    ],
  ];

  it.each(ways)('%s is told for what it is, and nothing is stored', async (_how, action, code, { trash }) => {
    const site = await ready();
    // A broken download may be resumed, and would arrive piece by piece, so nothing comes after the first piece.
    if (action.kind === 'cut' && code === 'connection-lost') {
      spoil(site.source, action, 1);
      spoil(site.source, { ...action, afterBytes: 0 });
    } else {
      spoil(site.source, action);
    }
    const job = await run(site);
    expect(job?.state).toMatchObject({ status: 'failed', error: { code } });
    const truth = storedTruth(site.world.dataDir);
    expect(truth).toMatchObject({ archives: [], parts: [] });
    expect(truth.trash.filter((file) => file.endsWith('.tar.gz'))).toHaveLength(trash ? 1 : 0);
    if (trash) {
      const [reason = ''] = truth.trash.filter((file) => file.endsWith('.reason.txt'));
      expect(readFileSync(join(site.world.dataDir, 'archives', reason), 'utf8').length).toBeGreaterThan(5);
    }
  });

  it.each(ways.filter(([, , , { again }]) => again))(
    '%s is fetched again, without another export',
    async (_how, action) => {
      const site = await ready();
      spoil(site.source, action, 2);
      expect((await run(site))?.state.status).toBe('succeeded');
      const { requests } = site.source;
      expect(
        requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/export')),
      ).toHaveLength(1);
      expect(storedTruth(site.world.dataDir)).toMatchObject({ parts: [], jobs: [{ step: null }] });
    },
  );
});

describe('a backup that is cancelled', () => {
  const steps: [string, Parameters<Sandbox['faults']['add']>[0], (job: Job) => boolean][] = [
    [
      'while it is prepared',
      { match: { path: '/version$' }, action: { kind: 'delay', ms: 60_000 } },
      ({ step }) => step === 'prepare',
    ],
    [
      'while it asks',
      { match: { method: 'POST' }, action: { kind: 'delay', ms: 60_000 } },
      ({ step }) => step === 'request',
    ],
    [
      'while the server works',
      { match: { method: 'POST' }, action: { kind: 'end-export', as: 'stuck' } },
      ({ step, state }) => step === 'wait' && state.status === 'waiting',
    ],
    [
      'while it downloads',
      { match: { path: 'download$' }, action: { kind: 'stall', afterBytes: 900 } },
      ({ progress }) => progress?.done === 900,
    ],
  ];

  it.each(steps)('%s leaves nothing behind', async (_when, fault, reached) => {
    const { world, source } = await ready();
    const asked = source.requests.length;
    source.faults.add(fault);
    const { runId, jobIds } = await world.client.call('backup.start', {
      instance: 'source',
      projects: source.state.paths,
      keepExisting: false,
    });
    const job = jobIds[0] ?? '';
    const there = async () => {
      const seen = fault.match.path ?? '';
      const met = source.requests
        .slice(asked)
        .some(({ path, method }) => new RegExp(seen).test(path) && method === (fault.match.method ?? method));
      return met && reached(await world.client.call('job.show', { job }));
    };
    await expect.poll(there, poll).toBe(true);
    await world.client.call('job.cancel', { job, by: 'me' });
    const [cancelled] = await ended(world, runId);
    expect(cancelled?.state).toEqual({ status: 'cancelled', by: 'me' });
    expect(storedTruth(world.dataDir)).toMatchObject({ archives: [], parts: [], trash: [] });
  });
});
