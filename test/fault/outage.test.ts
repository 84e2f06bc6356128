/**
 * @file Two instances are unreachable for a minute of real time, during backups and an import, across a restart of the
 * program.
 *
 * Slow, because it waits for that minute: the pauses between probes are as long as in the product.
 */
import { expect, it } from 'vitest';
import { hasEnded } from '../../src-contract/runs/job.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { allEnded, backUp, openTestSandbox, openWorld, register } from '../support/world.ts';
import { archiveFilter, jobFilter } from '../support/requests.ts';

const outageMs = 60_000;
const posts = (sandbox: Sandbox, path: RegExp): number =>
  sandbox.requests.filter(
    ({ method, path: requestPath, status }) =>
      method === 'POST' && path.test(requestPath) && (status ?? 500) < 300,
  ).length;

it('jobs survive an outage of a minute and a restart: all of them succeed, and nothing is exported or imported twice', async () => {
  const source = await openTestSandbox({ projectCount: 6 });
  const target = await openTestSandbox({ projectCount: 0, seed: 2 });
  const dataDir = temporaryFolder();
  const before = await openWorld({ dataDir });
  await register(before, 'source', source);
  await register(before, 'target', target);
  const [first = '', ...others] = source.state.paths;
  await backUp(before, 'source', [first]);
  const { archives } = await before.client.call('archive.list', archiveFilter({ limit: 1 }));

  for (const sandbox of [source, target]) {
    sandbox.faults.add({
      match: { path: '/export/download|/import$' },
      action: { kind: 'respond', status: 502 },
    });
  }
  const backups = { instance: 'source', projects: others, keepExisting: false };
  await before.client.call('backup.start', backups);
  await before.client.call('import.start', {
    ...{ instance: 'target', archive: archives[0]?.id ?? '', namespace: null, path: 'copy', name: null },
    ...{ overwrite: false, allowSuspicious: false, overrideParams: {} },
  });
  const exported = () => posts(source, /\/export$/);
  await expect.poll(exported, { timeout: 20_000 }).toBe(6);
  // From here on no request gets a reply.
  for (const sandbox of [source, target]) sandbox.faults.add({ match: {}, action: { kind: 'reset' } });
  await systemClock.sleep(outageMs / 2);
  await before.app.close();

  const env = {
    PACKHORSE_TOKEN_SOURCE: source.tokens.maintainer,
    PACKHORSE_TOKEN_TARGET: target.tokens.maintainer,
  };
  const after = await openWorld({ dataDir, env });
  await systemClock.sleep(outageMs / 2);
  const { jobs } = await after.client.call('job.list', jobFilter());
  expect(jobs.filter(({ state }) => !hasEnded(state))).toHaveLength(6);
  for (const sandbox of [source, target]) sandbox.faults.clear();
  const ended = await allEnded(after);
  expect(ended.map(({ state }) => state.status)).toEqual(Array(7).fill('succeeded'));
  expect(exported()).toBe(6);
  expect(posts(target, /\/projects\/import$/)).toBe(1);
}, 240_000);
