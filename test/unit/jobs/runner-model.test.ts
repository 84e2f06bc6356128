import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { hasEnded, type StoredJob } from '../../../src-contract/runs/job.ts';
import { transition, type TransitionEvent } from '../../../src-main/jobs/running/transition.ts';
import type { JobDefinition, Outcome, StepContext } from '../../../src-main/jobs/running/step.ts';
import { FakeArchives, FakeInstance, noSecrets } from '../../support/jobs/fake-instance.ts';
import { noTokens } from '../../support/tokens/fake-tokens.ts';
import { JobHarness } from '../../support/jobs/job-harness.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

const behaviours = ['done', 'slow', 'wait', 'refused', 'broken', 'hang', 'deaf'] as const;
type Behaviour = (typeof behaviours)[number];

const commands = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('enqueue' as const), which: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), which: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), which: fc.constant(0) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('advance' as const), which: fc.nat(90_000) }) },
);

const sample: Record<TransitionEvent['type'], TransitionEvent> = {
  claim: { type: 'claim', at: 0 },
  wait: { type: 'wait', until: 0, reason: 'pace', text: '' },
  succeed: { type: 'succeed', warnings: [] },
  fail: { type: 'fail', error: new AppError('internal', '').toData() },
  skip: { type: 'skip', why: '' },
  cancel: { type: 'cancel', by: 'me' },
  aborted: { type: 'aborted' },
  interrupt: { type: 'interrupt', at: 0 },
  hold: { type: 'hold', until: 0, text: '', since: 0 },
  lose: { type: 'lose', error: new AppError('internal', '').toData() },
};

/** Simulates a data folder whose process starts and ends. Steps behave as scripted, and succeed after the script ends. */
class Model {
  readonly clock = new SteppedClock();
  readonly script: Behaviour[];
  readonly jobs: string[] = [];
  readonly #ended = new Map<string, StoredJob>();
  bench: JobHarness;

  constructor(script: Behaviour[]) {
    this.script = [...script];
    this.bench = this.#open();
  }

  #open(path?: string): JobHarness {
    /** Projects that this process works on. */
    const busy = new Set<string>();
    const { clock } = this;
    const steps = ['one', 'two'].map((name) => ({ name, run: this.#step(busy) }));
    const end = () => ({ result: null, warnings: [] });
    const definitions: JobDefinition[] = [
      { kind: 'export', steps, toResult: end },
      { kind: 'import', steps, toResult: end },
    ];
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
    const shared = path === undefined ? {} : { path };
    return new JobHarness({ definitions, ports, clock, concurrency: 2, ...shared }).start();
  }

  #step(busy: Set<string>) {
    return async (context: StepContext): Promise<Outcome> => {
      const project = context.job.project.toLowerCase();
      expect(busy.has(project), 'two jobs of one project at once').toBe(false);
      busy.add(project);
      try {
        return await this.#behave(context);
      } finally {
        busy.delete(project);
      }
    };
  }

  async #behave({ clock, signal }: StepContext): Promise<Outcome> {
    switch (this.script.pop()) {
      case 'slow':
        await clock.sleep(20_000, signal);
        break;
      case 'deaf':
        await clock.sleep(20_000);
        break;
      case 'wait':
        return { kind: 'wait', ms: 30_000, reason: 'server-working', text: 'Later.', memo: null };
      case 'refused':
        throw new AppError('forbidden', 'No.');
      case 'broken':
        throw new AppError('connection-lost', 'Cut.', { retry: 'later' });
      case 'hang':
        await clock.sleep(600_000, signal);
        break;
      case 'done':
      case undefined:
    }
    return { kind: 'done', output: null, message: 'Done.' };
  }

  async apply(command: { do: 'enqueue' | 'cancel' | 'crash' | 'stop' | 'advance'; which: number }) {
    switch (command.do) {
      case 'enqueue': {
        const kind = command.which % 2 === 0 ? 'export' : 'import';
        const project = ['g/p', 'g/q', 'G/P'][Math.floor(command.which / 2)] ?? '';
        const { id } = this.bench.enqueue(project, {}, kind);
        if (!this.jobs.includes(id)) this.jobs.push(id);
        break;
      }
      case 'cancel': {
        const id = this.jobs[command.which % Math.max(1, this.jobs.length)];
        if (id === undefined) break;
        const act = () => this.bench.runner.cancel(id, 'me');
        if (hasEnded(this.bench.job(id).state)) expect(act).toThrow('already ended');
        else act();
        break;
      }
      case 'crash':
        this.bench.kill();
        this.bench = this.#open(this.bench.path);
        break;
      case 'stop': {
        const { path, runner } = this.bench;
        await this.clock.finish(runner.stop());
        this.bench.kill();
        this.bench = this.#open(path);
        break;
      }
      case 'advance':
        await this.clock.advance(command.which);
        break;
    }
  }

  check(): void {
    for (const id of this.jobs) {
      const job = this.bench.job(id);
      const known = this.#ended.get(id);
      if (known !== undefined) expect(job, 'an ended job changed').toEqual(known);
      else if (hasEnded(job.state)) this.#ended.set(id, job);
      const types = this.bench.events(id).map((event) => event.type);
      const changes = types.filter((type): type is TransitionEvent['type'] => type in sample);
      expect(changes, 'a change without its event').toHaveLength(job.revision - 1);
      const replayed = changes.reduce<StoredJob['state']>((state, type) => transition(state, sample[type]), {
        status: 'queued',
      });
      expect(replayed.status, 'the events tell another story').toBe(job.state.status);
    }
  }

  /** Asserts that every job ends if there are no further failures. */
  async settle(): Promise<void> {
    this.script.length = 0;
    for (const id of this.jobs) await this.bench.ended(id, 4 * 3_600_000);
    this.check();
    await this.clock.finish(this.bench.runner.stop());
    this.bench.kill();
  }
}

it('after any user actions and any crashes of the process, every job obeys its rules and ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(commands, { minLength: 10, maxLength: 40 }),
      fc.array(fc.constantFrom(...behaviours), { maxLength: 30 }),
      async (sequence, script) => {
        const model = new Model(script);
        for (const command of sequence) {
          await model.apply(command);
          model.check();
        }
        await model.settle();
      },
    ),
    { numRuns: 40 },
  );
  // The test runs some thousand steps with a real disk: a quarter of a minute, and more on a slow disk.
}, 120_000);
