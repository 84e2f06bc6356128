import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobStatuses, type JobStatus } from '../../../../src-contract/runs/job.ts';
import {
  currentWave,
  findFailedJob,
  isPossiblyArchived,
  needsUnarchiving,
  isSettled,
  isComparisonDue,
  migrationJobKinds,
  jobKindsDue,
  jobKindsToRepeat,
  nextJobKind,
  projectState,
  type ProjectMigration,
  type MigrationJobKind,
} from '../../../../src-main/jobs/migrations/migrating.ts';

type Statuses = Partial<Record<MigrationJobKind, JobStatus>>;

/** Returns a project whose successful freeze archived the source, unless `marked` is false. */
function project(
  statuses: Statuses,
  more: Partial<ProjectMigration> & { marked?: boolean } = {},
): ProjectMigration {
  const { marked = true, ...rest } = more;
  const jobs = Object.fromEntries(
    Object.entries(statuses).map(([move, status]) => [
      move,
      { jobId: `${move} job`, status, error: null, changed: status === 'succeeded' && marked },
    ]),
  );
  return {
    sourceId: 1,
    wave: 1,
    isExcluded: false,
    isPossiblyArchivedByUs: false,
    jobs,
    reconciled: null,
    openFailures: 0,
    hasOpenRetries: false,
    ...rest,
  };
}

const done = 'succeeded' as const;

/** Returns a project whose freeze ended with this status; whether it archived the source is unknown. */
const inDoubt = (status: JobStatus): ProjectMigration => {
  const { jobs, ...rest } = project({ freeze: status });
  const { freeze } = jobs;
  return { ...rest, jobs: freeze === undefined ? {} : { freeze: { ...freeze, changed: null } } };
};

describe('the next job', () => {
  const rows: [freeze: boolean, statuses: Statuses, next: MigrationJobKind | null][] = [
    [false, {}, 'export'],
    [true, {}, 'freeze'],
    [true, { freeze: 'running' }, null],
    [true, { freeze: done }, 'export'],
    [true, { freeze: 'failed' }, null],
    [false, { export: 'waiting' }, null],
    [false, { export: done }, 'import'],
    [false, { export: 'failed' }, null],
    [true, { freeze: done, export: 'failed' }, 'thaw'],
    [true, { freeze: done, export: 'skipped' }, 'thaw'],
    [true, { freeze: done, export: done, import: 'failed' }, 'thaw'],
    [true, { freeze: done, export: done, import: 'cancelled' }, 'thaw'],
    [true, { freeze: done, export: done, import: 'failed', thaw: 'running' }, null],
    [false, { export: done, import: 'running' }, null],
    [false, { export: done, import: done }, null],
    [true, { freeze: done, export: done, import: done }, 'unmark'],
    [true, { freeze: done, export: done, import: done, unmark: done }, null],
    // An export from before its source was unarchived is not the current state of the source.
    [true, { freeze: done, export: done, thaw: done }, null],
    [true, { freeze: done, thaw: done }, null],
  ];
  it.each(rows)('with freeze %s and the statuses %o is %s', (freeze, statuses, next) => {
    expect(nextJobKind(project(statuses), freeze)).toBe(next);
  });

  it('leaves a source that was archived before archived, and its target too', () => {
    const marked = { marked: false };
    expect(nextJobKind(project({ freeze: done, export: 'failed' }, marked), true)).toBeNull();
    expect(nextJobKind(project({ freeze: done, export: done, import: done }, marked), true)).toBeNull();
    expect(isPossiblyArchived(project({ freeze: done }, marked))).toBe(false);
  });

  it('is none for an excluded project, except to unarchive its source', () => {
    const leftOut = { isExcluded: true };
    expect(nextJobKind(project({}, leftOut), true)).toBeNull();
    expect(nextJobKind(project({ freeze: done, export: 'running' }, leftOut), true)).toBeNull();
    expect(nextJobKind(project({ freeze: done, export: done }, leftOut), true)).toBe('thaw');
    expect(nextJobKind(project({ freeze: done, export: done, thaw: done }, leftOut), true)).toBeNull();
    expect(nextJobKind(project({ freeze: done }, { ...leftOut, marked: false }), true)).toBeNull();
  });

  it('unarchives the source after a failed or cancelled freeze with an unknown effect', () => {
    for (const status of ['failed', 'cancelled'] as const) {
      const unknown = inDoubt(status);
      expect(isPossiblyArchived(unknown)).toBe(true);
      expect(nextJobKind(unknown, true)).toBe('thaw');
      expect(needsUnarchiving(unknown)).toBe(true);
      expect(nextJobKind(project({ freeze: status }), true)).toBeNull();
    }
  });

  it('treats the source as archived by the migration if a job before the repetition archived it', () => {
    const left = project({ freeze: done }, { marked: false, isPossiblyArchivedByUs: true });
    expect(isPossiblyArchived(left)).toBe(true);
    expect(nextJobKind(left, true)).toBe('export');
    const arrived = project(
      { freeze: done, export: done, import: done },
      { marked: false, isPossiblyArchivedByUs: true },
    );
    expect(nextJobKind(arrived, true)).toBe('unmark');
  });
});

describe('the status of a project', () => {
  const rows: [statuses: Statuses, more: Partial<ProjectMigration>, state: string][] = [
    [{}, {}, 'planned'],
    [{}, { isExcluded: true }, 'left-out'],
    [{ export: 'queued' }, {}, 'exporting'],
    [{ export: done }, {}, 'importing'],
    [{ export: done, import: 'running' }, {}, 'importing'],
    [{ export: done, import: done }, {}, 'finishing'],
    [{ export: done, import: done }, { reconciled: true }, 'arrived'],
    [{ export: done, import: done }, { reconciled: false }, 'differs'],
    [{ export: done, import: done }, { reconciled: true, openFailures: 1 }, 'differs'],
    [{ export: done, import: done }, { reconciled: false, isUncompared: true }, 'uncompared'],
    [{ export: done, import: done }, { reconciled: false, isUncompared: true, openFailures: 1 }, 'differs'],
    [{ export: 'failed' }, {}, 'failed'],
    [{ export: 'cancelled' }, {}, 'cancelled'],
    [{ export: done, import: 'failed' }, {}, 'failed'],
  ];
  it.each(rows)('with the statuses %o and %o is %s', (statuses, more, state) => {
    expect(projectState(project(statuses, more), false, 'running')).toBe(state);
  });

  it('is "differs" if its target could not be unarchived', () => {
    const statuses = { freeze: done, export: done, import: done, unmark: 'failed' as const };
    expect(projectState(project(statuses, { reconciled: true }), true, 'running')).toBe('differs');
  });

  it('is "cancelled" if its migration is cancelled before it begins', () => {
    expect(projectState(project({}), false, 'cancelled')).toBe('cancelled');
  });
});

describe('the jobs to repeat', () => {
  const rows: [statuses: Statuses, repeated: MigrationJobKind[]][] = [
    [{ freeze: done, export: done }, []],
    [{ freeze: done, export: 'failed' }, ['export', 'import', 'unmark', 'thaw']],
    [{ export: done, import: 'failed' }, ['import', 'unmark', 'thaw']],
    // The source was not archived in the meantime.
    [{ freeze: done, export: done, import: 'failed', thaw: done }, [...migrationJobKinds]],
    [{ freeze: done, export: done, thaw: done }, [...migrationJobKinds]],
    [{ freeze: done, export: done, import: done, unmark: 'failed' }, ['unmark', 'thaw']],
    [{ freeze: done, export: done, import: done, unmark: done }, []],
  ];
  it.each(rows)('after the statuses %o are %o', (statuses, repeated) => {
    expect(jobKindsToRepeat(project(statuses))).toEqual(repeated);
  });
});

describe('waves', () => {
  const first = project({ export: done, import: 'running' }, { sourceId: 1, wave: 1 });
  const second = project({}, { sourceId: 2, wave: 2 });

  it('the second wave begins when nothing remains to do in the first', () => {
    expect(currentWave([first, second], false)).toBe(1);
    expect(jobKindsDue('running', [first, second], false)).toEqual([]);
    const over = project({ export: done, import: done }, { sourceId: 1, wave: 1 });
    expect(jobKindsDue('running', [over, second], false)).toEqual([{ project: second, kind: 'export' }]);
  });

  it('a failed project does not delay the next wave', () => {
    const failed = project({ export: 'failed' }, { sourceId: 1, wave: 1 });
    expect(jobKindsDue('running', [failed, second], false).map(({ kind }) => kind)).toEqual(['export']);
  });

  it('an excluded project does not delay the next wave, even while its source is to be unarchived', () => {
    const leftOut = project({ freeze: done, export: 'running' }, { isExcluded: true });
    expect(isSettled(leftOut, true)).toBe(false);
    expect(currentWave([leftOut, second], true)).toBe(2);
  });

  it('a paused or cancelled migration starts no job except to unarchive a source, and a draft starts none', () => {
    const frozen = project({ freeze: done, export: 'failed' }, { sourceId: 3 });
    for (const status of ['paused', 'cancelled'] as const) {
      expect(jobKindsDue(status, [second, frozen], true)).toEqual([{ project: frozen, kind: 'thaw' }]);
    }
    expect(jobKindsDue('draft', [second, frozen], true)).toEqual([]);
  });

  it('a cancelled migration unarchives its sources before their jobs have ended, and a paused one does not', () => {
    const frozen = project({ freeze: done });
    expect(jobKindsDue('cancelled', [frozen], true)).toEqual([{ project: frozen, kind: 'thaw' }]);
    expect(jobKindsDue('paused', [frozen], true)).toEqual([]);
  });
});

/** Simulates a source and its project in a migration with `freeze`. */
class MigrationSimulation {
  status: 'running' | 'paused' | 'cancelled' = 'running';
  project = project({});
  readonly #before: boolean;
  #marked: boolean;
  /** True if the source has been archived without interruption since its export. */
  #closedSinceExport = false;
  /** True if a thaw job still runs after its project was resumed. No other job starts before it has ended. */
  #thawing = false;

  constructor(before: boolean) {
    this.#before = before;
    this.#marked = before;
  }

  get jobs() {
    return this.project.jobs;
  }

  get open(): MigrationJobKind[] {
    return migrationJobKinds.filter((move) => this.jobs[move]?.status === 'running');
  }

  get markIsOurs(): boolean {
    return this.#marked && !this.#before;
  }

  createDueJobs(): void {
    for (const { kind } of jobKindsDue(this.status, [this.project], true)) {
      if (this.#thawing && kind !== 'thaw') continue;
      this.#thawing = false;
      expect(this.open).toEqual([]);
      expect(this.jobs[kind]).toBeUndefined();
      if (kind === 'export') {
        expect(this.#marked).toBe(true);
        this.#closedSinceExport = true;
      }
      if (kind === 'import') expect(this.#closedSinceExport).toBe(true);
      this.#put(kind, 'running', false);
    }
  }

  endThawing(): void {
    if (this.#thawing) this.#mark(this.#before);
    this.#thawing = false;
  }

  end(
    move: MigrationJobKind,
    status: JobStatus,
    answer: 'came' | 'lost' | 'lost, and nothing was done',
  ): void {
    if (move !== 'freeze' && move !== 'thaw') {
      this.#put(move, status, false);
      return;
    }
    const archived = move === 'freeze';
    const already = this.#marked === archived;
    const isUnknown = status !== done && answer !== 'came' && !already;
    if (status === done || (isUnknown && answer === 'lost')) this.#mark(archived);
    this.#put(move, status, isUnknown ? null : status === done && !already);
  }

  cancel(): void {
    if (this.status !== 'running' && this.status !== 'paused') return;
    this.status = 'cancelled';
    for (const move of this.open) if (move !== 'thaw') this.end(move, 'cancelled', 'lost');
  }

  repeat(): void {
    this.#thawing ||= this.jobs.thaw?.status === 'running';
    const repeated = jobKindsToRepeat(this.project);
    const wasArchivedByUs = repeated.includes('freeze')
      ? isPossiblyArchived(this.project)
      : this.project.isPossiblyArchivedByUs;
    const jobs = Object.fromEntries(
      Object.entries(this.jobs).filter(([move]) => !repeated.includes(move as MigrationJobKind)),
    ) as ProjectMigration['jobs'];
    this.project = { ...this.project, jobs, isPossiblyArchivedByUs: wasArchivedByUs };
    this.status = 'running';
  }

  leaveOut(isExcluded: boolean): void {
    const { import: imported } = this.jobs;
    if (imported !== undefined && (imported.status === done || !isSettled(this.project, true))) return;
    this.project = { ...this.project, isExcluded };
  }

  /** Lets every remaining job succeed. */
  finishAll(): void {
    for (let round = 0; round < 20; round += 1) {
      this.createDueJobs();
      this.endThawing();
      for (const move of this.open) this.end(move, done, 'came');
    }
    expect(this.open).toEqual([]);
  }

  /** Asserts that the reported state is true and that a source that was archived before is still archived. */
  check(): void {
    if (this.markIsOurs) expect(isPossiblyArchived(this.project)).toBe(true);
    if (this.#before) expect([this.#marked, isPossiblyArchived(this.project)]).toEqual([true, false]);
  }

  #mark(archived: boolean): void {
    this.#marked = archived;
    if (!archived) this.#closedSinceExport = false;
  }

  #put(move: MigrationJobKind, status: JobStatus, changed: boolean | null): void {
    const jobs = { ...this.jobs, [move]: { jobId: `${move} job`, status, error: null, changed } };
    this.project = { ...this.project, jobs };
  }
}

const ending = fc.record({
  does: fc.constant('end' as const),
  status: fc.constantFrom(done, done, 'failed' as const, 'cancelled' as const),
  answer: fc.constantFrom('came' as const, 'lost' as const, 'lost, and nothing was done' as const),
});
const request = fc.record({
  does: fc.constantFrom('pause', 'go on', 'cancel', 'again', 'leave out', 'take in', 'tend'),
});
const events = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ does: 'tend' }) },
    { weight: 3, arbitrary: ending },
    request,
  ),
  { maxLength: 30 },
);

it('after any events, a source that does not arrive is unarchived if the migration archived it, stays archived if it was before, and is imported only from an export made since it was archived', () => {
  fc.assert(
    fc.property(fc.boolean(), events, (before, all) => {
      const simulation = new MigrationSimulation(before);
      for (const event of all) {
        const { does } = event;
        if (does === 'tend') simulation.createDueJobs();
        else if ('status' in event) {
          simulation.endThawing();
          for (const move of simulation.open) simulation.end(move, event.status, event.answer);
        } else if (does === 'pause' && simulation.status === 'running') simulation.status = 'paused';
        else if (does === 'go on' && simulation.status === 'paused') simulation.status = 'running';
        else if (does === 'cancel') simulation.cancel();
        else if (does === 'again') simulation.repeat();
        else if (does === 'leave out' || does === 'take in') simulation.leaveOut(does === 'leave out');
        simulation.check();
      }
      simulation.finishAll();
      simulation.check();
      const arrived = () => simulation.jobs.import?.status === done;
      const waits =
        simulation.status === 'paused' &&
        !simulation.project.isExcluded &&
        findFailedJob(simulation.project) === null;
      const couldNot = simulation.jobs.thaw !== undefined && simulation.jobs.thaw.status !== done;
      if (!arrived() && !waits && !couldNot) {
        expect(simulation.markIsOurs).toBe(false);
        expect(needsUnarchiving(simulation.project)).toBe(false);
      }
      if (arrived()) return;
      // A source that could not be unarchived is unarchived by the next attempt.
      simulation.repeat();
      simulation.cancel();
      simulation.finishAll();
      expect(simulation.markIsOurs).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

/** One history: each next job is created and ends with any status. */
const histories = fc.record({
  freeze: fc.boolean(),
  marked: fc.boolean(),
  endings: fc.array(fc.constantFrom(...jobStatuses.slice(4)), { minLength: 5, maxLength: 5 }),
});

it('every history ends, creates each job once, imports only after a successful export, and unarchives the source of a failed import and the target of a successful one', () => {
  fc.assert(
    fc.property(histories, ({ freeze, marked, endings }) => {
      const statuses: Statuses = {};
      const created: MigrationJobKind[] = [];
      for (const ending of endings) {
        const move = nextJobKind(project(statuses, { marked }), freeze);
        if (move === null) break;
        created.push(move);
        // Unarchiving is retried until it succeeds.
        statuses[move] = move === 'thaw' || move === 'unmark' ? done : ending;
      }
      const end = project(statuses, { marked });
      expect(new Set(created).size).toBe(created.length);
      expect(nextJobKind(end, freeze)).toBeNull();
      expect(isSettled(end, freeze)).toBe(true);
      if (created.includes('import')) expect(statuses.export).toBe(done);
      if (statuses.import !== done) expect(isPossiblyArchived(end)).toBe(false);
      if (statuses.import === done && freeze && marked) expect(statuses.unmark).toBe(done);
      expect(isComparisonDue(end, freeze)).toBe(statuses.import === done);
      expect(migrationJobKinds).toEqual(expect.arrayContaining(created));
    }),
    { numRuns: 500 },
  );
});
