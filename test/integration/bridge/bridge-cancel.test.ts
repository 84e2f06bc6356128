/** @file Long calls stop at once when they are cancelled, and leave no partial result. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import type { ArchiveSummary } from '../../../src-contract/archives/archive.ts';
import type { CallName } from '../../../src-contract/call-names.ts';
import type { CallRequest, Result } from '../../../src-contract/calls.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { commandLinePaths } from '../../../src-main/bridge/archives/granted-paths.ts';
import { backUp, openTestSandbox, openWorld, register, type World } from '../../support/world.ts';
import { archiveFilter, jobFilter } from '../../support/requests.ts';

let world: World;
let sandbox: Sandbox;
let archives: ArchiveSummary[];
const list = async (): Promise<ArchiveSummary[]> => {
  const reply = await world.client.call('archive.list', archiveFilter());
  return reply.archives;
};
beforeEach(async () => {
  world = await openWorld();
  sandbox = await openTestSandbox({ projectCount: 3 });
  await register(world, 'source', sandbox);
  await backUp(world, 'source', 'all');
  archives = await list();
});

/** Cancels the call at its first progress report. `later` are the requests that the sandbox receives afterwards. */
async function callAndCancel<Name extends CallName>(
  name: Name,
  request: CallRequest<Name>,
): Promise<{ result: Result<unknown>; reports: Progress[]; later: string[] }> {
  const controller = new AbortController();
  const reports: Progress[] = [];
  let sent = Infinity;
  const result = await world.app.dispatch(name, request, {
    signal: controller.signal,
    grants: commandLinePaths,
    progress: (progress) => {
      reports.push(progress);
      sent = Math.min(sent, sandbox.requests.length);
      controller.abort();
    },
  });
  return { result, reports, later: sandbox.requests.slice(sent).map(({ path }) => path) };
}
const cancelled = { ok: false, error: { code: 'cancelled' } };
const first = () => archives[0]?.id ?? '';
const stateOf = (archive: ArchiveSummary | undefined) =>
  readFileSync(`${archive?.absolutePath ?? ''}.state.json`, 'utf8');

test.each(['L1', 'L2'] as const)(
  'a cancelled verification of level %s records neither proof nor damage',
  async (level) => {
    const before = stateOf(archives[0]);
    const { result, reports } = await callAndCancel('archive.verify', { archive: first(), level });
    expect(result).toMatchObject(cancelled);
    expect(reports[0]).toMatchObject({ step: 'read', unit: 'bytes', total: archives[0]?.sizeBytes });
    expect(stateOf(archives[0])).toBe(before);
    expect(await list()).toEqual(archives);
  },
);

test('an inspection that is cancelled during its progress returns no result', async () => {
  const { result, reports } = await callAndCancel('archive.inspect', { archive: first() });
  expect(result).toMatchObject(cancelled);
  expect(reports).not.toEqual([]);
});

test('an import that is cancelled while its archive is read creates no job and sends nothing more', async () => {
  const { result, reports, later } = await callAndCancel('import.start', {
    instance: 'source',
    archive: first(),
    namespace: 'atlas',
    path: 'copy',
    name: null,
    overwrite: false,
    allowSuspicious: false,
    overrideParams: {},
  });
  expect(result).toMatchObject(cancelled);
  const { jobs } = await world.client.call('job.list', jobFilter());
  expect(jobs.every(({ kind }) => kind === 'export')).toBe(true);
  expect(reports).not.toEqual([]);
  expect(later).toEqual([]);
  expect(sandbox.state.paths).not.toContain('atlas/copy');
});

test('a cancelled rescan leaves every archive unchanged', async () => {
  const { result, reports } = await callAndCancel('archive.rescan', {});
  expect(result).toMatchObject(cancelled);
  expect(reports).toMatchObject([{ step: 'rescan', unit: 'records', done: 1, total: null }]);
  expect(await list()).toEqual(archives);
});

test('a call that is cancelled before it begins sends nothing and returns "cancelled"', async () => {
  const progress = () => undefined;
  const sent = sandbox.requests.length;
  const result = await world.app.dispatch(
    'instance.refresh',
    { name: 'source', visible: false },
    { signal: AbortSignal.abort(), progress, grants: commandLinePaths },
  );
  expect(result).toMatchObject(cancelled);
  expect(sandbox.requests).toHaveLength(sent);
});
