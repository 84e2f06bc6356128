/**
 * @file The page's side of the bridge in a real browser against a real host, over a connection that can be cut. The
 * page is built from `src-renderer/client.ts` only.
 */
import { createServer as createHttpServer } from 'node:http';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../support/browser/chromium.ts';
import { openServing, type Serving } from '../../support/browser/serving.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openTestSandbox } from '../../support/world.ts';

const withoutChromium = await isWithoutChromium();

let browser: Browser;
let script: string;

beforeAll(async () => {
  if (withoutChromium) return;
  const client = join(import.meta.dirname, '../../../src-renderer/client.ts');
  const [[built], launched] = await Promise.all([
    build({
      configFile: false,
      logLevel: 'error',
      build: { write: false, lib: { entry: client, formats: ['es'] } },
    }) as Promise<{ output: { code: string }[] }[]>,
    launchChromium(),
  ]);
  script = built?.output[0]?.code ?? '';
  browser = launched;
});
afterAll(async () => {
  if (!withoutChromium) await browser.close();
});

function clientPage(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets/client.js'), script);
  writeFileSync(
    join(folder, 'assets/page.js'),
    "import * as client from './client.js'; Object.assign(globalThis, { client, heard: [] });",
  );
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>page</title><input type="file"><script type="module" src="./assets/page.js"></script>',
  );
  return folder;
}

/** Opens a TCP relay from its own port to the host, like an SSH tunnel. */
async function openWire(port: number) {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [source, destination] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(source);
      source.on('error', () => destination.destroy());
      source.on('close', () => {
        open.delete(source);
        destination.destroy();
      });
      source.pipe(destination);
    }
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const cut = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const at = (server.address() as AddressInfo).port;
  onTestFinished(cut);
  return { port: at, cut, mend: () => listen(at) };
}

/** Polls from outside, because the page's policy forbids Playwright's own way of waiting. */
async function until(page: Page, expression: string): Promise<void> {
  const holds = () => page.evaluate<boolean>(expression).catch(() => false);
  await expect.poll(holds, { timeout: 20_000, message: expression }).toBe(true);
}

interface Opened {
  serving: Serving;
  context: BrowserContext;
  page: Page;
  /** Runs an expression in the page, where `client` is the module. */
  run: <Value>(expression: string) => Promise<Value>;
  /** The page's console output. */
  consoleLines: string[];
}

async function openPage(through?: (serving: Serving) => Promise<number>): Promise<Opened> {
  const serving = await openServing({ pagesFolder: clientPage() });
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const consoleLines: string[] = [];
  page.on('console', (message) => consoleLines.push(message.text()));
  page.on('pageerror', (error) => consoleLines.push(String(error)));
  const link = new URL(serving.host.newLink());
  if (through !== undefined) link.port = String(await through(serving));
  await page.goto(link.href);
  expect(new URL(page.url()).pathname).toBe('/');
  await until(page, 'globalThis.client !== undefined');
  return { serving, context, page, consoleLines, run: (expression) => page.evaluate(expression) };
}

async function addSandbox({ client }: Serving, projects: number) {
  const sandbox = await openTestSandbox({ projectCount: projects });
  await client.call('instance.setToken', { name: 'gl', token: sandbox.tokens.maintainer, keep: 'session' });
  await client.call('instance.add', {
    name: 'gl',
    url: sandbox.url,
    caFile: null,
    pace: 'sandbox',
    keep: 'session',
  });
  return sandbox;
}

const refresh = "'instance.refresh', { name: 'gl', visible: false }";

test.skipIf(withoutChromium)(
  'calls get replies and events arrive, under the content security policy and without console output',
  async () => {
    const { serving, run, page, consoleLines } = await openPage();
    await run(
      "client.onConnection((state) => heard.push(state)) && client.on('job.changed', (event) => heard.push(event)) && 0",
    );
    expect(await run("client.call('host.describe', {})")).toMatchObject({
      ok: true,
      value: { dataFolder: serving.dataDir },
    });
    expect(await run("client.call('job.show', { job: 'none' })")).toMatchObject({
      ok: false,
      error: { code: 'job-missing' },
    });
    const sandbox = await addSandbox(serving, 1);
    const request = JSON.stringify({ instance: 'gl', projects: sandbox.state.paths, keepExisting: false });
    expect(await run(`client.call('backup.start', ${request})`)).toMatchObject({ ok: true });
    await until(page, 'heard.length > 2');
    const [state, event] = await run<unknown[]>('heard');
    expect(state).toBe('open');
    expect(event).toMatchObject({
      jobId: expect.any(String) as string,
      revision: expect.any(Number) as number,
    });
    expect(consoleLines).toEqual([]);
  },
);

test.skipIf(withoutChromium)('a long call reports its progress, and is cancelled by its signal', async () => {
  const { serving, run, page } = await openPage();
  const sandbox = await addSandbox(serving, 120);
  sandbox.faults.add({ match: { path: '/projects\\?', nth: 3 }, action: { kind: 'stall', afterBytes: 10 } });
  await run(
    `globalThis.abort = new AbortController();
     globalThis.answer = client.call(${refresh}, { onProgress: (progress) => heard.push(progress), signal: abort.signal }); 0`,
  );
  await until(page, 'heard.length > 1');
  const progress = { step: 'list', unit: 'records', total: 120 };
  expect(await run('heard')).toEqual([
    { ...progress, done: 0 },
    { ...progress, done: 100 },
  ]);
  await run('abort.abort()');
  expect(await run('answer')).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(await run(`client.call(${refresh}, { signal: abort.signal })`)).toMatchObject({
    error: { code: 'cancelled' },
  });
});

test.skipIf(withoutChromium)('a request that is too large fails, but the connection stays open', async () => {
  const { run } = await openPage();
  await run('client.onConnection((state) => heard.push(state)) && 0');
  expect(await run("client.call('job.show', { job: 'x'.repeat(2e6) })")).toMatchObject({
    ok: false,
    error: { code: 'invalid-input' },
  });
  expect(await run("client.call('host.describe', {})")).toMatchObject({ ok: true });
  expect(await run('heard')).toEqual(['open']);
});

describe.skipIf(withoutChromium)('when the connection is lost', () => {
  test('running and new calls fail with page-disconnected; the page reconnects by itself and notifies listeners to read again', async () => {
    let wire: Awaited<ReturnType<typeof openWire>> | undefined;
    const { serving, run, page } = await openPage(
      async ({ host }) => (wire = await openWire(host.port)).port,
    );
    const sandbox = await addSandbox(serving, 120);
    sandbox.faults.add({
      match: { path: '/projects\\?', nth: 3 },
      action: { kind: 'stall', afterBytes: 10 },
    });
    await run(
      `client.onConnection((state) => heard.push(state));
       for (const name of ['job.changed', 'settings.changed', 'host.command', 'call.progress'])
         client.on(name, (event) => { if (event === null) heard.push(name + ' again'); });
       globalThis.answer = client.call(${refresh}, { onProgress: () => (globalThis.under = true) }); 0`,
    );
    await until(page, 'globalThis.under === true');
    await wire?.cut();
    expect(await run('answer')).toMatchObject({
      ok: false,
      error: { code: 'page-disconnected', retry: 'later' },
    });
    expect(await run("client.call('host.describe', {})")).toMatchObject({
      error: { code: 'page-disconnected' },
    });
    expect(await run('heard')).toEqual(['open', 'lost']);
    await wire?.mend();
    await until(page, "heard.includes('settings.changed again')");
    expect(await run('heard')).toEqual([
      'open',
      'lost',
      'open',
      'job.changed again',
      'settings.changed again',
    ]);
    expect(await run("client.call('host.describe', {})")).toMatchObject({ ok: true });
  });

  test('an open page continues after serving has started again and its browser has signed in', async () => {
    const { serving, run, page, context } = await openPage();
    await run('client.onConnection((state) => heard.push(state)) && 0');
    const { port } = serving.host;
    await serving.host.close();
    await until(page, "heard.at(-1) === 'lost'");
    const restarted = await openServing({ dataDir: serving.dataDir, port, pagesFolder: clientPage() });
    const other = await context.newPage();
    await other.goto(restarted.host.newLink());
    await until(page, "heard.at(-1) === 'open'");
    expect(await run("client.call('host.describe', {})")).toMatchObject({ ok: true });
  });
});

describe.skipIf(withoutChromium)('a file', () => {
  const choose = async ({ page }: Opened, bytes: number): Promise<Buffer> => {
    const content = randomBytes(bytes);
    const file = join(temporaryFolder(), 'größe & co_export.tar.gz');
    writeFileSync(file, content);
    await page.locator('input').setInputFiles(file);
    return content;
  };
  const file = "document.querySelector('input').files[0]";

  test('is uploaded with progress, and the path of its copy is returned', async () => {
    const opened = await openPage();
    const content = await choose(opened, 3_000_000);
    const result = await opened.run<{ ok: boolean; value: string }>(
      `client.createFileReference(${file}, { onProgress: (done, total) => heard.push([done, total]) })`,
    );
    expect(result.ok).toBe(true);
    expect(result.value).toMatch(/größe & co_export\.tar\.gz$/);
    expect(readFileSync(result.value).equals(content)).toBe(true);
    expect((await opened.run<unknown[]>('heard')).at(-1)).toEqual([3_000_000, 3_000_000]);
  });

  test('whose upload is cancelled leaves nothing', async () => {
    const opened = await openPage();
    await choose(opened, 40_000_000);
    // On a fast connection the whole file may have arrived before the page receives its first progress.
    const network = await opened.page.context().newCDPSession(opened.page);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 1_000_000,
    });
    const result = await opened.run(
      `(() => { const abort = new AbortController();
        return client.createFileReference(${file}, { signal: abort.signal, onProgress: (done) => { if (done > 0) abort.abort(); } }); })()`,
    );
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    const folder = join(opened.serving.dataDir, 'uploads');
    await expect.poll(() => (existsSync(folder) ? readdirSync(folder) : [])).toEqual([]);
  });

  test('that cannot be read is reported', async () => {
    const opened = await openPage();
    const file = join(temporaryFolder(), 'a.tar.gz');
    writeFileSync(file, 'one');
    // Chromium recognises a changed file by its time, in seconds.
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    await opened.page.locator('input').setInputFiles(file);
    const chosen = "document.querySelector('input').files[0]";
    // Chromium may read the time only after the file was chosen. After the page has read the file, Chromium knows the time.
    expect(await opened.run(`${chosen}.text()`)).toBe('one');
    writeFileSync(file, 'another one, since it was chosen');
    expect(await opened.run(`client.createFileReference(${chosen})`)).toMatchObject({
      ok: false,
      error: { code: 'archive-missing', message: 'a.tar.gz cannot be read.' },
    });
  });

  test('that the host cannot store is reported with the host’s own error', async () => {
    const opened = await openPage();
    writeFileSync(join(opened.serving.dataDir, 'uploads'), 'a file in its place');
    await choose(opened, 20_000_000);
    expect(await opened.run(`client.createFileReference(${file})`)).toMatchObject({
      ok: false,
      error: { code: 'disk-failed' },
    });
  });

  test('that is uploaded while the connection is lost is reported', async () => {
    const opened = await openPage();
    await choose(opened, 1000);
    await opened.serving.host.close();
    expect(await opened.run(`client.createFileReference(${file})`)).toMatchObject({
      ok: false,
      error: { code: 'page-disconnected' },
    });
  });
});

test.skipIf(withoutChromium)(
  'a link that is followed from a page of another site also signs the browser in',
  async () => {
    const serving = await openServing({ pagesFolder: clientPage() });
    const link = serving.host.newLink();
    const elsewhere = createHttpServer((_request, response) => {
      response
        .setHeader('Content-Type', 'text/html')
        .end(`<!doctype html><link rel="icon" href="data:,"><a href="${link}">go</a>`);
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void elsewhere.close());
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
    await page.getByText('go').click();
    await until(page, 'globalThis.client !== undefined');
    expect(page.url()).toBe(`http://${serving.hostHeader}/`);
  },
);

test.skipIf(withoutChromium)(
  'a browser without a session shows what to do, on a page with its styles',
  async () => {
    const serving = await openServing({ pagesFolder: clientPage() });
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const consoleLines: string[] = [];
    page.on('console', (message) => consoleLines.push(message.text()));
    await page.goto(`http://${serving.hostHeader}/`);
    expect(await page.getByRole('heading').textContent()).toBe('Packhorse does not know this browser');
    expect(await page.evaluate('getComputedStyle(document.body).maxWidth')).toBe('544px');
    expect(consoleLines.filter((line) => !line.includes('403 (Forbidden)'))).toEqual([]);
    expect(consoleLines).toHaveLength(1);
  },
);

test.skipIf(withoutChromium)(
  'a page of another origin can neither call nor read nor frame the host',
  async () => {
    const { serving, context } = await openPage();
    const elsewhere = createHttpServer((_request, response) => {
      response
        .setHeader('Content-Type', 'text/html')
        .end('<!doctype html><link rel="icon" href="data:,"><title>x</title>');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void elsewhere.close());
    const page = await context.newPage();
    // For cookies this is the same site: only the port differs.
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
    const { hostHeader } = serving;
    const outcome = (expression: string): Promise<unknown> =>
      page.evaluate(
        `(async () => { try { return await (${expression}); } catch (error) { return 'refused'; } })()`,
      );
    expect(
      await outcome(
        `fetch('http://${hostHeader}/', { credentials: 'include' }).then((answer) => answer.text())`,
      ),
    ).toBe('refused');
    expect(
      await outcome(
        `fetch('http://${hostHeader}/upload?name=a', { method: 'POST', body: 'x', mode: 'no-cors', credentials: 'include' }).then(() => 'sent')`,
      ),
    ).toBe('refused');
    expect(
      await outcome(
        `new Promise((resolve, reject) => { const socket = new WebSocket('ws://${hostHeader}/bridge'); socket.onopen = () => resolve('open'); socket.onerror = reject; })`,
      ),
    ).toBe('refused');
    expect(
      await outcome(
        `new Promise((resolve, reject) => { const script = document.createElement('script'); script.src = 'http://${hostHeader}/assets/client.js'; script.onload = () => resolve('ran'); script.onerror = reject; document.head.append(script); })`,
      ),
    ).toBe('refused');
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://${hostHeader}/' }))`,
    );
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    expect(existsSync(join(serving.dataDir, 'uploads'))).toBe(false);
  },
);
