/**
 * @file A job runner on a real catalogue and a stepped clock, for one test. Several can share one data folder, like
 * processes; each can end like a killed process.
 */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AppError } from '../../../src-contract/errors.ts';
import { hasEnded, type StoredJob, type JobEvent, type JobKind } from '../../../src-contract/runs/job.ts';
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import { ImportFailures } from '../../../src-main/catalogue/migrations/import-failures.ts';
import { JobStore } from '../../../src-main/catalogue/runs/jobs.ts';
import { Lease } from '../../../src-main/catalogue/lease.ts';
import { createRateLimiter } from '../../../src-main/jobs/running/rate-limiter.ts';
import type { JobStorePort, StepPorts } from '../../../src-main/jobs/ports.ts';
import { JobRunner } from '../../../src-main/jobs/running/runner.ts';
import type { JobDefinition } from '../../../src-main/jobs/running/step.ts';
import { SteppedClock } from '../clocks/stepped-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The ports that a test sets. The harness adds `failures`, which its catalogue stores, and `importComparison`. */
export type HarnessPorts = Omit<StepPorts, 'failures' | 'importComparison'>;

/** Compares only the counts of the instance. */
const comparisonOfCounts = (instance: StepPorts['instance']): StepPorts['importComparison'] => ({
  compare: async ({ projectId, compareCounts }, _report, signal) =>
    compareCounts(await instance.counts(projectId, signal)),
});

interface HarnessOptions {
  definitions: JobDefinition[];
  /** A test that defines its own jobs uses only the pace of these ports. */
  ports: HarnessPorts | ((job: StoredJob) => Promise<HarnessPorts>);
  clock?: SteppedClock;
  /** The catalogue of another harness, to share. */
  path?: string;
  concurrency?: number;
  maxOutageMs?: number;
  tidyUp?: () => Promise<void>;
  /** Default: unknown. */
  hasToken?: (instance: string) => boolean | null;
  /** Wraps the store between runner and catalogue, to make it fail. */
  wrap?: (store: JobStorePort) => JobStorePort;
}

const livePids = new Set<number>();
let lastPid = 0;

/** Returns a matcher for the state of a job that failed for this reason. */
export const failedWith = (code: string) => ({ status: 'failed', error: { code } });

export class JobHarness {
  readonly clock: SteppedClock;
  readonly path: string;
  readonly store: JobStore;
  readonly failures: ImportFailures;
  readonly lease: Lease;
  readonly runner: JobRunner;
  readonly errors: AppError[] = [];
  readonly #definitions: JobDefinition[];
  readonly #pid = ++lastPid;
  readonly #close: () => void;

  constructor(options: HarnessOptions) {
    const { ports } = options;
    this.clock = options.clock ?? new SteppedClock();
    this.path = options.path ?? join(temporaryFolder(), 'catalogue.sqlite');
    this.#definitions = options.definitions;
    const catalogue = openCatalogue({ path: this.path, clock: this.clock });
    // Tests kill only processes, never a computer, so thousands of commits need not wait for the disk.
    catalogue.run('PRAGMA synchronous = OFF');
    this.#close = () => {
      catalogue.close();
    };
    onTestFinished(this.#close);
    livePids.add(this.#pid);
    const self = { bootId: 'boot', host: 'here', pid: this.#pid, startedAt: 'then' };
    this.store = new JobStore(catalogue);
    this.failures = new ImportFailures(catalogue);
    this.lease = new Lease(catalogue, this.clock, self, (pid) => livePids.has(pid));
    this.runner = new JobRunner({
      definitions: options.definitions,
      store: options.wrap?.(this.store) ?? this.store,
      lease: this.lease,
      clock: this.clock,
      rateLimiter: createRateLimiter(() => this.clock.monotonic()),
      portsFor: async (job) => {
        const jobPorts = typeof ports === 'function' ? await ports(job) : ports;
        return {
          ...jobPorts,
          failures: this.failures,
          importComparison: comparisonOfCounts(jobPorts.instance),
        };
      },
      hasToken: options.hasToken ?? (() => null),
      tidyUp: options.tidyUp ?? (() => Promise.resolve()),
      observer: {
        onChanged: () => undefined,
        onError: (error) => this.errors.push(error),
      },
      random: () => 0.5,
      ...(options.maxOutageMs === undefined ? {} : { maxOutageMs: options.maxOutageMs }),
      concurrency: () => options.concurrency ?? 4,
    });
  }

  start(): this {
    this.runner.start(() => true);
    return this;
  }

  /** Ends like a killed process: nothing more is written, and the operating system reports that it is gone. */
  kill(): void {
    livePids.delete(this.#pid);
    this.#close();
  }

  enqueue(project: string, input: unknown = {}, kind: JobKind = 'export', instance = 'source'): StoredJob {
    const at = this.clock.now();
    const runId = this.store.newId(at);
    this.store.createRun({ id: runId, kind: 'test', request: {}, at });
    const firstStep = this.#definitions.find((definition) => definition.kind === kind)?.steps[0]?.name ?? '';
    const id = this.store.newId(at);
    const { job } = this.store.enqueue({ id, runId, kind, instance, project, input, firstStep, at });
    this.runner.wake();
    return job;
  }

  job(id: string): StoredJob {
    const job = this.store.get(id);
    if (job === null) throw new Error(`There is no job ${id}.`);
    return job;
  }

  events(id: string): JobEvent[] {
    return this.store.events({ jobId: id, limit: 10_000 });
  }

  /** Steps the clock until `when` is true for the job. */
  async until(id: string, when: (job: StoredJob) => boolean, limitMs?: number): Promise<StoredJob> {
    const watch = async (): Promise<StoredJob> => {
      for (;;) {
        const job = this.job(id);
        if (when(job)) return job;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return this.clock.finish(watch(), limitMs);
  }

  /** Steps the clock until the job has ended. */
  ended(id: string, limitMs?: number): Promise<StoredJob> {
    return this.until(id, (job) => hasEnded(job.state), limitMs);
  }
}
