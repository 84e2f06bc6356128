/** @file Tokens through the window against a sandbox: one token is replaced, one revoked, one stored as a spare. */
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { openBrowserWorld, type BrowserWorld } from '../support/browser/browser-world.ts';
import { filesContaining, encodingsOf } from '../support/secret-search.ts';
import { allEnded, openTestSandbox } from '../support/world.ts';

const pageOfTokens = { cursor: null, limit: 100 };
const noFilter = {
  state: null,
  revoked: null,
  search: null,
  createdAfter: null,
  createdBefore: null,
  lastUsedAfter: null,
  lastUsedBefore: null,
  user: null,
};

/** Registers the sandbox with its token in the keychain, where a new token can replace it. */
async function registerKept({ client }: BrowserWorld, sandbox: Sandbox): Promise<void> {
  const token = sandbox.tokens.maintainer;
  await client.call('instance.setToken', { name: 'work', token, keep: 'session' });
  await client.call('instance.add', {
    name: 'work',
    url: sandbox.url,
    caFile: null,
    pace: 'sandbox',
    keep: 'keychain',
  });
}

/** Expects the secrets in no message to the page, not on the page, and in no file of the program. */
async function expectNowhere(
  { dataDir, frames, page }: BrowserWorld,
  secrets: Iterable<string>,
): Promise<void> {
  const shown = [...frames.received, await page.content()];
  for (const secret of secrets) {
    const forms = encodingsOf(secret);
    expect(filesContaining(dataDir, forms)).toEqual([]);
    for (const form of forms) expect(shown.some((text) => text.includes(form))).toBe(false);
  }
}

test('replacing the token in use stores a working new token in the keychain, and revokes the old one', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot, keychain, frames } = world;
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await registerKept(world, sandbox);
  const before = await client.call('token.show', { instance: 'work', id: null });

  await world.go('/tokens?instance=work');
  await page.getByRole('button', { name: 'Replace…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('There is no spare token').waitFor();
  await screenshot('token-replace');
  const day = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Expiry of the new token').fill(day);
  await dialog.getByRole('button', { name: 'Replace the token' }).click();
  await page.getByText(/^The token is replaced/).waitFor();
  await screenshot('token-replaced');

  const after = await client.call('token.show', { instance: 'work', id: null });
  expect(after).toMatchObject({ name: before.name, expiresOn: day, active: true, slot: 'main' });
  expect(after.id).not.toBe(before.id);
  const { tokens } = await client.call('token.list', {
    instance: 'work',
    filter: noFilter,
    ...pageOfTokens,
  });
  expect(tokens.find(({ id }) => id === before.id)).toMatchObject({ revoked: true, active: false });
  const kept = [...keychain.entries.values()];
  expect(kept).toHaveLength(1);
  expect(kept).not.toContain(sandbox.tokens.maintainer);
  const { requests } = await client.call('request.list', {
    instance: 'work',
    limit: 10,
  });
  expect(requests).toMatchObject([
    {
      method: 'POST',
      path: expect.stringMatching(/^\/personal_access_tokens\/.*rotate$/) as string,
      status: 200,
    },
  ]);

  await expectNowhere(world, kept);
  for (const secret of kept) expect(frames.sent.some((frame) => frame.includes(secret))).toBe(false);
});

test('a token can be revoked only after its name was typed', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot } = world;
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await registerKept(world, sandbox);
  const own = await client.call('token.show', { instance: 'work', id: null });

  await world.go(`/tokens?instance=work&token=${own.id}`);
  await page.getByRole('complementary').getByRole('button', { name: 'Revoke…' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Revoke the token' });
  // Until the losses are listed, the button is disabled whatever is typed.
  await dialog.getByRole('listitem').first().waitFor();
  for (const typed of ['', `${own.name}s`]) {
    await dialog.getByRole('textbox').fill(typed);
    expect(await confirm.isDisabled()).toBe(true);
  }
  await dialog.getByRole('textbox').fill(own.name);
  await screenshot('token-revoke');
  await confirm.click();
  await page.getByText('The token is revoked.').waitFor();
  await screenshot('token-revoked');

  const jobs = await allEnded(world);
  expect(jobs).toMatchObject([
    { kind: 'token', state: { status: 'succeeded' }, result: { action: 'revoke', id: own.id } },
  ]);
  const { requests } = await client.call('request.list', {
    instance: 'work',
    limit: 10,
  });
  expect(requests).toMatchObject([{ method: 'DELETE', job: jobs[0]?.id, status: 204 }]);
});

test('with a stored spare token, a replacement whose first response was lost succeeds with a second rotation', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot, keychain, frames } = world;
  const sandbox = await openTestSandbox({ projectCount: 1 });
  await registerKept(world, sandbox);
  const before = await client.call('token.show', { instance: 'work', id: null });
  const { spare } = sandbox.tokens;

  await world.go('/tokens?instance=work');
  await page.getByRole('button', { name: 'Add a spare token…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Spare token').fill(spare);
  await screenshot('token-spare');
  await dialog.getByRole('button', { name: 'Check and keep it' }).click();
  await page.getByText('The token “spare” is stored as the spare token.').waitFor();
  await page.getByText(/^Stored; it expires on/).waitFor();
  await screenshot('token-spare-kept');
  expect([...keychain.entries.values()]).toContain(spare);

  sandbox.faults.add({
    match: { method: 'POST', path: 'rotate', nth: 1 },
    action: { kind: 'lose-reply' },
  });
  await page.getByRole('button', { name: 'Replace…' }).first().click();
  await dialog.getByText(/^The other token is available\./).waitFor();
  await dialog.getByRole('button', { name: 'Replace the token' }).click();
  await page.getByText(/^The token is replaced/).waitFor();
  await screenshot('token-replaced-by-spare');

  const after = await client.call('token.show', { instance: 'work', id: null });
  expect(after).toMatchObject({ name: before.name, active: true, slot: 'main' });
  expect(after.id).not.toBe(before.id);
  const { tokens } = await client.call('token.list', {
    instance: 'work',
    filter: { ...noFilter, search: before.name },
    ...pageOfTokens,
  });
  // The spare token found the new token of the lost response, which was then replaced.
  const working = tokens.filter(({ name, active }) => name === before.name && active);
  expect(working.map(({ id }) => id)).toEqual([after.id]);
  const rotations = sandbox.requests.filter(({ path }) => path.endsWith('/rotate'));
  expect(rotations).toHaveLength(2);
  await expectNowhere(world, [spare, ...keychain.entries.values()]);
  for (const frame of frames.sent.filter((sent) => sent.includes(spare))) {
    expect(JSON.parse(frame)).toMatchObject({ call: 'token.setSpare' });
  }
});
