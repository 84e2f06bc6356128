/**
 * @file A new token that the keychain does not store. The token is only in memory, and is not lost by accident when the
 * process ends.
 */
import { expect, onTestFinished, test } from 'vitest';
import type { App } from '../../../src-main/compose/app.ts';
import { composeApp } from '../../../src-main/compose/compose.ts';
import { inProcessClient } from '../../../src-main/bridge/transports/in-process.ts';
import { FailingKeychain } from '../../support/keychain/failing-keychain.ts';
import {
  beginRotation,
  errorOf,
  storedSecret,
  openScene,
  rotationsOf,
  acceptsToken,
  waitingFor,
  type RotationScene,
} from '../../support/tokens/rotation-scene.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';
import { ended } from '../../support/world.ts';

type NewToken = Parameters<Parameters<App['newTokens']['handOver']>[0]>[0][number];

/** Starts a rotation whose new token the keychain refuses to store under that account. */
async function refusedAt(account: string) {
  const keychain = new FailingKeychain();
  const scene: RotationScene = await openScene({ keychain });
  keychain.faultOf = (call, requested) => (requested === account && call === 'set' ? 'locked' : null);
  keychain.isWorking = false;
  const rotation = await beginRotation(scene);
  await waitingFor(scene.world, rotation.jobId, 'keychain');
  return { ...scene, scene, keychain, ...rotation };
}

/** Returns the jobs of the run as they end in the next process. */
async function resume({ world: { dataDir }, keychain }: RotationScene, runId: string, env = {}) {
  const app = await composeApp({ env, dataDir, keychain });
  onTestFinished(() => app.close());
  app.startJobs(() => true);
  const client = inProcessClient(app.dispatch, new AbortController().signal);
  return ended({ app, client, dataDir }, runId);
}

test('a new token is reported as being only in memory until the keychain stores it', async () => {
  const { world, sandbox, keychain, scene, runId, jobId } = await refusedAt('source#pending');
  expect(world.app.newTokens.unstored).toEqual([{ instance: 'source', name: 'maintainer' }]);
  const { state } = await world.client.call('job.show', { job: jobId });
  expect(state).toMatchObject({
    text: expect.stringContaining('only this running Packhorse has it') as string,
  });
  keychain.isWorking = true;
  await world.app.newTokens.storePending();
  expect(world.app.newTokens.unstored).toEqual([]);
  expect(await acceptsToken(sandbox, storedSecret(scene, 'source#pending'))).toBe(true);
  expect(await ended(world, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
});

test('a user receives the new token once, and the keychain is still retried', async () => {
  const { world, sandbox, keychain, scene, runId } = await refusedAt('source#pending');
  const { newTokens } = world.app;
  const failing = newTokens.handOver(() => Promise.reject(new Error('no clipboard')));
  await expect(failing).rejects.toThrow('no clipboard');
  const received: NewToken[] = [];
  expect(await newTokens.handOver((tokens) => void received.push(...tokens))).toBe(true);
  expect(received).toHaveLength(1);
  const [handed] = received;
  expect(handed).toMatchObject({ instance: 'source', name: 'maintainer' });
  const secret = handed?.token.reveal() ?? '';
  expect(await acceptsToken(sandbox, secret)).toBe(true);
  expect(await newTokens.handOver((tokens) => void received.push(...tokens))).toBe(false);
  expect(newTokens.unstored).toEqual([]);
  expect(JSON.stringify(handed)).not.toContain(secret);
  keychain.isWorking = true;
  expect(await ended(world, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect(storedSecret(scene)).toBe(secret);
  expect(filesContaining(world.dataDir, encodingsOf(secret))).toEqual([]);
});

test('a new token that the keychain stores beside the old one is not reported as being only in memory', async () => {
  const { world, sandbox, scene } = await refusedAt('source');
  expect(world.app.newTokens.unstored).toEqual([]);
  expect(await acceptsToken(sandbox, storedSecret(scene, 'source#pending'))).toBe(true);
});

test('the keychain is retried when the program ends, and the next process continues with the stored token', async () => {
  const { world, sandbox, keychain, scene, runId } = await refusedAt('source#pending');
  keychain.isWorking = true;
  await world.app.close();
  const secret = storedSecret(scene, 'source#pending');
  expect(await acceptsToken(sandbox, secret)).toBe(true);
  expect(await resume(scene, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect([storedSecret(scene), storedSecret(scene, 'source#pending')]).toEqual([secret, undefined]);
});

test('a token from the environment does not count as a replacement of the old token', async () => {
  const { world, sandbox, keychain, scene, runId } = await refusedAt('source');
  await world.app.close();
  keychain.isWorking = true;
  const secret = storedSecret(scene, 'source#pending');
  const env = { PACKHORSE_TOKEN_SOURCE: sandbox.tokens.spare };
  expect(await resume(scene, runId, env)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect([storedSecret(scene), storedSecret(scene, 'source#pending')]).toEqual([secret, undefined]);
});

test('a token that a user enters meanwhile stays, and the new token is named for its revocation', async () => {
  const { world, sandbox, keychain, scene, runId } = await refusedAt('source#pending');
  const entered = sandbox.tokens.spare;
  await world.client.call('instance.setToken', { name: 'source', token: entered, keep: 'keychain' });
  keychain.isWorking = true;
  const [job] = await ended(world, runId);
  if (job === undefined) throw new Error('There is no job.');
  const newest = Math.max(...(await idsOf(scene)));
  expect(errorOf(job)).toMatchObject({
    code: 'rotation-refused',
    message: expect.stringContaining(`id ${newest}`) as string,
  });
  expect(storedSecret(scene)).toBe(entered);
  expect(world.app.newTokens.unstored).toEqual([]);
  expect(rotationsOf(scene)).toHaveLength(1);
});

test('the keychain is retried even while the instance is not available', async () => {
  const { world, sandbox, keychain, scene, runId, jobId } = await refusedAt('source#pending');
  sandbox.faults.add({ match: { path: 'self' }, action: { kind: 'reset' } });
  keychain.isWorking = true;
  await waitingFor(world, jobId, 'answer-lost');
  expect(world.app.newTokens.unstored).toEqual([]);
  const secret = storedSecret(scene, 'source#pending');
  sandbox.faults.clear();
  expect(await ended(world, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect(storedSecret(scene)).toBe(secret);
});

test("the reported error is the keychain's refusal, not the unavailable instance", async () => {
  const { world, sandbox, keychain, jobId } = await refusedAt('source#pending');
  sandbox.faults.add({ match: { path: 'self' }, action: { kind: 'reset' } });
  const { faultOf } = keychain;
  let tries = 0;
  keychain.faultOf = (call, account) => {
    const failure = faultOf(call, account);
    if (failure !== null) tries += 1;
    return failure;
  };
  await expect.poll(() => tries, { timeout: 10_000 }).toBeGreaterThan(1);
  const { state } = await waitingFor(world, jobId, 'keychain');
  expect(state).toMatchObject({
    text: expect.stringContaining('only this running Packhorse has it') as string,
  });
});

test('a new token that was revoked before the keychain stored it is neither stored nor offered to a user', async () => {
  const { world, sandbox, keychain, scene, runId } = await refusedAt('source#pending');
  const administrator = new SandboxCalls(sandbox, sandbox.tokens.administrator);
  const newest = Math.max(...(await idsOf(scene)));
  await administrator.fetch(`/personal_access_tokens/${newest}`, { method: 'DELETE' });
  const [job] = await ended(world, runId);
  expect(job && errorOf(job)).toMatchObject({ code: 'rotation-lost' });
  expect(world.app.newTokens.unstored).toEqual([]);
  keychain.isWorking = true;
  await world.app.newTokens.storePending();
  expect(storedSecret(scene, 'source#pending')).toBeUndefined();
});

async function idsOf({ sandbox }: RotationScene): Promise<number[]> {
  const tokens = (await (await fetch(`${sandbox.url}/-/sandbox/tokens`)).json()) as { id: number }[];
  return tokens.map(({ id }) => id);
}
