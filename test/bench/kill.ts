/**
 * @file R1 of the goals: kills a process that backs up twenty projects five hundred times at random moments. After each
 * kill, a new process on the data of the killed one must run a job again within two seconds. The sandbox runs in its own
 * process. Uses the built product.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src-main/platform/clock.ts';
import { createDataPaths } from '../../src-main/platform/paths.ts';
import { z } from '../../src-contract/schema.ts';
import { seeded } from '../support/archives/archive-builder.ts';
import { BackupLedger } from '../support/jobs/backup-ledger.ts';
import { restartUntilDone } from '../support/faults/restart-until-done.ts';
import { cliCommand, KillableProcess } from '../support/faults/killable-process.ts';
import { registerInstance } from '../support/servers/known-instance.ts';
import { build, median, type Report, commandLine, atSize } from './measuring.ts';
import { withSandbox, type SandboxProcess } from './sandbox-process.ts';

const projects = atSize(20, 2);
/**
 * Factors for the longest life of a process, which starts at half the time of an undisturbed backup. About eight kills
 * happen for each backup that completes.
 */
const [afterKill, afterEnd] = [1.03, 0.8];
const requestsSchema = z.array(
  z.object({ method: z.string(), path: z.string(), status: z.number().nullable() }),
);

/** Returns the export requests that were sent while an export was running. GitLab rejects them with 400. */
async function refusedExports({ url }: SandboxProcess): Promise<string[]> {
  const requests = requestsSchema.parse(await (await fetch(`${url}/-/sandbox/requests`)).json());
  return requests
    .filter(({ method, path, status }) => method === 'POST' && path.endsWith('/export') && status === 400)
    .map(({ path }) => `POST ${path} while an export was running`);
}

const maxRestartMs = 2_000;
const pollIntervalMs = 5;

/**
 * Measures how long a process needs to settle the running jobs of its killed predecessor and to run one. Reads the log,
 * because opening the catalogue would repair the damage of the kill.
 */
class Restarts {
  readonly taken: number[] = [];
  readonly #log: string;

  constructor(dataDir: string) {
    this.#log = join(createDataPaths(dataDir).logFolder, 'packhorse.log');
  }

  /** Watches a process that starts now. A process that ends before it runs a job does not count. */
  async watch(process: KillableProcess): Promise<void> {
    const began = systemClock.monotonic();
    const before = this.#size();
    while (process.running) {
      // All open jobs are settled before the first one runs.
      if (this.#size() !== before && this.#since(before).includes('"state":"running"')) {
        this.taken.push(systemClock.monotonic() - began);
        return;
      }
      await systemClock.sleep(pollIntervalMs);
    }
  }

  #size(): number {
    return statSync(this.#log).size;
  }

  /** Returns the log after the given size, or the whole log if it was rotated meanwhile. */
  #since(before: number): string {
    const bytes = readFileSync(this.#log);
    return bytes.subarray(bytes.length < before ? 0 : before).toString();
  }
}

export async function run(count = atSize(500, 1)): Promise<Report> {
  build();
  const dataDir = mkdtempSync(join(tmpdir(), 'packhorse-kill-'));
  const seed = Number(process.env['PACKHORSE_SEED'] ?? 1);
  const pick = seeded(seed);
  const began = systemClock.monotonic();
  try {
    return await withSandbox(['--projects', String(projects)], async (sandbox) => {
      await registerInstance(dataDir, { name: 'source', ...sandbox });
      const ledger = new BackupLedger(dataDir);
      const args = ['backup', '--instance', 'source', '--all'];
      const command = cliCommand(dataDir, { source: sandbox.token }, args, commandLine);
      // The process runs as installed: without the compile cache of earlier processes.
      const env = { ...command.env, ...atSize({ NODE_DISABLE_COMPILE_CACHE: '1' }, {}) };
      const start = () => new KillableProcess({ ...command, env });
      const restarts = new Restarts(dataDir);
      let wasKilled = false;
      /** Runs a backup to its end. @returns milliseconds. */
      const undisturbed = async (): Promise<number> => {
        const started = systemClock.monotonic();
        const { code, stderr } = await start().ended;
        if (code !== 0) throw new Error(`A backup that was not killed ended with ${code}: ${stderr}`);
        return systemClock.monotonic() - started;
      };
      let maxMs = (await undisturbed()) / 2;
      let [kills, completed] = [0, 0];
      while (kills < count) {
        await restartUntilDone({
          start() {
            const process = start();
            if (wasKilled) void restarts.watch(process);
            wasKilled = false;
            return process;
          },
          kills: count - kills,
          async waitForKill(process) {
            const timer = new AbortController();
            const lifeMs = 1 + pick(Math.ceil(maxMs));
            const timeout = systemClock.sleep(lifeMs, timer.signal).catch(() => undefined);
            await Promise.race([timeout, process.ended]);
            timer.abort();
            maxMs *= process.running ? afterKill : afterEnd;
          },
          onKill() {
            kills += 1;
            wasKilled = true;
            ledger.recordArchives();
          },
        });
        completed += 1;
      }
      await undisturbed();
      const { lost, doubled, orphaned } = ledger.findViolations();
      doubled.push(...(await refusedExports(sandbox)));
      const slowest = Math.max(...restarts.taken);
      const isSound = lost.length + doubled.length + orphaned.length === 0;
      const isQuick = slowest <= maxRestartMs;
      const line = `kills ${kills}, lost ${lost.length}, doubled ${doubled.length}, orphaned ${orphaned.length}`;
      const minutes = ((systemClock.monotonic() - began) / 60_000).toFixed(1);
      return {
        title: `A backup of ${projects} projects, killed at random moments (seed ${seed}, PACKHORSE_SEED)`,
        rows: [
          {
            goal: 'R1',
            what: 'archives that were lost, stored or requested twice, or left incomplete, and orphaned files',
            measured: `${lost.length + doubled.length + orphaned.length} after ${kills} kills`,
            goalValue: '0',
            isReached: isSound,
          },
          {
            goal: 'R1',
            what: 'longest time from a start after a kill until jobs run again',
            measured: `${slowest.toFixed(0)} ms (median ${median(restarts.taken).toFixed(0)} ms of ${restarts.taken.length})`,
            goalValue: `≤ ${maxRestartMs} ms`,
            isReached: isQuick,
          },
        ],
        rounds: [
          `${completed} backups of all projects completed, ${ledger.acknowledged} archives were acknowledged; ${minutes} minutes`,
          ...lost,
          ...doubled,
          ...orphaned,
        ],
        versions: [`Node ${process.version}`],
        verdict: { line, isGood: isSound && isQuick },
      };
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
