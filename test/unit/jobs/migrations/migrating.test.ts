import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobStatuses, type JobStatus } from '../../../../src-preload/contract/job.ts';
import {
  currentWave,
  isFrozen,
  isSettled,
  isToCompare,
  moves,
  movesNow,
  nextMove,
  stateOf,
  type Migrating,
  type Move,
} from '../../../../src-main/jobs/migrations/migrating.ts';

type Given = Partial<Record<Move, JobStatus>>;

/** A freeze that succeeded put the mark there, unless told otherwise. */
function project(given: Given, more: Partial<Migrating> & { marked?: boolean } = {}): Migrating {
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
    leftOut: false,
    jobs,
    reconciled: null,
    openFailures: 0,
    retrying: false,
    ...rest,
  };
}

const done = 'succeeded' as const;

describe('what comes next', () => {
  const rows: [freeze: boolean, given: Given, next: Move | null][] = [
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
  ];
  it.each(rows)('freeze %s, %o: %s', (freeze, given, next) => {
    expect(nextMove(project(given), freeze)).toBe(next);
  });

  it('a source that was marked before keeps its mark, and its target too', () => {
    const marked = { marked: false };
    expect(nextMove(project({ freeze: done, export: 'failed' }, marked), true)).toBeNull();
    expect(nextMove(project({ freeze: done, export: done, import: done }, marked), true)).toBeNull();
    expect(isFrozen(project({ freeze: done }, marked))).toBe(false);
  });

  it('nothing, for one that is left out', () => {
    expect(nextMove(project({}, { leftOut: true }), true)).toBeNull();
  });
});

describe('how a project stands', () => {
  const rows: [given: Given, more: Partial<Migrating>, state: string][] = [
    [{}, {}, 'planned'],
    [{}, { leftOut: true }, 'left-out'],
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
    expect(stateOf(project(given, more), false, 'running')).toBe(state);
  });

  it('one that was to be unmarked and could not be differs', () => {
    const given = { freeze: done, export: done, import: done, unmark: 'failed' as const };
    expect(stateOf(project(given, { reconciled: true }), true, 'running')).toBe('differs');
  });

  it('one that never began is cancelled with its migration', () => {
    expect(stateOf(project({}), false, 'cancelled')).toBe('cancelled');
  });
});

describe('waves', () => {
  const first = project({ export: done, import: 'running' }, { sourceId: 1, wave: 1 });
  const second = project({}, { sourceId: 2, wave: 2 });

  it('the second begins when nothing is left to do in the first', () => {
    expect(currentWave([first, second], false)).toBe(1);
    expect(movesNow('running', [first, second], false)).toEqual([]);
    const over = project({ export: done, import: done }, { sourceId: 1, wave: 1 });
    expect(movesNow('running', [over, second], false)).toEqual([{ project: second, move: 'export' }]);
  });

  it('one that failed holds nobody up', () => {
    const failed = project({ export: 'failed' }, { sourceId: 1, wave: 1 });
    expect(movesNow('running', [failed, second], false).map(({ move }) => move)).toEqual(['export']);
  });

  it('nothing begins while a migration is a draft or rests, but a mark is taken away', () => {
    const frozen = project({ freeze: done, export: 'failed' }, { sourceId: 3 });
    for (const status of ['paused', 'cancelled'] as const) {
      expect(movesNow(status, [second, frozen], true)).toEqual([{ project: frozen, move: 'thaw' }]);
    }
    expect(movesNow('draft', [second, frozen], true)).toEqual([]);
  });

  it('a cancelled migration gives back what it had frozen before anything else was done', () => {
    const frozen = project({ freeze: done });
    expect(movesNow('cancelled', [frozen], true)).toEqual([{ project: frozen, move: 'thaw' }]);
    expect(movesNow('paused', [frozen], true)).toEqual([]);
  });
});

/** A life: whatever is next is made, and ends in any way. */
const lives = fc.record({
  freeze: fc.boolean(),
  marked: fc.boolean(),
  endings: fc.array(fc.constantFrom(...jobStatuses.slice(4)), { minLength: 5, maxLength: 5 }),
});

it('every life ends, makes each job once, imports only what was exported, and leaves no mark of ours behind', () => {
  fc.assert(
    fc.property(lives, ({ freeze, marked, endings }) => {
      const given: Given = {};
      const made: Move[] = [];
      for (const ending of endings) {
        const move = nextMove(project(given, { marked }), freeze);
        if (move === null) break;
        made.push(move);
        // Taking a mark away is tried until it is done.
        given[move] = move === 'thaw' || move === 'unmark' ? done : ending;
      }
      const end = project(given, { marked });
      expect(new Set(made).size).toBe(made.length);
      expect(nextMove(end, freeze)).toBeNull();
      expect(isSettled(end, freeze)).toBe(true);
      if (made.includes('import')) expect(given.export).toBe(done);
      if (given.import !== done) expect(isFrozen(end)).toBe(false);
      if (given.import === done && freeze && marked) expect(given.unmark).toBe(done);
      expect(isToCompare(end, freeze)).toBe(given.import === done);
      expect(moves).toEqual(expect.arrayContaining(made));
    }),
    { numRuns: 500 },
  );
});
