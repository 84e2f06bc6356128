/**
 * @file Measures the window in a real browser over the browser host: size, first paint, scrolling and filtering fifty
 * thousand projects, and memory after a flood of events.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type CDPSession, type Page } from 'playwright-core';
import { openBrowserHost } from '../../src-main/hosts/browser.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { storeManyProjects } from '../support/servers/many-projects.ts';
import { builtFolder } from './built.js';
import { build, median, type Report, atSize, rounds } from './measuring.ts';

const projects = atSize(50_000, 200);
const scrollFrames = atSize(600, 30);
const searches = atSize(['ember iris', 'granite 777', 'delta', 'harbour', '4242'], ['ember iris', 'delta']);
const events = atSize(100_000, 100);

const pages = fileURLToPath(new URL('renderer', builtFolder));

/** The 95th percentile, and the share of gaps between frames that a user notices. */
const p95 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
const visibleGapShare = (gaps: number[]): number => gaps.filter((gap) => gap > 25).length / gaps.length;
const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
const ms = (value: number): string => `${value.toFixed(1)} ms`;

function bundleBytes(): number {
  const folder = pages;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html)$/.test(entry.name))
    .reduce((sum, entry) => sum + gzipSync(readFileSync(join(entry.parentPath, entry.name))).length, 0);
}

async function firstPaint(page: Page): Promise<number> {
  await page.reload();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN`,
  );
}

/** Moves the table by some rows each frame, like a wheel. Resolves with the gaps between frames in milliseconds. */
function scroll(page: Page, pixelsPerFrame: number): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((done) => {
    const grid = document.querySelector('[role=grid]');
    const scroller = [grid, ...grid.querySelectorAll('*')].find((one) => one.scrollHeight > one.clientHeight + 1000)
      ?? grid.closest('[data-scroller]') ?? grid.parentElement;
    const gaps = [];
    let last = performance.now();
    const frame = (now) => {
      gaps.push(now - last);
      last = now;
      scroller.scrollTop += ${pixelsPerFrame};
      if (gaps.length < ${scrollFrames}) requestAnimationFrame(frame);
      else done(gaps.slice(5));
    };
    requestAnimationFrame(frame);
  })`);
}

interface TraceEvent {
  name: string;
  tid: number;
  ts: number;
  /** The duration of the event, and the processor time of its thread meanwhile; microseconds. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** The tasks of the page's main thread between one frame and the next, in milliseconds. */
interface FrameWork {
  /** Processor time of the thread, without other work of the processor. */
  worked: number;
  /** Elapsed time, including other work of the processor. */
  passed: number;
}

/** Resolves with the work of each frame, from Chromium's own trace. */
async function workPerFrame(session: CDPSession, during: () => Promise<unknown>): Promise<FrameWork[]> {
  const traced: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => traced.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', '__metadata'] },
  });
  await during();
  await session.send('Tracing.end');
  await complete;
  const frames = traced.filter(({ name }) => name === 'FireAnimationFrame');
  const main = frames[0]?.tid;
  const tasks = traced.filter(
    ({ name, tid }) => tid === main && (name === 'RunTask' || name.endsWith('::RunTask')),
  );
  const starts = frames.map(({ ts }) => ts).sort((a, b) => a - b);
  const work = starts.map((): FrameWork => ({ worked: 0, passed: 0 }));
  let at = 0;
  for (const task of tasks.toSorted((a, b) => a.ts - b.ts)) {
    while (at + 1 < starts.length && (starts[at + 1] ?? Infinity) <= task.ts) at += 1;
    const frame = work[at];
    if (frame === undefined) continue;
    frame.worked += (task.tdur ?? Number.NaN) / 1000;
    frame.passed += (task.dur ?? Number.NaN) / 1000;
  }
  return work.slice(5);
}

/** Resolves with the time from the key press to the first row that matches, in milliseconds. */
async function filterTime(page: Page, text: string): Promise<number> {
  const search = page.getByRole('searchbox').first();
  await search.fill('');
  await page.locator(`[role=grid][aria-rowcount="${projects + 1}"]`).waitFor();
  await search.focus();
  return page.evaluate<number>(`new Promise((done, fail) => {
    const rows = () => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') ?? null;
    const before = rows();
    const start = performance.now();
    const watcher = new MutationObserver(() => {
      if (rows() === before || rows() === null) return;
      watcher.disconnect();
      requestAnimationFrame(() => done(performance.now() - start));
    });
    // Observes the whole page, because a list that is requested again may get a new grid.
    watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
    setTimeout(() => fail(new Error('The search found nothing.')), 10_000);
    const field = document.activeElement;
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  })`);
}

async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** Sends events to the page through its own socket, like the app. */
async function flood(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const socket = window.benchSocket;
    for (let at = 0; at < ${events}; at += 1) {
      const payload = { jobId: 'job-' + at, runId: 'run', revision: at };
      const text = JSON.stringify({ event: 'job.changed', payload });
      socket.dispatchEvent(new MessageEvent('message', { data: text }));
      if (at % 1000 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  })()`);
}

export async function run(): Promise<Report> {
  build();
  const dataDir = mkdtempSync(join(tmpdir(), 'packhorse-bench-window-'));
  process.stderr.write(`Storing ${projects} projects …\n`);
  await storeManyProjects(dataDir, projects);
  const host = await openBrowserHost({ dataDir, env: {}, port: 0, pagesFolder: pages });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(`
      window.WebSocket = new Proxy(WebSocket, {
        construct: (Real, given) => (window.benchSocket = new Real(...given)),
      });`);
    const session = await page.context().newCDPSession(page);
    await page.goto(host.newLink());

    const paints: number[] = [];
    for (let round = 0; round < rounds; round += 1) paints.push(await firstPaint(page));

    await page.evaluate(`location.hash = '#/projects'`);
    await page.locator('[role=grid] [role=row]').nth(5).waitFor();
    const slow = await scroll(page, 72);
    const fast = await scroll(page, 1_440);
    const work = [
      ...(await workPerFrame(session, () => scroll(page, 72))),
      ...(await workPerFrame(session, () => scroll(page, 1_440))),
    ];
    const drawn = await page.locator('[role=grid] [role=row]').count();

    const filters: number[] = [];
    for (const text of searches) {
      filters.push(await filterTime(page, text));
    }

    await page.evaluate(`location.hash = '#/activity'`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await flood(page);
    const before = await heap(session);
    await flood(page);
    const after = await heap(session);

    const gaps = [...slow, ...fast];
    const worked = work.map((frame) => frame.worked);
    const passed = work.map((frame) => frame.passed);
    const bundle = bundleBytes();
    const paint = median(paints);
    return {
      title: `The window with ${projects} projects, in a browser on this machine`,
      versions: [`node ${process.version}`, `Chromium ${browser.version()}`],
      rows: [
        {
          goal: 'P14',
          what: 'first paint',
          measured: ms(paint),
          goalValue: '≤ 300 ms',
          isReached: paint <= 300,
        },
        {
          goal: 'P14',
          what: `gaps over 25 ms between ${gaps.length} frames of scrolling`,
          measured: percent(visibleGapShare(gaps)),
          goalValue: '≤ 1 %',
          isReached: visibleGapShare(gaps) <= 0.01,
        },
        {
          goal: 'P14',
          what: 'work per frame while scrolling (processor time), 95th percentile',
          measured: `${ms(p95(worked))} (${ms(p95(passed))} pass meanwhile)`,
          goalValue: '≤ 8 ms',
          isReached: p95(worked) <= 8,
        },
        {
          goal: 'P14',
          what: 'time from a key press in the search to the rows',
          measured: ms(median(filters)),
          goalValue: '≤ 50 ms',
          isReached: median(filters) <= 50,
        },
        {
          goal: 'P14',
          what: 'page, scripts and styles, gzip',
          measured: `${(bundle / 1000).toFixed(0)} kB`,
          goalValue: '≤ 300 kB',
          isReached: bundle <= 300_000,
        },
        {
          goal: '–',
          what: `memory of the page after another ${events} events`,
          measured: `${((after - before) / 1e6).toFixed(1)} MB more, ${(after / 1e6).toFixed(1)} MB in all`,
          goalValue: 'no growth (≤ 2 MB)',
          isReached: after - before <= 2e6,
        },
      ],
      rounds: [
        `first paints: ${paints.map(ms).join(', ')}`,
        `filters: ${filters.map(ms).join(', ')}`,
        `scrolling by 2 rows a frame: gaps over 25 ms ${percent(visibleGapShare(slow))}, median gap ${ms(median(slow))}`,
        `scrolling by 40 rows a frame: gaps over 25 ms ${percent(visibleGapShare(fast))}, median gap ${ms(median(fast))}`,
        `processor time per frame: median ${ms(median(worked))}, rows drawn ${drawn}`,
      ],
    };
  } finally {
    await browser.close();
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
