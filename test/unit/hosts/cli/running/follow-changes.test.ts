/** @file A command that follows jobs reads after events, and by a slow poll if no events arrive. */
import { expect, test } from 'vitest';
import { AppError } from '../../../../../src-contract/errors.ts';
import {
  followChanges,
  type FollowOptions,
} from '../../../../../src-main/hosts/cli/running/follow-changes.ts';
import { createEvents, type EventListener } from '../../../../../src-main/services/events.ts';
import { SteppedClock } from '../../../../support/clocks/stepped-clock.ts';

interface Options extends Partial<FollowOptions<string>> {
  runsElsewhere?: boolean;
  interactive?: boolean;
  changedMeanwhile?: string;
}

/**
 * Follows the jobs of run `r` until `state.done` is true. `reads` contains the jobs of each read, or `null` for a read of
 * everything. The job `changedMeanwhile` changes during the first read.
 */
function follow(options: Options = {}) {
  const { runsElsewhere = false, interactive = false, changedMeanwhile, ...more } = options;
  const clock = new SteppedClock();
  const events = createEvents();
  const interrupt = new AbortController();
  const reads: (string[] | null)[] = [];
  const state = { done: false, blockingError: null as AppError | null };
  const app = {
    subscribe: (listener: EventListener) => events.subscribe(listener),
    isRunningJobs: () => !runsElsewhere,
    blockingError: () => state.blockingError,
  };
  const change = (jobId: string, runId = 'r') => {
    events.announceJobChange({ jobId, runId, revision: 1 });
  };
  const result = followChanges(
    { app, clock, signal: interrupt.signal, terminal: { interactive } },
    {
      isRelevant: (name, { runId }) => name === 'job.changed' && runId === 'r',
      canReadSingleJobs: true,
      read: (jobs) => {
        reads.push(jobs === null ? null : [...jobs]);
        if (reads.length === 1 && changedMeanwhile !== undefined) change(changedMeanwhile);
        return Promise.resolve(state.done ? 'done' : null);
      },
      ...more,
    },
  );
  result.catch(() => undefined);
  return { clock, change, interrupt, reads, state, result };
}

test('an event triggers a read of only its job, within 50 ms', async () => {
  const { clock, change, reads } = follow();
  await clock.advance(500);
  change('1');
  await clock.advance(50);
  expect(reads).toEqual([null, ['1']]);
});

test('many events in a short time trigger one read', async () => {
  const { clock, change, reads } = follow();
  await clock.advance(500);
  for (const job of ['1', '2', '1', '3']) change(job);
  await clock.advance(100);
  expect(reads).toEqual([null, ['1', '2', '3']]);
});

test('an event during a read is not lost', async () => {
  const { clock, reads } = follow({ changedMeanwhile: '7' });
  await clock.advance(100);
  expect(reads).toEqual([null, ['7']]);
});

test('an event about another run triggers no read', async () => {
  const { clock, change, reads } = follow();
  await clock.advance(500);
  change('9', 'another run');
  await clock.advance(1000);
  expect(reads).toEqual([null]);
});

test('without events everything is read again within two seconds, so that a lost event only delays a refresh', async () => {
  const { clock, reads, state, result } = follow();
  await clock.advance(500);
  state.done = true;
  await clock.advance(2_000);
  expect(reads).toEqual([null, null]);
  await expect(result).resolves.toBe('done');
});

test('jobs that another process runs are read again within half a second', async () => {
  const { clock, state, result } = follow({ runsElsewhere: true });
  await clock.advance(100);
  state.done = true;
  await clock.advance(500);
  await expect(result).resolves.toBe('done');
});

test('a long read makes the poll rarer, but does not delay events', async () => {
  const { clock, change, reads } = follow({ runsElsewhere: true, fullReadDelayMs: () => 5_000 });
  await clock.advance(4_000);
  change('1');
  await clock.advance(50);
  expect(reads).toEqual([null, ['1']]);
});

test('an interactive terminal is redrawn ten times a second without a read', async () => {
  let drawn = 0;
  const { clock, reads } = follow({
    interactive: true,
    redraw: () => {
      drawn += 1;
    },
  });
  await clock.advance(1_000);
  expect(drawn).toBeGreaterThanOrEqual(10);
  expect(reads).toEqual([null]);
});

test('output that is not interactive is never redrawn', async () => {
  let drawn = 0;
  const { clock } = follow({
    redraw: () => {
      drawn += 1;
    },
  });
  await clock.advance(1_000);
  expect(drawn).toBe(0);
});

test('an interrupt ends the command, and so does an error that blocks all jobs', async () => {
  const interrupted = follow();
  await interrupted.clock.advance(100);
  interrupted.interrupt.abort(new AppError('interrupted', 'Interrupted.'));
  await expect(interrupted.result).rejects.toThrow('Interrupted.');

  const stuck = follow();
  await stuck.clock.advance(100);
  stuck.state.blockingError = new AppError('disk-full', 'The disk is full.');
  await stuck.clock.advance(2_000);
  await expect(stuck.result).rejects.toThrow('The disk is full.');
});
