/**
 * @file The whole product with its window in a real browser, for one test. The browser host runs in this process on a
 * fresh data folder, and its built pages run in Chromium. Any output on the console of the page fails the test. Every
 * frame of the bridge is recorded, so that a test can search it for secrets.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { App } from '../../../src-main/compose/app.ts';
import { inProcessClient, type Client } from '../../../src-main/bridge/transports/in-process.ts';
import { openBrowserHost, type BrowserHostOptions } from '../../../src-main/hosts/browser.ts';
import { sharedChromium } from './chromium.ts';
import { MemoryKeychain } from '../keychain/memory-keychain.ts';
import { builtProduct } from '../processes/product-build.ts';
import { addVerifiedFolder } from '../../verifier/verify-migration.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface BrowserWorld {
  app: App;
  /** Calls the same app directly, to prepare data and to read the stored state. */
  client: Client;
  dataDir: string;
  page: Page;
  keychain: MemoryKeychain;
  /** Text frames of the bridge's WebSocket. */
  frames: { sent: string[]; received: string[] };
  /** Opens a view by its hash, as a link would. */
  go: (hash: string) => Promise<void>;
  /** Saves a screenshot in `out/screenshots`. */
  screenshot: (name: string) => Promise<void>;
}

export interface BrowserWorldOptions extends Partial<BrowserHostOptions> {
  /** Output that the console may show, for tests that provoke it. */
  allowedMessages?: RegExp;
  size?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
}

const screenshotFolder = join(import.meta.dirname, '../../../out/screenshots');

export async function openBrowserWorld(options: BrowserWorldOptions = {}): Promise<BrowserWorld> {
  const {
    allowedMessages = null,
    size = { width: 1280, height: 800 },
    colorScheme = 'light',
    keychain = new MemoryKeychain(),
    ...hosting
  } = options;
  const dataDir = hosting.dataDir ?? temporaryFolder();
  const host = await openBrowserHost({
    env: {},
    port: 0,
    pagesFolder: join(await builtProduct(), 'out/renderer'),
    ...hosting,
    keychain,
    dataDir,
  });
  const context = await (
    await sharedChromium()
  ).newContext({ viewport: size, colorScheme, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  const messages: string[] = [];
  const frames: BrowserWorld['frames'] = { sent: [], received: [] };
  const page = await context.newPage();
  // A busy machine is slow; an event that never comes still fails the test.
  page.setDefaultTimeout(90_000);
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => messages.push(`error: ${error.message}`));
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => frames.sent.push(String(payload)));
    socket.on('framereceived', ({ payload }) => frames.received.push(String(payload)));
  });
  const screenshot = async (name: string): Promise<void> => {
    mkdirSync(screenshotFolder, { recursive: true });
    await page.screenshot({ path: join(screenshotFolder, `${name}.png`) });
  };
  const verify = addVerifiedFolder(dataDir);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshot(`failed ${task.name.replaceAll(/[^\w ]/g, '')}`);
    await context.close();
    await verify().finally(() => host.close());
    expect(messages.filter((line) => allowedMessages?.test(line) !== true)).toEqual([]);
  });
  await page.goto(host.newLink());
  return {
    app: host.app,
    client: inProcessClient(host.app.dispatch, new AbortController().signal),
    dataDir,
    page,
    keychain: keychain as MemoryKeychain,
    frames,
    async go(hash) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    },
    screenshot,
  };
}
