/** @file Runs exports of projects with the real job against a scripted instance. */
import { onTestFinished } from 'vitest';
import type { AppError } from '../../../src-contract/errors.ts';
import type { Pace } from '../../../src-contract/instances/instance.ts';
import type { ExportInput, StoredJob } from '../../../src-contract/runs/job.ts';
import type { JobStore } from '../../../src-main/catalogue/runs/jobs.ts';
import { exportJob } from '../../../src-main/jobs/exporting/export-job.ts';
import type { ExportState } from '../../../src-main/jobs/ports.ts';
import { FakeArchives, FakeInstance, sequence, noSecrets } from '../../support/jobs/fake-instance.ts';
import { noTokens } from '../../support/tokens/fake-tokens.ts';
import { JobHarness, type HarnessPorts } from '../../support/jobs/job-harness.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

export const minute = 60_000;

/** One runner of export jobs, with the fake instance and archives that it uses. */
export class ExportHarness {
  readonly clock = new SteppedClock();
  readonly instance: FakeInstance;
  readonly archives = new FakeArchives();
  readonly bench: JobHarness;
  readonly #ports: HarnessPorts;
  /** True if the plan skips unchanged projects. */
  skipsUnchanged = false;

  constructor(pace: Partial<Pace> = {}, concurrency = 4) {
    this.instance = new FakeInstance(this.clock, { deadlineMs: 30 * minute, ...pace });
    const { clock, instance, archives } = this;
    this.#ports = {
      instance,
      archives,
      secrets: noSecrets,
      tokens: noTokens,
      appVersion: '1',
      retentionOf: () => null,
      skipsUnchanged: () => this.skipsUnchanged,
      archiveRootOf: () => null,
    };
    const ports = this.#ports;
    this.bench = new JobHarness({ definitions: [exportJob], ports, clock, concurrency }).start();
    onTestFinished(() => this.bench.runner.stop());
  }

  /** Sets the states that the server reports: `before` when `prepare` reads it, then the others in their order. */
  states(before: ExportState, ...after: (ExportState | AppError)[]): this {
    this.instance.onState = sequence<ExportState>(before, ...after);
    return this;
  }

  /** Kills the process and starts another one. `before` runs after its catalogue opens and before its first job. */
  restart(before: (store: JobStore) => void): JobHarness {
    this.bench.kill();
    const { clock, bench } = this;
    const next = new JobHarness({ definitions: [exportJob], ports: this.#ports, clock, path: bench.path });
    onTestFinished(() => next.runner.stop());
    before(next.store);
    return next.start();
  }

  enqueue(input: Partial<ExportInput> = {}): StoredJob {
    const fullPath = input.fullPath ?? 'group/project';
    return this.bench.enqueue(fullPath, { projectId: 7, fullPath, keepExisting: false, ...input });
  }

  run(input: Partial<ExportInput> = {}): Promise<StoredJob> {
    return this.bench.ended(this.enqueue(input).id);
  }

  /** Returns the messages of all stored waits. */
  waits(job: StoredJob): string[] {
    const waits = this.bench.events(job.id).filter((event) => event.type === 'wait');
    return waits.map((event) => event.message);
  }
}
