/** @file Adding an instance with a bad token, a read-only token and a good token; the typed tokens leak nowhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBrowserWorld } from '../support/browser/browser-world.ts';
import { MemoryKeychain } from '../support/keychain/memory-keychain.ts';
import { openTestSandbox } from '../support/world.ts';

test('a bad token is rejected, a read-only token is distinguished from a good one, and only the good one is stored', async () => {
  const { page, client, screenshot, keychain, frames, dataDir, app } = await openBrowserWorld();
  const sandbox = await openTestSandbox({ projectCount: 3 });
  const events: string[] = [];
  app.subscribe((name, payload) => events.push(JSON.stringify([name, payload])));

  await page.getByRole('button', { name: 'Add an instance…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an instance' });
  await dialog.getByLabel('Address of the instance').fill(sandbox.url);
  await dialog.getByLabel('Short name').fill('work');
  await page.keyboard.press('Enter');

  const token = dialog.getByLabel('Personal access token');
  const bad = `glpat-${'x'.repeat(20)}`;
  await token.fill(bad);
  await page.keyboard.press('Enter');
  await dialog
    .getByText(/token/i)
    .filter({ hasText: /does not know this token/ })
    .first()
    .waitFor();
  await screenshot('instance-bad-token');
  expect(await token.inputValue()).toBe('');
  expect((await client.call('instance.list', {})).instances).toEqual([]);

  await token.fill(sandbox.tokens.readOnly);
  await page.keyboard.press('Enter');
  await dialog.getByText('This token can only read').waitFor();
  await screenshot('instance-read-only-token');
  await dialog.getByRole('button', { name: 'Use another token' }).click();

  await dialog.getByLabel('Personal access token').fill(sandbox.tokens.maintainer);
  await page.keyboard.press('Enter');
  await dialog.getByText('This token can do everything that Packhorse needs.').waitFor();
  await screenshot('instance-good-token');
  await dialog.getByRole('button', { name: 'Add the instance' }).click();
  await dialog.waitFor({ state: 'detached' });

  const { instances } = await client.call('instance.list', {});
  expect(instances).toMatchObject([{ name: 'work', url: sandbox.url, username: 'maintainer' }]);
  expect([...keychain.entries.values()]).toEqual([sandbox.tokens.maintainer]);

  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  const typed = [bad, sandbox.tokens.readOnly, sandbox.tokens.maintainer];
  for (const secret of typed) {
    const sentWithSecret = frames.sent.filter((frame) => frame.includes(secret));
    expect(sentWithSecret.map((frame) => (JSON.parse(frame) as { call: string }).call)).toEqual([
      'instance.setToken',
    ]);
    for (const place of [...frames.received, ...events, ...files, await page.content()]) {
      expect(place.includes(secret)).toBe(false);
    }
  }
});

test('if there is no keychain, the window announces that it keeps the token for this session only, and does so', async () => {
  const keychain = new MemoryKeychain();
  keychain.failure = 'Cannot autolaunch D-Bus without X11 $DISPLAY';
  const { page, client, screenshot } = await openBrowserWorld({ keychain });
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await page.getByRole('button', { name: 'Add an instance…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an instance' });
  await dialog.getByLabel('Address of the instance').fill(sandbox.url);
  await dialog.getByLabel('Short name').fill('work');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Personal access token').fill(sandbox.tokens.maintainer);
  await page.keyboard.press('Enter');
  await dialog.getByText('The token is kept for this session only').waitFor();
  await screenshot('instance-session-only');
  await dialog.getByRole('button', { name: 'Add the instance' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await client.call('instance.check', { name: 'work' })).tokenSource).toBe('session');
  expect(keychain.entries.size).toBe(0);
});
