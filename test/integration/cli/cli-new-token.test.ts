/** @file `packhorse token rotate` when the keychain does not take the new token and somebody presses Ctrl-C. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { leaveToProgram, openScene, rotationsOf, takes } from '../../support/tokens/rotation-scene.ts';

const entry = fileURLToPath(new URL('../../../src-main/hosts/cli.ts', import.meta.url));

/** The command once it waits for the keychain with a token that nobody else knows. */
async function interrupted() {
  const scene = await openScene();
  const left = await leaveToProgram(scene);
  scene.sandbox.faults.add({ match: { path: 'rotate' }, action: { kind: 'delay-work', ms: 300 } });
  const args = [entry, '--data-dir', left.dataDir, '--quiet', 'token', 'rotate', '--instance', 'source'];
  const env = { HOME: left.dataDir, ...left.env };
  const command = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void command.kill('SIGKILL'));
  const ended = once(command, 'close').then(([code]) => code as number | null);
  let said = '';
  command.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await expect.poll(() => rotationsOf(scene).length, { interval: 10 }).toBe(1);
  left.lock(true);
  await expect.poll(() => rotationsOf(scene)[0]?.status, { interval: 10 }).toBe(200);
  command.kill('SIGINT');
  await expect.poll(() => said, { interval: 10 }).toContain('it would be lost if the process ended now');
  return { scene, left, command, ended, said: () => said };
}

// The keychain is tried every fifteen seconds.
test('it says why it goes on, and ends when the keychain has the token', { timeout: 40_000 }, async () => {
  const { scene, left, command, ended, said } = await interrupted();
  expect(said()).toContain('did not store the new token of "source"');
  expect(said()).not.toContain('Enter shows');
  expect(command.exitCode).toBeNull();
  left.lock(false);
  expect(await ended).toBe(130);
  const secret = left.secret('source#pending') ?? left.secret('source');
  expect(await takes(scene.sandbox, secret)).toBe(true);
  expect(said()).not.toContain(secret);
});

test('a second Ctrl-C ends it all the same', async () => {
  const { command, ended } = await interrupted();
  command.kill('SIGINT');
  expect(await ended).toBe(130);
});
