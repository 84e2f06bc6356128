/** @file Tokens through the window against a sandbox: one is replaced, one revoked; and an import that GitLab fetches itself. */
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { openBrowserWorld, type BrowserWorld } from '../support/browser-world.ts';
import { allEnded, backUp, openTestSandbox, register } from '../support/world.ts';

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

/** Its token is in the keychain, where a new one can take its place. */
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

test('the token in use is replaced: the new one is in the keychain and works, the old one is revoked', async () => {
  const world = await openBrowserWorld();
  const { page, client, shot, keychain, frames, dataDir } = world;
  const sandbox = await openTestSandbox({ projects: 1 });
  await registerKept(world, sandbox);
  const before = await client.call('token.show', { instance: 'work', id: null });

  await world.go('/tokens?instance=work');
  await page.getByRole('button', { name: 'Replace…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('There is no spare token').waitFor();
  await shot('token-replace');
  const day = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('The new one expires on').fill(day);
  await dialog.getByRole('button', { name: 'Replace the token' }).click();
  await page.getByText(/^The token is replaced/).waitFor();
  await shot('token-replaced');

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
    job: null,
    before: null,
    limit: 10,
  });
  expect(requests).toMatchObject([
    {
      method: 'POST',
      path: expect.stringMatching(/^\/personal_access_tokens\/.*rotate$/) as string,
      status: 200,
    },
  ]);

  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  for (const place of [...frames.received, ...frames.sent, ...files, await page.content()]) {
    for (const one of kept) expect(place.includes(one)).toBe(false);
  }
});

test('a token is revoked once its name was typed', async () => {
  const world = await openBrowserWorld();
  const { page, client, shot } = world;
  const sandbox = await openTestSandbox({ projects: 1 });
  await registerKept(world, sandbox);
  const own = await client.call('token.show', { instance: 'work', id: null });

  await world.go(`/tokens?instance=work&token=${own.id}`);
  await page.getByRole('complementary').getByRole('button', { name: 'Revoke…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(own.name);
  await shot('token-revoke');
  await dialog.getByRole('button', { name: 'Revoke the token' }).click();
  await page.getByText('The token is revoked.').waitFor();
  await shot('token-revoked');

  const jobs = await allEnded(world);
  expect(jobs).toMatchObject([
    { kind: 'token', state: { status: 'succeeded' }, result: { action: 'revoke', id: own.id } },
  ]);
  const { requests } = await client.call('request.list', {
    instance: 'work',
    job: null,
    before: null,
    limit: 10,
  });
  expect(requests).toMatchObject([{ method: 'DELETE', job: jobs[0]?.id, status: 204 }]);
});

test('an archive is imported from an address that only the instance fetches, and the address is kept nowhere', async () => {
  const world = await openBrowserWorld();
  const { page, client, shot, dataDir, frames } = world;
  const source = await openTestSandbox({ projects: 1 });
  const target = await openTestSandbox({ seed: 2 });
  await register(world, 'source', source);
  await register(world, 'target', target);
  await backUp(world, 'source', 'all');
  const { archives } = await client.call('archive.list', {
    instance: null,
    project: null,
    before: null,
    limit: 1,
  });
  const file = archives[0]?.absolutePath ?? '';
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/gzip',
      'content-length': statSync(file).size,
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
  });
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('no port');
  const secret = 'X-Amz-Signature=0f1e2d3c4b5a';

  await world.go('/import?instance=target');
  await page.getByRole('radio', { name: /address/ }).click();
  await page
    .getByLabel('Address of the archive')
    .fill(`http://127.0.0.1:${at.port}/compass_export.tar.gz?${secret}`);
  await page.getByLabel('Group', { exact: true }).fill('atlas');
  await page.getByLabel('Path', { exact: true }).fill('fetched');
  await shot('import-url');
  await page.getByRole('button', { name: 'Start the import' }).click();
  await page
    .getByText(/^Import of/)
    .first()
    .waitFor();
  const jobs = await allEnded(world);
  await shot('import-url-ended');
  expect(jobs.find(({ kind }) => kind === 'import')).toMatchObject({
    state: { status: 'succeeded' },
    input: { source: { kind: 'url' } },
    result: { fullPath: 'atlas/fetched' },
  });
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  for (const place of [...frames.received, ...files, await page.content()]) {
    expect(place.includes(secret)).toBe(false);
  }
});
