import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobStatuses, type JobStatus } from '../../../../src-contract/runs/job.ts';
import {
  currentWave,
  failedJobKind,
  mayBeArchived,
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

type Given = Partial<Record<MigrationJobKind, JobStatus>>;

/** A successful freeze set the mark, unless the test says otherwise. */
function project(
  given: Given,
  more: Partial<ProjectMigration> & { marked?: boolean } = {},
): ProjectMigration {
  const { marked = true, ...rest } = more;
  const jobs = Object.fromEntries(
    Object.entries(given).map(([move, status]) => [
      move,
      { jobId: `${move} job`, status, error: null, changed: status === 'succeeded' && marked },
    ]),
  );
  return {
    sourceId: 1,
    wave: 1,
    isExcluded: false,
    mayBeArchivedByUs: false,
    jobs,
    reconciled: null,
    openFailures: 0,
    isRetrying: false,
    ...rest,
  };
}

const done = 'succeeded' as const;

/** A freeze with this end, whose request may or may not have been carried out. */
const inDoubt = (status: JobStatus): ProjectMigration => {
  const { jobs, ...rest } = project({ freeze: status });
  const { freeze } = jobs;
  return { ...rest, jobs: freeze === undefined ? {} : { freeze: { ...freeze, changed: null } } };
};

describe('the next job', () => {
  const rows: [freeze: boolean, given: Given, next: MigrationJobKind | null][] = [
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
    // An export from before a mark was removed is not the current state of its source.
    [true, { freeze: done, export: done, thaw: done }, null],
    [true, { freeze: done, thaw: done }, null],
  ];
  it.each(rows)('freeze %s, %o: %s', (freeze, given, next) => {
    expect(nextJobKind(project(given), freeze)).toBe(next);
  });

  it('a source that was marked before keeps its mark, and its target too', () => {
    const marked = { marked: false };
    expect(nextJobKind(project({ freeze: done, export: 'failed' }, marked), true)).toBeNull();
    expect(nextJobKind(project({ freeze: done, export: done, import: done }, marked), true)).toBeNull();
    expect(mayBeArchived(project({ freeze: done }, marked))).toBe(false);
  });

  it('nothing, for one that is left out, but the mark that it got before', () => {
    const leftOut = { isExcluded: true };
    expect(nextJobKind(project({}, leftOut), true)).toBeNull();
    expect(nextJobKind(project({ freeze: done, export: 'running' }, leftOut), true)).toBeNull();
    expect(nextJobKind(project({ freeze: done, export: done }, leftOut), true)).toBe('thaw');
    expect(nextJobKind(project({ freeze: done, export: done, thaw: done }, leftOut), true)).toBeNull();
    expect(nextJobKind(project({ freeze: done }, { ...leftOut, marked: false }), true)).toBeNull();
  });

  it('what may have marked a source is taken for having marked it', () => {
    for (const status of ['failed', 'cancelled'] as const) {
      const unknown = inDoubt(status);
      expect(mayBeArchived(unknown)).toBe(true);
      expect(nextJobKind(unknown, true)).toBe('thaw');
      expect(needsUnarchiving(unknown)).toBe(true);
      expect(nextJobKind(project({ freeze: status }), true)).toBeNull();
    }
  });

  it('a mark from before its jobs were made again is ours', () => {
    const left = project({ freeze: done }, { marked: false, mayBeArchivedByUs: true });
    expect(mayBeArchived(left)).toBe(true);
    expect(nextJobKind(left, true)).toBe('export');
    const arrived = project(
      { freeze: done, export: done, import: done },
      { marked: false, mayBeArchivedByUs: true },
    );
    expect(nextJobKind(arrived, true)).toBe('unmark');
  });
});

describe('the status of a project', () => {
  const rows: [given: Given, more: Partial<ProjectMigration>, state: string][] = [
    [{}, {}, 'planned'],
    [{}, { isExcluded: true }, 'left-out'],
    [{ export: 'queued' }, {}, 'exporting'],
    [{ export: done }, {}, 'importing'],
    [{ export: done, import: 'running' }, {}, 'importing'],
    [{ export: done, import: done }, {}, 'finishing'],
    [{ export: done, import: done }, { reconciled: true }, 'arrived'],
    [{ export: done, import: done }, { reconciled: false }, 'differs'],
    [{ export: done, import: done }, { reconciled: true, openFailures: 1 }, 'differs'],
    [{ export: 'failed' }, {}, 'failed'],
    [{ export: 'cancelled' }, {}, 'cancelled'],
    [{ export: done, import: 'failed' }, {}, 'failed'],
  ];
  it.each(rows)('%o, %o: %s', (given, more, state) => {
    expect(projectState(project(given, more), false, 'running')).toBe(state);
  });

  it('one that was to be unmarked and could not be differs', () => {
    const given = { freeze: done, export: done, import: done, unmark: 'failed' as const };
    expect(projectState(project(given, { reconciled: true }), true, 'running')).toBe('differs');
  });

  it('one that never began is cancelled with its migration', () => {
    expect(projectState(project({}), false, 'cancelled')).toBe('cancelled');
  });
});

describe('jobs that are made again', () => {
  const rows: [given: Given, anew: MigrationJobKind[]][] = [
    [{ freeze: done, export: done }, []],
    [{ freeze: done, export: 'failed' }, ['export', 'import', 'unmark', 'thaw']],
    [{ export: done, import: 'failed' }, ['import', 'unmark', 'thaw']],
    // The source was not marked meanwhile.
    [{ freeze: done, export: done, import: 'failed', thaw: done }, [...migrationJobKinds]],
    [{ freeze: done, export: done, thaw: done }, [...migrationJobKinds]],
    [{ freeze: done, export: done, import: done, unmark: 'failed' }, ['unmark', 'thaw']],
    [{ freeze: done, export: done, import: done, unmark: done }, []],
  ];
  it.each(rows)('%o: %o', (given, anew) => {
    expect(jobKindsToRepeat(project(given))).toEqual(anew);
  });
});

describe('waves', () => {
  const first = project({ export: done, import: 'running' }, { sourceId: 1, wave: 1 });
  const second = project({}, { sourceId: 2, wave: 2 });

  it('the second begins when nothing is left to do in the first', () => {
    expect(currentWave([first, second], false)).toBe(1);
    expect(jobKindsDue('running', [first, second], false)).toEqual([]);
    const over = project({ export: done, import: done }, { sourceId: 1, wave: 1 });
    expect(jobKindsDue('running', [over, second], false)).toEqual([{ project: second, move: 'export' }]);
  });

  it('one that failed delays no other', () => {
    const failed = project({ export: 'failed' }, { sourceId: 1, wave: 1 });
    expect(jobKindsDue('running', [failed, second], false).map(({ move }) => move)).toEqual(['export']);
  });

  it('one that is left out delays no other, even while its mark is removed', () => {
    const leftOut = project({ freeze: done, export: 'running' }, { isExcluded: true });
    expect(isSettled(leftOut, true)).toBe(false);
    expect(currentWave([leftOut, second], true)).toBe(2);
  });

  it('nothing begins while a migration is a draft or rests, but a mark is taken away', () => {
    const frozen = project({ freeze: done, export: 'failed' }, { sourceId: 3 });
    for (const status of ['paused', 'cancelled'] as const) {
      expect(jobKindsDue(status, [second, frozen], true)).toEqual([{ project: frozen, move: 'thaw' }]);
    }
    expect(jobKindsDue('draft', [second, frozen], true)).toEqual([]);
  });

  it('a cancelled migration removes its marks first', () => {
    const frozen = project({ freeze: done });
    expect(jobKindsDue('cancelled', [frozen], true)).toEqual([{ project: frozen, move: 'thaw' }]);
    expect(jobKindsDue('paused', [frozen], true)).toEqual([]);
  });
});

/** A source in its current state, and the project of a migration with `freeze`. */
class MarkedLife {
  status: 'running' | 'paused' | 'cancelled' = 'running';
  project = project({});
  readonly #before: boolean;
  #marked: boolean;
  /** The source has been marked without a break since its export. */
  #closedSinceExport = false;
  /** A job that removes the mark continues after its project was resumed; no other job starts before it has ended. */
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

  tend(): void {
    for (const { move } of jobKindsDue(this.status, [this.project], true)) {
      if (this.#thawing && move !== 'thaw') continue;
      this.#thawing = false;
      expect(this.open).toEqual([]);
      expect(this.jobs[move]).toBeUndefined();
      if (move === 'export') {
        expect(this.#marked).toBe(true);
        this.#closedSinceExport = true;
      }
      if (move === 'import') expect(this.#closedSinceExport).toBe(true);
      this.#put(move, 'running', false);
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
    const is = move === 'freeze';
    const already = this.#marked === is;
    const isUnknown = status !== done && answer !== 'came' && !already;
    if (status === done || (isUnknown && answer === 'lost')) this.#mark(is);
    this.#put(move, status, isUnknown ? null : status === done && !already);
  }

  cancel(): void {
    if (this.status !== 'running' && this.status !== 'paused') return;
    this.status = 'cancelled';
    for (const move of this.open) if (move !== 'thaw') this.end(move, 'cancelled', 'lost');
  }

  again(): void {
    this.#thawing ||= this.jobs.thaw?.status === 'running';
    const anew = jobKindsToRepeat(this.project);
    const leftMarked = anew.includes('freeze') ? mayBeArchived(this.project) : this.project.mayBeArchivedByUs;
    const jobs = Object.fromEntries(
      Object.entries(this.jobs).filter(([move]) => !anew.includes(move as MigrationJobKind)),
    ) as ProjectMigration['jobs'];
    this.project = { ...this.project, jobs, mayBeArchivedByUs: leftMarked };
    this.status = 'running';
  }

  leaveOut(isExcluded: boolean): void {
    const { import: imported } = this.jobs;
    if (imported !== undefined && (imported.status === done || !isSettled(this.project, true))) return;
    this.project = { ...this.project, isExcluded };
  }

  /** Every remaining job succeeds. */
  rest(): void {
    for (let round = 0; round < 20; round += 1) {
      this.tend();
      this.endThawing();
      for (const move of this.open) this.end(move, done, 'came');
    }
    expect(this.open).toEqual([]);
  }

  /** The reported state is true, and a mark from before still exists. */
  check(): void {
    if (this.markIsOurs) expect(mayBeArchived(this.project)).toBe(true);
    if (this.#before) expect([this.#marked, mayBeArchived(this.project)]).toEqual([true, false]);
  }

  #mark(is: boolean): void {
    this.#marked = is;
    if (!is) this.#closedSinceExport = false;
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
const asked = fc.record({
  does: fc.constantFrom('pause', 'go on', 'cancel', 'again', 'leave out', 'take in', 'tend'),
});
const happenings = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.constant({ does: 'tend' }) }, { weight: 3, arbitrary: ending }, asked),
  { maxLength: 30 },
);

it('whatever happens, no mark of ours stays on a source that does not arrive, none of others is taken away, and what is imported was exported since its source is closed', () => {
  fc.assert(
    fc.property(fc.boolean(), happenings, (before, all) => {
      const life = new MarkedLife(before);
      for (const happening of all) {
        const { does } = happening;
        if (does === 'tend') life.tend();
        else if ('status' in happening) {
          life.endThawing();
          for (const move of life.open) life.end(move, happening.status, happening.answer);
        } else if (does === 'pause' && life.status === 'running') life.status = 'paused';
        else if (does === 'go on' && life.status === 'paused') life.status = 'running';
        else if (does === 'cancel') life.cancel();
        else if (does === 'again') life.again();
        else if (does === 'leave out' || does === 'take in') life.leaveOut(does === 'leave out');
        life.check();
      }
      life.rest();
      life.check();
      const arrived = () => life.jobs.import?.status === done;
      const waits =
        life.status === 'paused' && !life.project.isExcluded && failedJobKind(life.project) === null;
      const couldNot = life.jobs.thaw !== undefined && life.jobs.thaw.status !== done;
      if (!arrived() && !waits && !couldNot) {
        expect(life.markIsOurs).toBe(false);
        expect(needsUnarchiving(life.project)).toBe(false);
      }
      if (arrived()) return;
      // A mark that could not be removed is removed when that is tried again.
      life.again();
      life.cancel();
      life.rest();
      expect(life.markIsOurs).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

/** One history: each next job is created, and ends in any way. */
const lives = fc.record({
  freeze: fc.boolean(),
  marked: fc.boolean(),
  endings: fc.array(fc.constantFrom(...jobStatuses.slice(4)), { minLength: 5, maxLength: 5 }),
});

it('every life ends, makes each job once, imports only what was exported, and leaves no mark of ours behind', () => {
  fc.assert(
    fc.property(lives, ({ freeze, marked, endings }) => {
      const given: Given = {};
      const made: MigrationJobKind[] = [];
      for (const ending of endings) {
        const move = nextJobKind(project(given, { marked }), freeze);
        if (move === null) break;
        made.push(move);
        // Removing a mark is tried until it is done.
        given[move] = move === 'thaw' || move === 'unmark' ? done : ending;
      }
      const end = project(given, { marked });
      expect(new Set(made).size).toBe(made.length);
      expect(nextJobKind(end, freeze)).toBeNull();
      expect(isSettled(end, freeze)).toBe(true);
      if (made.includes('import')) expect(given.export).toBe(done);
      if (given.import !== done) expect(mayBeArchived(end)).toBe(false);
      if (given.import === done && freeze && marked) expect(given.unmark).toBe(done);
      expect(isComparisonDue(end, freeze)).toBe(given.import === done);
      expect(migrationJobKinds).toEqual(expect.arrayContaining(made));
    }),
    { numRuns: 500 },
  );
});
