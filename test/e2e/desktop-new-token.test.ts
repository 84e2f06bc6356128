/** @file The built product when the keychain does not take a new token: nobody quits by accident, and the page never has it. */
import { expect, test } from 'vitest';
import { callIn, openDesktop } from '../support/electron/desktop-app.ts';
import { leaveToProgram, openScene, rotationsOf, takes } from '../support/tokens/rotation-scene.ts';

test('quitting waits for the keychain, or for the person who copies the token', async () => {
  const scene = await openScene();
  const left = await leaveToProgram(scene);
  const { sandbox } = scene;
  const desktop = await openDesktop({ dataDir: left.dataDir, env: left.env, tray: false });
  const program = desktop.process;
  const messages = async (count: number): Promise<string[]> =>
    (await program.until(({ dialogs }) => dialogs.length === count)).dialogs.map(({ message }) => message);
  const press = (button: string) => program.ask('answerDialog', { button });
  const quit = () => program.ask('emit', { of: 'app', event: 'before-quit' });

  sandbox.faults.add({ match: { path: 'rotate' }, action: { kind: 'delay-work', ms: 500 } });
  await callIn(desktop, 'token.rotate', { instance: 'source', slot: 'main', expiresOn: null });
  await expect.poll(() => rotationsOf(scene).length, { interval: 10 }).toBe(1);
  left.lock(true);
  const hold = 'The keychain did not store the new token of “source”';
  expect(await messages(1)).toEqual([hold]);
  await press('Wait for the keychain');
  await quit();
  expect(await messages(2)).toEqual([hold, hold]);
  expect(program.state?.clipboard).toBeNull();
  await press('Copy the token');
  expect((await messages(3))[2]).toBe('The new token is on the clipboard');
  const secret = program.state?.clipboard ?? '';
  expect(await takes(sandbox, secret)).toBe(true);
  await press('Keep running');
  expect(program.running).toBe(true);
  left.lock(false);
  await quit();
  // Work that is on its way to its end may be asked about, as ever; nothing is asked about the token any more.
  const usual = 'Quit while work is in progress?';
  const last = await program.until(({ dialogs }) => dialogs.length === 4).catch(() => program.exited);
  if ('dialogs' in last) await press('Quit');
  expect((await program.exited).code).toBe(0);
  const keptSecrets = [left.secret('source'), left.secret('source#pending')];
  expect(keptSecrets).toContain(secret);
  expect(desktop.traffic.filter((line) => line.includes(secret))).toEqual([]);
  const asked = program.state?.dialogs.map(({ message }) => message);
  expect(asked?.filter((message) => message !== usual)).toHaveLength(3);
});
