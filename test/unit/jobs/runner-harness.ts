/**
 * @file Provides a job runner for one test with scripted jobs. Each step is a function, and a test can intercept calls
 * between runner and catalogue.
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
export const waitOneMinute: Outcome = {
  kind: 'wait',
  ms: 60_000,
  reason: 'server-working',
  text: 'Later.',
  memo: null,
};

/** The function that a step of a test runs. */
export type Run = (context: StepContext) => Promise<Outcome> | Outcome;

/** Returns a kind of job whose steps are these functions, in order. */
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
export const runForever: Run = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

/** Returns a store that calls `before` ahead of each of its calls, and throws what `before` throws. */
export function spyOnStore(
  store: JobStorePort,
  before: (name: keyof JobStorePort, args: unknown[]) => void,
): JobStorePort {
  return new Proxy(store, {
    get:
      (target, name: keyof JobStorePort) =>
      (...args: unknown[]): unknown => {
        before(name, args);
        return (target[name].bind(target) as (...all: unknown[]) => unknown)(...args);
      },
  });
}

type HarnessOptions = Partial<ConstructorParameters<typeof JobHarness>[0]>;

/** Returns a harness with a runner of that kind of job. The runner stops with the test. */
export function harnessOf(definition: JobDefinition, options: HarnessOptions = {}): JobHarness {
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
  const harness = new JobHarness({ definitions: [definition], ports, ...options, clock });
  onTestFinished(() => harness.runner.stop());
  return harness;
}

export const running = (job: StoredJob): boolean => job.state.status === 'running';
export const waiting = (job: StoredJob): boolean => job.state.status === 'waiting';

/** Lets pending work continue without stepping the clock. */
export const flushPendingWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
