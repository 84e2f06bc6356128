/**
 * @file P12 of the goals: backs up 1,000 projects with the whole product, against a sandbox with the limits of a real
 * server. The lower bound is the time that the limit of exports alone requires. Product and sandbox share one clock,
 * which skips idle time; work takes its real time. A clock that only ran faster would lengthen work and latency by the
 * same factor. Each request takes as long as on a network, and every other export request takes longer.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeApp } from '../../src-main/compose/compose.ts';
import { inProcessClient } from '../../src-main/bridge/transports/in-process.ts';
import { limitPresets } from '../../src-main/sandbox/requests/limits.ts';
import { startSandbox } from '../../src-main/sandbox/sandbox.ts';
import { hasEnded, type Job } from '../../src-contract/runs/job.ts';
import { ScaledClock } from '../support/clocks/scaled-clock.ts';
import { atSize, type Report } from './measuring.ts';

const projects = atSize(1000, 3);
/** The latency of requests, and the additional latency of export requests for projects with odd IDs. */
const latencyMs = 100;
const exportLatencyMs = 900;
const minuteMs = 60_000;

export async function run(): Promise<Report> {
  const clock = new ScaledClock();
  const began = performance.now();
  const sandbox = await startSandbox({
    clock,
    projectCount: projects,
    limits: 'gitlab',
    faults: [
      { match: {}, action: { kind: 'delay', ms: latencyMs } },
      {
        match: { method: 'POST', path: '/projects/\\d*[13579]/export$' },
        action: { kind: 'delay', ms: exportLatencyMs },
      },
    ],
    speed: { exportPendingMs: 2_000, exportQueuedMs: 3_000, exportStartedMs: 20_000, exportClosingMs: 1_000 },
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'packhorse-plan-bench-'));
  const app = await composeApp({
    dataDir,
    env: { PACKHORSE_TOKEN_SOURCE: sandbox.tokens.maintainer },
    clock,
  });
  try {
    const client = inProcessClient(app.dispatch, new AbortController().signal);
    await client.call('instance.add', {
      name: 'source',
      url: sandbox.url,
      caFile: null,
      pace: 'gitlab',
      keep: 'session',
    });
    app.startJobs(() => true);
    const requestsBefore = sandbox.requests.length;
    const startedAt = clock.monotonic();
    await client.call('backup.start', { instance: 'source', projects: 'all', keepExisting: false });
    const allJobs = async (): Promise<Job[]> => {
      const found: Job[] = [];
      for (let before: string | null = null; ;) {
        const page: { jobs: Job[]; next: string | null } = await client.call('job.list', {
          before,
          limit: 500,
        });
        found.push(...page.jobs);
        before = page.next;
        if (before === null) return found;
      }
    };
    let jobs = await allJobs();
    while (!jobs.every(({ state }) => hasEnded(state))) {
      const ended = jobs.filter(({ state }) => hasEnded(state)).length;
      process.stderr.write(`\r${ended} of ${projects} after ${minutes(clock.monotonic() - startedAt)}   `);
      await clock.sleep(2 * minuteMs);
      jobs = await allJobs();
    }
    process.stderr.write('\n');
    const took =
      Math.max(...jobs.map(({ updatedAt }) => updatedAt)) -
      Math.min(...jobs.map(({ createdAt }) => createdAt));
    const stored = jobs.filter(({ state }) => state.status === 'succeeded').length;
    const refused = sandbox.requests.slice(requestsBefore).filter(({ status }) => status === 429).length;
    // The exports of the first minute start at once.
    const perMinute = limitPresets.gitlab.exportsPerMinute;
    const floor = (Math.ceil(projects / perMinute) - 1) * minuteMs;
    return {
      title:
        `${projects} projects backed up at the limits of a real server, in ${minutes(performance.now() - began)} without ` +
        `idle time, with ${availableParallelism()} processors`,
      rows: [
        {
          goal: 'P12',
          what: `time compared with the lower bound of ${minutes(floor)}`,
          measured: `${(took / floor).toFixed(3)} × (${minutes(took)})`,
          goalValue: '≤ 1.05 ×',
          isReached: took <= 1.05 * floor,
        },
        {
          goal: 'P12',
          what: 'requests that were rejected as too early (429)',
          measured: String(refused),
          goalValue: '0',
          isReached: refused === 0,
        },
        {
          goal: 'P12',
          what: 'projects stored',
          measured: `${stored} of ${projects}`,
          goalValue: 'all',
          isReached: stored === projects,
        },
      ],
      rounds: [`${sandbox.requests.length - requestsBefore} requests`],
      versions: [`Node ${process.version}`],
    };
  } finally {
    await app.close();
    await sandbox.close();
    clock.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const minutes = (ms: number): string => `${(ms / minuteMs).toFixed(1)} min`;
