/**
 * @file The built desktop host with its page rendered: a real Chromium plays the one inside Electron. Pages come from
 * the program's own protocol handler. Their address is https, because Chromium refuses `app:` before a test can serve
 * it. The real preload runs in the page over `page.js`, and every call goes through the program's own IPC handlers.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BrowserContext,
  type CDPSession,
  type Frame as PageFrame,
  type Page,
  type Request,
  type Route,
} from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import type { CallName, WindowBridge } from '../../../src-contract/call-names.ts';
import type { CallReply, CallRequest, Result } from '../../../src-contract/calls.ts';
import { sharedChromium } from '../browser/chromium.ts';
import { builtProduct } from '../processes/product-build.ts';
import { DesktopProcess, type DesktopOptions } from './desktop-process.ts';
import type { Frame } from './messages.ts';

const pageOrigin = 'https://bundle.packhorse.test';
const appOrigin = 'app://bundle';

/** Returns the address as the program knows it. */
const toAppUrl = (url: string): string =>
  url.startsWith(`${pageOrigin}/`) ? appOrigin + url.slice(pageOrigin.length) : url;
const toPageUrl = (url: string): string =>
  url.startsWith(`${appOrigin}/`) ? pageOrigin + url.slice(appOrigin.length) : url;

export interface DesktopWindow {
  process: DesktopProcess;
  page: Page;
  /** Every reply and event that reached the page, and every request except those that contain a token, as JSON. */
  traffic: string[];
  /** Saves a screenshot in `out/screenshots`. */
  shot: (name: string) => Promise<void>;
}

export interface WindowOptions extends Omit<DesktopOptions, 'product'> {
  /** Output that the console may show, for tests that provoke it. */
  allowedMessages?: RegExp;
}

const shots = join(import.meta.dirname, '../../../out/screenshots');

/**
 * Starts the program and resolves when its page is loaded; both end with the test. Any output on the console fails the
 * test.
 */
export async function openDesktop({
  allowedMessages,
  ...options
}: WindowOptions = {}): Promise<DesktopWindow> {
  const product = await builtProduct();
  const context = await (
    await sharedChromium()
  ).newContext({
    viewport: { width: 1100, height: 760 },
    acceptDownloads: false,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  const page = await context.newPage();
  // The same timeout as in `browser-world.ts`.
  page.setDefaultTimeout(90_000);
  const messages = recordMessages(page);
  const program = new DesktopProcess({ ...options, product });
  onTestFinished(async () => {
    await context.close();
    expect(messages.filter((line) => allowedMessages?.test(line) !== true)).toEqual([]);
  });
  const traffic = await carryCalls(program, context, page);
  await servePages(program, context, page);
  await addPreload(context, join(product, 'out/preload/preload.cjs'));
  const loaded = new Promise<void>((resolve) => {
    program.onLoad = async (url) => {
      await page.goto(toPageUrl(url));
      resolve();
    };
  });
  const ended = program.exited.then(({ stderr }) => {
    throw new Error(`The program ended before its window was ready. ${stderr}`);
  });
  await Promise.race([loaded, ended]);
  return {
    process: program,
    page,
    traffic,
    async shot(name) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${name}.png`) });
    },
  };
}

declare const window: { packhorse: WindowBridge };

/** Calls like the page; throws the error of a failed call. */
export async function callIn<Name extends CallName>(
  { page }: Pick<DesktopWindow, 'page'>,
  name: Name,
  request: CallRequest<Name>,
): Promise<CallReply<Name>> {
  const result = (await page.evaluate(([called, input, id]) => window.packhorse.calls[called](input, id), [
    name,
    request,
    crypto.randomUUID(),
  ] as const)) as Result<CallReply<Name>>;
  if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** Registers the sandbox as "home", with a token kept in memory, by the calls of the page. */
export async function registerHome(window: Pick<DesktopWindow, 'page'>, sandbox: Sandbox): Promise<void> {
  const token = sandbox.tokens.maintainer;
  await callIn(window, 'instance.setToken', { name: 'home', token, keep: 'session' });
  const { url } = sandbox;
  await callIn(window, 'instance.add', { name: 'home', url, caFile: null, pace: 'sandbox', keep: 'session' });
}

/** Returns the list of console messages and uncaught errors of the page. */
function recordMessages(page: Page): string[] {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => messages.push(`uncaught: ${error.message}`));
  return messages;
}

/** Carries calls between the page's side of the preload and the program. */
async function carryCalls(program: DesktopProcess, context: BrowserContext, page: Page): Promise<string[]> {
  const traffic: string[] = [];
  const events = new EventQueue();
  const devTools = await context.newCDPSession(page);
  program.onEvent = (channel, payload) => {
    traffic.push(JSON.stringify([channel, payload]));
    events.add([channel, payload]);
  };
  const carry = async (
    frame: PageFrame,
    kind: string,
    channel: string,
    args: unknown[],
  ): Promise<unknown> => {
    switch (kind) {
      case 'events':
        return events.take();
      case 'path':
        return pathOfFile(devTools);
      case 'send':
        return program.request('send', { channel, args, frame: describeFrame(frame) });
      default: {
        if (channel !== 'instance.setToken') traffic.push(JSON.stringify([channel, args]));
        const answer = await program.request('invoke', { channel, args, frame: describeFrame(frame) });
        traffic.push(JSON.stringify([channel, answer]));
        return answer;
      }
    }
  };
  await context.exposeBinding('__toMain', ({ frame }, kind: string, channel: string, args: unknown[]) =>
    carry(frame, kind, channel, args),
  );
  return traffic;
}

function describeFrame(frame: PageFrame): Frame {
  const { origin } = new URL(frame.url());
  return {
    origin: origin === pageOrigin ? appOrigin : origin,
    nested: frame.parentFrame() !== null,
    detached: frame.isDetached(),
  };
}

/** Returns the path of the file that the page puts into `__file`: Chromium knows the path, the page does not. */
async function pathOfFile(devTools: CDPSession): Promise<string> {
  const { result } = await devTools.send('Runtime.evaluate', { expression: '__file' });
  if (result.objectId === undefined) throw new Error('There is no file.');
  const { path } = await devTools.send('DOM.getFileInfo', { objectId: result.objectId });
  return path;
}

/** Passes every request of every page to the program, which serves, cancels or refuses it. */
async function servePages(program: DesktopProcess, context: BrowserContext, page: Page): Promise<void> {
  let first = true;
  const serve = async (route: Route): Promise<void> => {
    const request = route.request();
    if (!isOf(request, page)) {
      const action = await program.request('openWindow', { url: toAppUrl(request.url()) });
      if (action !== 'deny') throw new Error('A second window was allowed.');
      // Chromium reports a window only when it has content.
      await route.fulfill({ contentType: 'text/html', body: '' });
      return;
    }
    // The program's own navigation is not a request of the page.
    const navigation = request.isNavigationRequest() && !first;
    first = false;
    const answer = await program.request('fetch', {
      method: request.method(),
      url: toAppUrl(request.url()),
      navigation,
    });
    if (answer === 'cancelled') await route.abort('aborted');
    else await route.fulfill(answer);
  };
  await context.route('**/*', (route) =>
    serve(route).catch(() => {
      // The program or the page is gone.
    }),
  );
  context.on('page', (other) => {
    if (other !== page) void other.close();
  });
}

/** Returns whether a request comes from the page. A new window has no frame to compare yet. */
function isOf(request: Request, page: Page): boolean {
  try {
    return request.frame().page() === page;
  } catch {
    return false;
  }
}

async function addPreload(context: BrowserContext, preload: string): Promise<void> {
  const page = readFileSync(join(import.meta.dirname, 'page.js'), 'utf8');
  const content = page.replace('/* PRELOAD */', () => readFileSync(preload, 'utf8'));
  await context.addInitScript({ content });
}

/** Queues events until the page requests them. */
class EventQueue {
  #events: [string, unknown][] = [];
  #onTake: ((events: [string, unknown][]) => void) | null = null;

  add(event: [string, unknown]): void {
    this.#events.push(event);
    this.#flush();
  }

  /** Resolves with the next events; an earlier pending call gets none. */
  take(): Promise<[string, unknown][]> {
    this.#onTake?.([]);
    return new Promise((resolve) => {
      this.#onTake = resolve;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#onTake === null || this.#events.length === 0) return;
    this.#onTake(this.#events);
    this.#onTake = null;
    this.#events = [];
  }
}
