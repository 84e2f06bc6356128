/**
 * @file Archives in S3-compatible storage, through the window. GitLab uploads an archive there, and downloads one through a
 * named storage and through a presigned address. The storage is a separate server that checks signatures.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inspectFile } from '../../src-main/archive/inspect.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../src-main/sandbox/sandbox.ts';
import { openBrowserWorld, type BrowserWorld } from '../support/browser/browser-world.ts';
import { s3Keys, startS3, type S3Server } from '../support/servers/s3-server.ts';
import { SandboxCalls } from '../support/servers/sandbox-calls.ts';
import { filesContaining, encodingsOf } from '../support/secret-search.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { allEnded, register } from '../support/world.ts';

const project = 'atlas/compass';
const key = 'backups of 2026/compass.tar.gz';

let storage: S3Server;
let sandbox: Sandbox;
beforeAll(async () => {
  storage = await startS3();
  sandbox = await startSandbox({ clock: systemClock, projectCount: 1, s3Endpoint: storage.url });
});
beforeEach(async () => {
  if ((await storage.stored(key)) !== null) return;
  const archive = await new SandboxCalls(sandbox).exportArchive(project);
  await storage.put(key, archive, 'application/gzip');
});
afterAll(async () => {
  await sandbox.close();
  await storage.close();
});

const issuesOf = async (path: string): Promise<number> =>
  (await sandbox.state.project(path)).relations['issues']?.length ?? 0;

/** Expects the secret in no message to the page, not on the page, and in no file of the program. */
async function expectKeptSecret(world: BrowserWorld, secret: string): Promise<void> {
  const forms = encodingsOf(secret);
  expect(filesContaining(world.dataDir, forms)).toEqual([]);
  const shown = [...world.frames.received, await world.page.content()];
  for (const form of forms) expect(shown.some((text) => text.includes(form))).toBe(false);
}

async function fillTarget({ page }: BrowserWorld, path: string): Promise<void> {
  await page.getByLabel('Group', { exact: true }).fill('atlas');
  await page.getByLabel('Path', { exact: true }).fill(path);
}

test('a storage is added with its key in the keychain, a project is imported from it, and the storage is removed with its key', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot, keychain } = world;
  await register(world, 'work', sandbox);
  await world.go('/import?instance=work');
  await page.getByRole('radio', { name: 'In a storage (S3)' }).click();
  await page.getByRole('link', { name: 'Add a storage in the settings' }).click();

  const dialog = page.getByRole('dialog', { name: 'Add a storage' });
  await dialog.getByLabel('Name').fill('cold');
  await dialog.getByLabel('Bucket').fill(storage.bucket);
  await dialog.getByLabel('Region').fill(storage.region);
  await dialog.getByLabel('Access key ID').fill(s3Keys.accessKeyId);
  await dialog.getByLabel('Secret access key').fill(s3Keys.secretAccessKey);
  await screenshot('storage-add');
  await dialog.getByRole('button', { name: 'Save the storage' }).click();
  await page.getByText('The storage cold is saved.').waitFor();
  await screenshot('storage-added');
  const { secretAccessKey, ...place } = { ...s3Keys, bucket: storage.bucket, region: storage.region };
  expect(await client.call('storage.list', {})).toEqual({ storages: [{ name: 'cold', ...place }] });
  expect([...keychain.entries.values()].join()).toContain(secretAccessKey);

  await world.go('/import?instance=work');
  await page.getByRole('radio', { name: 'In a storage (S3)' }).click();
  await page.getByText('Enter the key of the archive.').waitFor();
  await page.getByLabel('Key of the archive').fill(key);
  await fillTarget(world, 'from-storage');
  await screenshot('import-storage');
  await page.getByRole('button', { name: 'Start the import' }).click();
  await page.getByText(`from ${key} in the storage cold`).waitFor();
  expect(await allEnded(world)).toMatchObject([
    {
      state: { status: 'succeeded' },
      input: { source: { kind: 's3', storage: 'cold', key } },
      result: { fullPath: 'atlas/from-storage' },
    },
  ]);
  await screenshot('import-storage-ended');
  expect(await issuesOf('atlas/from-storage')).toBe(await issuesOf(project));

  await world.go('/settings');
  await page.getByRole('button', { name: 'Remove the storage cold' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the storage' }).click();
  await page.getByText('The storage cold is removed.').waitFor();
  expect(await client.call('storage.list', {})).toEqual({ storages: [] });
  expect([...keychain.entries.values()].join()).not.toContain(secretAccessKey);
  await expectKeptSecret(world, secretAccessKey);
});

test('a project is imported from a presigned address, and compared with a local archive', async () => {
  const world = await openBrowserWorld();
  const { page, screenshot } = world;
  await register(world, 'work', sandbox);
  const file = join(temporaryFolder(), 'compass_export.tar.gz');
  writeFileSync(file, (await storage.stored(key))?.content ?? '');

  await world.go('/import?instance=work');
  await page.getByRole('radio', { name: 'At an address from which GitLab downloads it' }).click();
  await page.getByLabel('Address of the archive').fill(storage.presigned({ method: 'GET', key }));
  await page.getByText('Compare the result with a local archive').click();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('A file outside the store').waitFor();
  await fillTarget(world, 'from-address');
  await screenshot('import-address');
  await page.getByRole('button', { name: 'Start the import' }).click();
  await page.getByText('Arrived, contents compared in part').waitFor();
  await screenshot('import-address-ended');
  expect(await allEnded(world)).toMatchObject([
    {
      state: { status: 'succeeded' },
      input: { source: { kind: 'url' } },
      result: { fullPath: 'atlas/from-address', reconciliation: { reconciled: true } },
    },
  ]);
  const signature = /X-Amz-Signature=([^&]+)/.exec(world.frames.sent.join())?.[1] ?? '';
  expect(signature).not.toBe('');
  await expectKeptSecret(world, signature);
});

test('GitLab uploads an export to a presigned address, and the uploaded object equals the complete export', async () => {
  const world = await openBrowserWorld();
  const { page, screenshot } = world;
  await register(world, 'work', sandbox);
  await world.client.call('instance.refresh', { name: 'work', visible: false });
  const pushed = 'pushed/compass.tar.gz';
  const url = storage.presigned({ method: 'PUT', key: pushed, contentType: 'application/gzip' });

  await world.go(`/projects?project=${encodeURIComponent(project)}&of=work&part=files`);
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: 'Start an export on GitLab…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'GitLab uploads it to an address' }).click();
  await dialog.getByLabel('Address', { exact: true }).fill(url);
  await screenshot('export-push');
  await dialog.getByRole('button', { name: 'Start the export' }).click();
  await panel.getByText('The export was requested').waitFor();
  await panel.getByText('A finished export is stored on the instance.').waitFor();
  await screenshot('export-pushed');

  await expect.poll(() => storage.stored(pushed).then((found) => found !== null)).toBe(true);
  const stored = await storage.stored(pushed);
  const content = stored?.content ?? Buffer.alloc(0);
  const own = await new SandboxCalls(sandbox).fetch(
    `/projects/${encodeURIComponent(project)}/export/download`,
  );
  const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  expect(sha256(content)).toBe(sha256(Buffer.from(await own.arrayBuffer())));
  const file = join(temporaryFolder(), 'pushed.tar.gz');
  writeFileSync(file, content);
  expect(await inspectFile(file)).toMatchObject({ verdict: 'sound' });
  await expectKeptSecret(world, /X-Amz-Signature=([^&]+)/.exec(url)?.[1] ?? '');
});
