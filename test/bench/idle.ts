/**
 * @file P15 of the goals: measures the resources of a daemon that waits for the next run of a plan. The daemon has
 * backed up everything once, so that all modules are loaded. The bench reads the process accounting in `/proc`, so it
 * runs on Linux only.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src-main/platform/clock.ts';
import { build, type Report, commandLine, atSize } from './measuring.ts';
import { withSandbox } from './sandbox-process.ts';

const settleMs = atSize(15_000, 2_000);
const watchedMs = atSize(120_000, 2_000);
const pollIntervalMs = 1_000;
const projects = atSize('7', '1');

interface Usage {
  /** User and system time together. */
  cpuSeconds: number;
  residentMegabytes: number;
}

function readUsage(pid: number): Usage {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']).toString());
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    residentMegabytes: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  };
}

async function watch(pid: number): Promise<{ peak: number; cpuPercent: number }> {
  await systemClock.sleep(settleMs);
  const first = readUsage(pid);
  const began = systemClock.monotonic();
  let peak = 0;
  while (systemClock.monotonic() - began < watchedMs) {
    peak = Math.max(peak, readUsage(pid).residentMegabytes);
    await systemClock.sleep(pollIntervalMs);
  }
  const seconds = (systemClock.monotonic() - began) / 1000;
  return { peak, cpuPercent: ((readUsage(pid).cpuSeconds - first.cpuSeconds) / seconds) * 100 };
}

export async function run(): Promise<Report> {
  build();
  const dataDir = mkdtempSync(join(tmpdir(), 'packhorse-idle-bench-'));
  try {
    const { peak, cpuPercent } = await withSandbox(['--projects', projects], async ({ url, token }) => {
      const env = { ...process.env, PACKHORSE_TOKEN_SOURCE: token };
      const packhorse = (...args: string[]): Buffer =>
        execFileSync(process.execPath, [commandLine, '--data-dir', dataDir, ...args], {
          env,
          stdio: ['ignore', 'pipe', 'ignore'],
        });
      packhorse('instance', 'add', 'source', url, '--pace', 'sandbox');
      // The plan is due in about twelve hours, whenever the bench runs.
      const hour = (new Date(systemClock.now()).getUTCHours() + 12) % 24;
      const daily = `${String(hour).padStart(2, '0')}:00`;
      packhorse('plan', 'add', '--instance', 'source', '--daily', daily, '--time-zone', 'UTC');
      const daemon = spawn(process.execPath, [commandLine, '--data-dir', dataDir, 'daemon'], {
        env,
        stdio: 'ignore',
      });
      try {
        // The daemon holds the lease, so it runs the jobs that a command starts.
        await systemClock.sleep(settleMs);
        packhorse('backup', '--instance', 'source', '--all');
        return await watch(daemon.pid ?? 0);
      } finally {
        daemon.kill();
        await once(daemon, 'close');
      }
    });
    return {
      title: `A daemon with a plan, watched for ${watchedMs / 1000} s while nothing is due`,
      rows: [
        {
          goal: 'P15',
          what: 'processor',
          measured: `${cpuPercent.toFixed(2)} %`,
          goalValue: '≤ 0.5 %',
          isReached: cpuPercent <= 0.5,
        },
        {
          goal: 'P15',
          what: 'peak memory',
          measured: `${peak.toFixed(0)} MB`,
          goalValue: '≤ 150 MB',
          isReached: peak <= 150,
        },
      ],
      rounds: [],
      versions: [`Node ${process.version}`],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
