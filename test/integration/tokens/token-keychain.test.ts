/** @file Rotations with a failing keychain. */
import { expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { createCredentials } from '../../../src-main/platform/credentials.ts';
import type { TokenFilter } from '../../../src-contract/tokens/token.ts';
import { tokenFilterSchema } from '../../../src-contract/tokens/token-schema.ts';
import { FailingKeychain } from '../../support/keychain/failing-keychain.ts';
import { MemoryKeychain } from '../../support/keychain/memory-keychain.ts';
import { beginRotation, openScene, acceptsToken, waitingFor } from '../../support/tokens/rotation-scene.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { ended, openTestSandbox, openWorld, type World } from '../../support/world.ts';

const anyToken = Object.fromEntries(
  Object.keys(tokenFilterSchema.shape).map((name) => [name, null]),
) as unknown as TokenFilter;

/** Shortens waits to a hundredth, such as the ten-second timeout of a hanging keychain. */
const fastClock = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal),
};
const setUp = (keychain: MemoryKeychain, spare = false) =>
  openScene({ keychain, spare, world: { clock: fastClock } });
const begin = (world: World) => beginRotation({ world });

const failures = ['locked', 'cuts', 'hangs'] as const;

test.for(failures)(
  'if the keychain fails the write check (%s), no rotation is requested from the instance',
  async (how) => {
    const keychain = new FailingKeychain();
    const { world, sandbox } = await setUp(keychain);
    keychain.isWorking = false;
    keychain.faultOf = (call, account) => (account === '.probe' && call === 'set' ? how : null);
    const { runId } = await begin(world);
    expect(await ended(world, runId)).toMatchObject([
      { state: { status: 'failed', error: { code: 'rotation-refused' } } },
    ]);
    expect(sandbox.requests.some(({ path }) => path.endsWith('/rotate'))).toBe(false);
  },
);

test.for(
  failures.flatMap((how) =>
    (['source#pending', 'source'] as const).map((account) => [how, account] as const),
  ),
)(
  'a keychain that does not store the new token (%s, %s) loses nothing: the token stays in memory until it is stored',
  async ([how, account]) => {
    const keychain = new FailingKeychain();
    const { world, sandbox } = await setUp(keychain);
    keychain.isWorking = false;
    keychain.faultOf = (call, requested) => (requested === account && call === 'set' ? how : null);
    const { jobId, runId } = await begin(world);
    const waiting = await waitingFor(world, jobId, 'keychain');
    expect(waiting.state).toMatchObject({ status: 'waiting', reason: 'keychain' });
    // The new token is in use nevertheless.
    expect(await world.client.call('instance.check', { name: 'source' })).toMatchObject({
      tokenSource: 'session',
    });
    await expect(world.client.call('job.cancel', { job: jobId, by: 'test' })).rejects.toMatchObject({
      code: 'job-busy',
    });
    expect(await world.client.call('run.cancel', { run: runId, by: 'test' })).toMatchObject({
      cancelled: 0,
      stopping: 0,
      refused: [{ error: { code: 'job-busy' } }],
    });
    keychain.isWorking = true;
    expect(await ended(world, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
    expect(await acceptsToken(sandbox, keychain.entries.get('Packhorse/source'))).toBe(true);
    expect(keychain.entries.has('Packhorse/source#pending')).toBe(false);
    expect(sandbox.requests.filter(({ path }) => path.endsWith('/rotate'))).toHaveLength(1);
  },
);

test('a second copy that cannot be deleted does not prevent a rotation from ending', async () => {
  const keychain = new FailingKeychain();
  const { world, sandbox } = await setUp(keychain);
  keychain.isWorking = false;
  keychain.faultOf = (call, account) => (account === 'source#pending' && call === 'delete' ? 'locked' : null);
  expect(await ended(world, (await begin(world)).runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  keychain.isWorking = true;
  // The copy does not disturb the next rotation.
  expect(await ended(world, (await begin(world)).runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect(await acceptsToken(sandbox, keychain.entries.get('Packhorse/source'))).toBe(true);
  expect(keychain.entries.has('Packhorse/source#pending')).toBe(false);
});

test('a hanging keychain times out after ten seconds, and nothing is written to a keychain that cannot be read', async () => {
  const keychain = new FailingKeychain();
  const clock = new SteppedClock();
  const credentials = createCredentials({ env: {}, clock, keychain });
  keychain.isWorking = false;
  keychain.faultOf = () => 'hangs';
  await expect(clock.finish(credentials.resolveStored('work#pending'))).rejects.toMatchObject({
    code: 'keychain-timeout',
  });
  expect(clock.monotonic()).toBe(10_000);
  expect(await clock.finish(credentials.testKeychain())).toMatchObject({ code: 'keychain-timeout' });
  expect(keychain.calls).toEqual([]);
});

test('without a keychain no token is rotated', async () => {
  const keychain = new MemoryKeychain();
  const { world, sandbox } = await setUp(keychain);
  keychain.failure = 'Cannot autolaunch D-Bus without X11 $DISPLAY';
  const token = sandbox.tokens.maintainer;
  await world.client.call('instance.setToken', { name: 'source', token, keep: 'session' });
  expect(await ended(world, (await begin(world)).runId)).toMatchObject([
    { state: { status: 'failed', error: { code: 'rotation-refused' } } },
  ]);
  expect(sandbox.requests.some(({ path }) => path.endsWith('/rotate'))).toBe(false);
});

test('a token from the environment is not rotated, because the new token cannot be stored there', async () => {
  const sandbox = await openTestSandbox();
  const world = await openWorld({
    keychain: new MemoryKeychain(),
    env: { PACKHORSE_TOKEN_SOURCE: sandbox.tokens.maintainer },
  });
  await world.client.call('instance.add', {
    name: 'source',
    url: sandbox.url,
    caFile: null,
    pace: 'sandbox',
    keep: 'session',
  });
  expect(await ended(world, (await begin(world)).runId)).toMatchObject([
    { state: { status: 'failed', error: { code: 'rotation-refused' } } },
  ]);
});

test('a version without slots does not touch a pending token', async () => {
  const keychain = new MemoryKeychain();
  keychain.entries.set('Packhorse/work', 'old').set('Packhorse/work#pending', 'new');
  // The rotation only requests the account with the name of the instance.
  const credentials = createCredentials({ env: {}, clock: new SteppedClock(), keychain });
  await credentials.remove('work');
  expect([...keychain.entries]).toEqual([['Packhorse/work#pending', 'new']]);
});

test('a slot of another version is not deleted by an unrelated operation', async () => {
  const keychain = new MemoryKeychain();
  const leftovers = [
    ['Packhorse/source#pending', 'glpat-of-a-rotation-that-another-version-began'],
    ['Packhorse/source#later', 'glpat-of-a-slot-that-this-version-does-not-know'],
  ] as const;
  for (const [account, secret] of leftovers) keychain.entries.set(account, secret);
  const { world, sandbox } = await openScene({ keychain, spare: true });
  const { client } = world;
  const id =
    (
      await client.call('token.list', {
        instance: 'source',
        filter: { ...anyToken, search: 'self-rotate' },
        limit: 1,
      })
    ).tokens[0]?.id ?? 0;
  const confirm = { action: 'token.revoke', instance: 'source', project: String(id) } as const;
  const { confirmation } = await client.call('host.confirm', confirm);
  const revocation = await client.call('token.revoke', { instance: 'source', id, confirmation });
  expect(await ended(world, revocation.runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  await client.call('instance.check', { name: 'source' });
  const token = sandbox.tokens.maintainer;
  await client.call('instance.setToken', { name: 'source', token, keep: 'keychain' });
  await client.call('token.forgetSpare', { instance: 'source' });
  await client.call('doctor.run', {});
  await world.app.close();
  await openWorld({ dataDir: world.dataDir, keychain });
  expect(leftovers.map(([account]) => keychain.entries.get(account))).toEqual(
    leftovers.map(([, secret]) => secret),
  );
});

test('no secret of a rotation is in any file, event, reply or line of the log', async () => {
  const keychain = new MemoryKeychain();
  const { world, sandbox } = await setUp(keychain, true);
  const outputs: string[] = [];
  world.app.subscribe((name, payload) => outputs.push(JSON.stringify([name, payload])));
  const secrets = [sandbox.tokens.maintainer, sandbox.tokens.spare];
  sandbox.faults.add({ match: { method: 'POST', path: 'rotate', nth: 1 }, action: { kind: 'lose-reply' } });
  for (let round = 0; round < 2; round += 1) {
    const { runId } = await begin(world);
    const jobs = await ended(world, runId);
    outputs.push(JSON.stringify(jobs));
    secrets.push(keychain.entries.get('Packhorse/source') ?? '');
  }
  const [last] = (await world.client.call('request.list', { instance: 'source', limit: 100 })).requests;
  expect(last).toMatchObject({ method: 'POST', status: 200 });
  expect(new Set(secrets).size).toBe(4);
  const texts = secrets.flatMap(encodingsOf);
  expect(filesContaining(world.dataDir, texts)).toEqual([]);
  expect(texts.filter((text) => outputs.join('\n').includes(text))).toEqual([]);
  expect(await new SandboxCalls(sandbox, secrets.at(-1) ?? '').get('/user')).toBeTruthy();
});
