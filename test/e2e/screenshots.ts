/**
 * @file `npm run screenshots` takes the README's screenshots in a real browser, of the window with the sandbox's data.
 * A developer reviews and commits them by hand; no test compares them.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox } from '../../src-main/services/sandbox/embedded-sandbox.ts';
import { inProcessClient } from '../../src-main/bridge/transports/in-process.ts';
import { openBrowserHost } from '../../src-main/hosts/browser.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { fillWorld, migrateProjects } from '../support/browser/filled-world.ts';
import { MemoryKeychain } from '../support/keychain/memory-keychain.ts';

const folder = join(import.meta.dirname, '../../docs/screenshots');
const dataDir = mkdtempSync(join(tmpdir(), 'packhorse-screenshots-'));
await using cleanup = new AsyncDisposableStack();
cleanup.defer(() => {
  rmSync(dataDir, { recursive: true, force: true });
});
const host = await openBrowserHost({ dataDir, env: {}, port: 0, keychain: new MemoryKeychain() });
cleanup.defer(() => host.close());
const source = await openSandbox({ projectCount: 40 });
cleanup.defer(() => source.close());
const target = await openSandbox({ seed: 2 });
cleanup.defer(() => target.close());
const client = inProcessClient(host.app.dispatch, new AbortController().signal);
const world = { app: host.app, client };
const { archives, jobs, imported } = await fillWorld(world, source, target);
const shown = archives.find(({ fullPath }) => imported.endsWith(fullPath)) ?? archives[0];

const others = archives.filter(({ id }) => id !== shown?.id).slice(0, 11);
const moving = [shown, ...others].flatMap((archive) =>
  archive === undefined ? [] : [{ id: archive.projectId ?? 0, fullPath: archive.fullPath }],
);
const { migration, failure } = await migrateProjects(world, moving);
const { plans } = await client.call('plan.list', {});
for (const { plan } of plans) await client.call('plan.run', { id: plan.id });

const project = encodeURIComponent(shown?.fullPath ?? '');

const browser = await launchChromium();
cleanup.defer(() => browser.close());
mkdirSync(folder, { recursive: true });
for (const [name, colorScheme, hash] of [
  ['overview', 'light', '/overview'],
  ['projects', 'light', '/projects'],
  ['project', 'light', `/projects?instance=work&project=${project}&part=changes`],
  ['tokens', 'light', '/tokens?instance=work'],
  ['archive', 'light', `/archives?archive=${shown?.id ?? ''}`],
  ['import', 'light', `/import?job=${jobs.at(-1) ?? ''}`],
  ['plans', 'light', '/plans'],
  ['migration', 'light', `/migrations?migration=${migration}&step=result`],
  ['failure', 'dark', `/migrations?migration=${migration}&step=result&part=failures&failure=${failure}`],
] as const) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.5,
    colorScheme,
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.goto(host.newLink());
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}
