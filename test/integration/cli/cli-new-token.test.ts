/** @file `packhorse token rotate` when the keychain does not store the new token and a user presses Ctrl-C. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../../support/processes/command-line.ts';
import { compileCacheOf } from '../../support/processes/compile-cache.ts';
import {
  handOverToProgram,
  openScene,
  rotationsOf,
  acceptsToken,
} from '../../support/tokens/rotation-scene.ts';

/** Returns the command once it waits for the keychain with a token that no other process has. */
async function interrupted() {
  const scene = await openScene();
  const session = await handOverToProgram(scene);
  scene.sandbox.faults.add({ match: { path: 'rotate' }, action: { kind: 'delay-work', ms: 300 } });
  const entry = commandLine();
  const args = [entry, '--data-dir', session.dataDir, '--quiet', 'token', 'rotate', '--instance', 'source'];
  const env = { HOME: session.dataDir, NODE_COMPILE_CACHE: compileCacheOf(entry), ...session.env };
  const command = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void command.kill('SIGKILL'));
  const ended = once(command, 'close').then(([code]) => code as number | null);
  let output = '';
  command.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  await expect.poll(() => rotationsOf(scene).length, { interval: 10 }).toBe(1);
  session.lock(true);
  await expect.poll(() => rotationsOf(scene)[0]?.status, { interval: 10 }).toBe(200);
  command.kill('SIGINT');
  await expect.poll(() => output, { interval: 10 }).toContain('it would be lost if the process ended now');
  return { scene, session, command, ended, output: () => output };
}

// The command retries the keychain every fifteen seconds.
test(
  'the command reports why it continues, and ends when the keychain has the token',
  { timeout: 40_000 },
  async () => {
    const { scene, session, command, ended, output } = await interrupted();
    expect(output()).toContain('did not store the new token of "source"');
    expect(output()).not.toContain('Enter shows');
    expect(command.exitCode).toBeNull();
    session.lock(false);
    expect(await ended).toBe(130);
    const secret = session.secret('source#pending') ?? session.secret('source');
    expect(await acceptsToken(scene.sandbox, secret)).toBe(true);
    expect(output()).not.toContain(secret);
  },
);

test('a second Ctrl-C ends the command anyway', async () => {
  const { command, ended } = await interrupted();
  command.kill('SIGINT');
  expect(await ended).toBe(130);
});
