/**
 * @file The built product when the keychain does not store a new token: the user cannot quit by accident, and the page never
 * receives the token.
 */
import { expect, test } from 'vitest';
import { callIn, openDesktop } from '../support/electron/desktop-app.ts';
import { handOverToProgram, openScene, rotationsOf, acceptsToken } from '../support/tokens/rotation-scene.ts';

test('quitting waits until the keychain stores the new token or the user copies it, and the page never receives it', async () => {
  const scene = await openScene();
  const setup = await handOverToProgram(scene);
  const { sandbox } = scene;
  const desktop = await openDesktop({ dataDir: setup.dataDir, env: setup.env, tray: false });
  const program = desktop.process;
  const messages = async (count: number): Promise<string[]> =>
    (await program.until(({ dialogs }) => dialogs.length === count)).dialogs.map(({ message }) => message);
  const press = (button: string) => program.request('answerDialog', { button });
  const quit = () => program.request('emit', { of: 'app', event: 'before-quit' });

  sandbox.faults.add({ match: { path: 'rotate' }, action: { kind: 'delay-work', ms: 500 } });
  await callIn(desktop, 'token.rotate', { instance: 'source', slot: 'main', expiresOn: null });
  await expect.poll(() => rotationsOf(scene).length, { interval: 10 }).toBe(1);
  setup.lock(true);
  const notStored = 'The keychain did not store the new token of “source”';
  expect(await messages(1)).toEqual([notStored]);
  await press('Wait for the keychain');
  await quit();
  expect(await messages(2)).toEqual([notStored, notStored]);
  expect(program.state?.clipboard).toBeNull();
  await press('Copy the token');
  expect((await messages(3))[2]).toBe('The new token is on the clipboard');
  const secret = program.state?.clipboard ?? '';
  expect(await acceptsToken(sandbox, secret)).toBe(true);
  await press('Keep running');
  expect(program.running).toBe(true);
  setup.lock(false);
  await quit();
  // The program may ask the usual question about a job that is still ending, but asks nothing more about the token.
  const usualQuestion = 'Quit while work is in progress?';
  const last = await program.until(({ dialogs }) => dialogs.length === 4).catch(() => program.exited);
  if ('dialogs' in last) await press('Quit');
  expect((await program.exited).code).toBe(0);
  const storedSecrets = [setup.secret('source'), setup.secret('source#pending')];
  expect(storedSecrets).toContain(secret);
  expect(desktop.traffic.filter((line) => line.includes(secret))).toEqual([]);
  const questions = program.state?.dialogs.map(({ message }) => message);
  expect(questions?.filter((message) => message !== usualQuestion)).toHaveLength(3);
});
