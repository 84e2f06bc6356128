/**
 * @file A job runner for one test with scripted jobs: each step is a function, and a test can intercept calls between
 * runner and catalogue.
 */
import { onTestFinished } from 'vitest';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import type { JobStorePort } from '../../../src-main/jobs/ports.ts';
import type { JobDefinition, Outcome, Step, StepContext } from '../../../src-main/jobs/running/step.ts';
import { FakeArchives, FakeInstance, noSecrets } from '../../support/jobs/fake-instance.ts';
import { noTokens } from '../../support/tokens/fake-tokens.ts';
import { JobHarness } from '../../support/jobs/job-harness.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

export const done: Outcome = { kind: 'done', output: null, message: 'Done.' };
export const aBit: Outcome = {
  kind: 'wait',
  ms: 60_000,
  reason: 'server-working',
  text: 'Later.',
  memo: null,
};

/** The function of a test's step. */
export type Run = (context: StepContext) => Promise<Outcome> | Outcome;

/** A kind of job whose steps are the functions given, in order. */
export function kindOf(steps: Record<string, Run>, kind: JobDefinition['kind'] = 'export'): JobDefinition {
  return {
    kind,
    steps: Object.entries(steps).map(([name, run]): Step => ({
      name,
      run: (context) => Promise.resolve().then(() => run(context)),
    })),
    toResult: (outputs) => ({ result: outputs, warnings: [] }),
  };
}

/** Runs until it is aborted, and fails with the reason of the abort. */
export const forEver: Run = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

/** Calls `before` ahead of every call of the store; an error that it throws is thrown by the store. */
export function spied(
  store: JobStorePort,
  before: (name: keyof JobStorePort, given: unknown[]) => void,
): JobStorePort {
  return new Proxy(store, {
    get:
      (target, name: keyof JobStorePort) =>
      (...given: unknown[]): unknown => {
        before(name, given);
        return (target[name].bind(target) as (...all: unknown[]) => unknown)(...given);
      },
  });
}

type BenchOptions = Partial<ConstructorParameters<typeof JobHarness>[0]>;

/** A runner of that kind of job, which ends with the test. */
export function benchOf(definition: JobDefinition, options: BenchOptions = {}): JobHarness {
  const clock = options.clock ?? new SteppedClock();
  const ports = {
    instance: new FakeInstance(clock),
    archives: new FakeArchives(),
    secrets: noSecrets,
    tokens: noTokens,
    appVersion: '1',
    retentionOf: () => null,
    skipsUnchanged: () => false,
    archiveRootOf: () => null,
  };
  const bench = new JobHarness({ definitions: [definition], ports, ...options, clock });
  onTestFinished(() => bench.runner.stop());
  return bench;
}

export const running = (job: StoredJob): boolean => job.state.status === 'running';
export const waiting = (job: StoredJob): boolean => job.state.status === 'waiting';

/** Lets pending work continue without stepping the clock. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
