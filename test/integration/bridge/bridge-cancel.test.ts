/** @file Calls that take long are given up at once, and leave nothing half done. */
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

/** Gives the call up as soon as it first tells how far it is. */
async function givenUp<Name extends CallName>(
  name: Name,
  request: CallRequest<Name>,
): Promise<{ result: Result<unknown>; told: Progress[] }> {
  const giveUp = new AbortController();
  const told: Progress[] = [];
  const result = await world.app.dispatch(name, request, {
    signal: giveUp.signal,
    paths: commandLinePaths,
    progress: (progress) => {
      told.push(progress);
      giveUp.abort();
    },
  });
  return { result, told };
}
const cancelled = { ok: false, error: { code: 'cancelled' } };
const first = () => archives[0]?.id ?? '';
const stateOf = (archive: ArchiveSummary | undefined) =>
  readFileSync(`${archive?.absolutePath ?? ''}.state.json`, 'utf8');

test.each(['L1', 'L2'] as const)(
  'a verification to %s that is given up records neither proof nor damage',
  async (level) => {
    const before = stateOf(archives[0]);
    const { result, told } = await givenUp('archive.verify', { archive: first(), level });
    expect(result).toMatchObject(cancelled);
    expect(told[0]).toMatchObject({ step: 'read', unit: 'bytes', total: archives[0]?.sizeBytes });
    expect(stateOf(archives[0])).toBe(before);
    expect(await list()).toEqual(archives);
  },
);

test('an inspection that is given up tells nothing', async () => {
  const { result, told } = await givenUp('archive.inspect', { archive: first() });
  expect(result).toMatchObject(cancelled);
  expect(told).not.toEqual([]);
});

test('an import that is given up while its archive is read makes no job and asks the server for nothing more', async () => {
  const { result } = await givenUp('import.start', {
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
  expect(sandbox.state.paths).not.toContain('atlas/copy');
});

test('a rescan that is given up leaves every archive as it was', async () => {
  const { result, told } = await givenUp('archive.rescan', {});
  expect(result).toMatchObject(cancelled);
  expect(told).toMatchObject([{ step: 'rescan', unit: 'records', done: 1, total: null }]);
  expect(await list()).toEqual(archives);
});

test('a call that is given up before it began does nothing', async () => {
  const progress = () => undefined;
  const result = await world.app.dispatch(
    'instance.refresh',
    { name: 'source', visible: false },
    { signal: AbortSignal.abort(), progress, paths: commandLinePaths },
  );
  expect(result).toMatchObject(cancelled);
});
