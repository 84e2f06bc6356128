/** @file An instance whose token can be replaced, in the whole product and the sandbox. */
import { rmSync, writeFileSync } from 'node:fs';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import type { AppOptions } from '../../../src-main/compose/app.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { PacePreset } from '../../../src-contract/instances/instance.ts';
import { hasEnded, type Job } from '../../../src-contract/runs/job.ts';
import type { WaitReason } from '../../../src-contract/runs/wait-reasons.ts';
import type { TokenSlot } from '../../../src-contract/tokens/token.ts';
import { KeychainFile, keytarInFile } from '../keychain/keytar-in-file.ts';
import { MemoryKeychain } from '../keychain/memory-keychain.ts';
import { SandboxCalls } from '../servers/sandbox-calls.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ended, nextChange, openTestSandbox, openWorld, type World } from '../world.ts';

export interface RotationScene {
  world: World;
  sandbox: Sandbox;
  keychain: MemoryKeychain;
}

interface SceneOptions {
  /** Whether there is a second token. */
  spare?: boolean;
  keychain?: MemoryKeychain;
  /** A running sandbox, or options for a new one. */
  sandbox?: Sandbox | Parameters<typeof openTestSandbox>[0];
  world?: Partial<AppOptions>;
  pace?: PacePreset;
}

/** Opens a scene with the instance "source". Its token, and with `spare` a second one, is in the keychain. */
export async function openScene(options: SceneOptions = {}): Promise<RotationScene> {
  const { keychain = new MemoryKeychain(), sandbox: input = {} } = options;
  const sandbox = 'requests' in input ? input : await openTestSandbox(input);
  const world = await openWorld({ ...options.world, keychain });
  const { client } = world;
  const { tokens, url } = sandbox;
  await client.call('instance.setToken', { name: 'source', token: tokens.maintainer, keep: 'session' });
  const { pace = 'sandbox' } = options;
  await client.call('instance.add', { name: 'source', url, caFile: null, pace, keep: 'keychain' });
  if (options.spare === true) {
    await client.call('token.setSpare', { instance: 'source', token: tokens.spare, keep: 'keychain' });
  }
  return { world, sandbox, keychain };
}

export function beginRotation(
  { world }: Pick<RotationScene, 'world'>,
  slot: TokenSlot = 'main',
  expiresOn: string | null = null,
): Promise<{ runId: string; jobId: string }> {
  return world.client.call('token.rotate', { instance: 'source', slot, expiresOn });
}

/** Starts a rotation and resolves with its ended job. */
export async function rotate(
  scene: Pick<RotationScene, 'world'>,
  slot: TokenSlot = 'main',
  expiresOn: string | null = null,
): Promise<Job> {
  const { runId } = await beginRotation(scene, slot, expiresOn);
  const [job] = await ended(scene.world, runId);
  if (job === undefined) throw new Error('There is no job.');
  return job;
}

/** Resolves with the job once it waits for this reason. Fails if the job ends before. */
export async function waitingFor({ app, client }: World, jobId: string, reason: WaitReason): Promise<Job> {
  for (;;) {
    const change = nextChange({ app });
    const job = await client.call('job.show', { job: jobId });
    if (job.state.status === 'waiting' && job.state.reason === reason) return job;
    if (hasEnded(job.state)) throw new Error(`It has ended: ${JSON.stringify(job.state)}`);
    await change;
  }
}

/** Returns whether the sandbox accepts a token. */
export async function acceptsToken(
  { url }: Pick<Sandbox, 'url'>,
  token: string | undefined,
): Promise<boolean> {
  const headers = { 'PRIVATE-TOKEN': token ?? '' };
  return (await fetch(`${url}/api/v4/personal_access_tokens/self`, { headers })).status === 200;
}

/** Returns the secret in the keychain for an account. */
export const storedSecret = (
  { keychain }: Pick<RotationScene, 'keychain'>,
  account = 'source',
): string | undefined => keychain.entries.get(`Packhorse/${account}`);

/** Returns all requests so far that replace a token. */
export const rotationsOf = ({ sandbox }: Pick<RotationScene, 'sandbox'>) =>
  sandbox.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/rotate'));

/** Returns the sandbox's record of the stored token. Throws if the sandbox refuses it. */
export async function tokenInUse(scene: RotationScene, account = 'source') {
  const calls = new SandboxCalls(scene.sandbox, storedSecret(scene, account) ?? '');
  return calls.get('/personal_access_tokens/self') as Promise<{
    id: number;
    name: string;
    expires_at: string;
  }>;
}

export const errorOf = ({ state }: Job): ErrorData | null => (state.status === 'failed' ? state.error : null);

/**
 * Closes the product of a scene, and leaves its data folder, and its tokens in a separate keychain, to another program.
 * While `lock` is set, that keychain refuses new tokens.
 */
export async function handOverToProgram({ world, keychain }: RotationScene) {
  await world.app.close();
  const { env, path } = keytarInFile(temporaryFolder());
  writeFileSync(path, JSON.stringify(Object.fromEntries(keychain.entries)));
  return {
    dataDir: world.dataDir,
    env,
    secret: (account: string): string | undefined => new KeychainFile(path).entries[`Packhorse/${account}`],
    lock(holds: boolean): void {
      if (holds) writeFileSync(`${path}.locked`, '');
      else rmSync(`${path}.locked`, { force: true });
    },
  };
}
