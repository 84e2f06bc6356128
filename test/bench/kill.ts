/**
 * @file R1 of the goals: five hundred kills at random moments of a process that backs up twenty projects, each followed
 * by a new process on the data of the killed one, which must run a job again within two seconds. The sandbox runs in a
 * process of its own; the product is the built one.
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
import { makeKnown } from '../support/servers/known-instance.ts';
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

/** Requests for an export that came while one was running: GitLab answers them with 400. */
async function refusedExports({ url }: SandboxProcess): Promise<string[]> {
  const requests = requestsSchema.parse(await (await fetch(`${url}/-/sandbox/requests`)).json());
  return requests
    .filter(({ method, path, status }) => method === 'POST' && path.endsWith('/export') && status === 400)
    .map(({ path }) => `POST ${path} while an export was running`);
}

const slowestRestartMs = 2_000;
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

  /** A full log was rotated, and starts again. */
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
      await makeKnown(dataDir, { name: 'source', ...sandbox });
      const ledger = new BackupLedger(dataDir);
      const args = ['backup', '--instance', 'source', '--all'];
      const command = cliCommand(dataDir, { source: sandbox.token }, args, commandLine);
      // Runs as installed: without the compile cache of earlier processes.
      const env = { ...command.env, NODE_DISABLE_COMPILE_CACHE: '1' };
      const start = () => new KillableProcess({ ...command, env });
      const restarts = new Restarts(dataDir);
      let wasKilled = false;
      /** Runs a backup to its end. @returns milliseconds. */
      const undisturbed = async (): Promise<number> => {
        const started = systemClock.monotonic();
        const { code, stderr } = await start().ended;
        if (code !== 0) throw new Error(`A backup that nobody killed ended with ${code}: ${stderr}`);
        return systemClock.monotonic() - started;
      };
      let maxMs = (await undisturbed()) / 2;
      let [kills, whole] = [0, 0];
      while (kills < count) {
        await restartUntilDone({
          start() {
            const process = start();
            if (wasKilled) void restarts.watch(process);
            wasKilled = false;
            return process;
          },
          kills: count - kills,
          async moment(process) {
            const over = new AbortController();
            const life = 1 + pick(Math.ceil(maxMs));
            const late = systemClock.sleep(life, over.signal).catch(() => undefined);
            await Promise.race([late, process.ended]);
            over.abort();
            maxMs *= process.running ? afterKill : afterEnd;
          },
          killed() {
            kills += 1;
            wasKilled = true;
            ledger.look();
          },
        });
        whole += 1;
      }
      await undisturbed();
      const { lost, doubled, orphaned } = ledger.settle();
      doubled.push(...(await refusedExports(sandbox)));
      const slowest = Math.max(...restarts.taken);
      const isSound = lost.length + doubled.length + orphaned.length === 0;
      const isQuick = slowest <= slowestRestartMs;
      const line = `kills ${kills}, lost ${lost.length}, doubled ${doubled.length}, orphaned ${orphaned.length}`;
      const minutes = ((systemClock.monotonic() - began) / 60_000).toFixed(1);
      return {
        title: `A backup of ${projects} projects, killed at random moments (seed ${seed}, PACKHORSE_SEED)`,
        rows: [
          {
            goal: 'R1',
            what: 'archives lost, stored or asked for twice, or left without what belongs to them',
            measured: `${lost.length + doubled.length + orphaned.length} after ${kills} kills`,
            wanted: '0',
            reached: isSound,
          },
          {
            goal: 'R1',
            what: 'start after a kill until jobs run again, at worst',
            measured: `${slowest.toFixed(0)} ms (median ${median(restarts.taken).toFixed(0)} ms of ${restarts.taken.length})`,
            wanted: `≤ ${slowestRestartMs} ms`,
            reached: isQuick,
          },
        ],
        rounds: [
          `${whole} backups of all came to their end, ${ledger.acknowledged} archives were acknowledged; ${minutes} minutes`,
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
