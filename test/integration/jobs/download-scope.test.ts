/** @file Servers that count downloads by namespace, as GitLab 14.10 to 17.9 did. */
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import { limitPresets } from '../../../src-main/sandbox/requests/limits.ts';
import { FastClock, longDiskTimeouts } from '../../support/clocks/fast-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ended, openWorld } from '../../support/world.ts';

const minute = 60_000;

it.each([
  ['is respected from the first download on if the version implies it', '17.5.0-ee', 0],
  ['is learned from refusals if the version does not imply it', '18.5.0-ee', 4],
])(
  'a download limit by namespace %s',
  async (_how, version, maxRefusals) => {
    const clock = new FastClock(100);
    const limits = { ...limitPresets.gitlab, downloadScope: 'namespace', sendsRetryAfter: false } as const;
    const sandbox = await startSandbox({ clock, projectCount: 30, version, limits });
    onTestFinished(() => sandbox.close());
    const { client, ...world } = await openWorld({
      clock,
      dataDir: temporaryFolder(),
      diskLimits: longDiskTimeouts,
      httpLimits: { bodyTimeoutMs: 20 * minute, rate: { windowMs: 20 * minute, minBytes: 1 } },
    });
    const token = sandbox.tokens.administrator;
    await client.call('instance.setToken', { name: 'old', token, keep: 'session' });
    const { url } = sandbox;
    await client.call('instance.add', { name: 'old', url, caFile: null, pace: 'gitlab', keep: 'session' });
    const projects = sandbox.state.paths.filter((path) => /^borealis\/[^/]+$/.test(path)).slice(-5);
    expect(projects).toHaveLength(5);
    const { runId } = await client.call('backup.start', { instance: 'old', projects, keepExisting: false });
    const jobs = await ended({ client, ...world }, runId);
    expect(jobs.map(({ state }) => state.status)).toEqual(Array(5).fill('succeeded'));
    const downloads = sandbox.requests.filter(({ path }) => path.endsWith('/export/download'));
    const refused = downloads.filter(({ status }) => status === 429).length;
    expect(refused).toBeLessThanOrEqual(maxRefusals);
    expect(downloads).toHaveLength(5 + refused);
  },
  120_000,
);
