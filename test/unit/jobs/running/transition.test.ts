import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import { jobStatuses, type JobState, type JobStatus } from '../../../../src-contract/runs/job.ts';
import { transition, type TransitionEvent } from '../../../../src-main/jobs/running/transition.ts';

const error = new AppError('server-error', 'x').toData();
const states: Record<JobStatus, JobState> = {
  queued: { status: 'queued' },
  running: { status: 'running', since: 1 },
  waiting: { status: 'waiting', until: 2, reason: 'pace', text: 'x' },
  cancelling: { status: 'cancelling', by: 'me' },
  succeeded: { status: 'succeeded', warnings: [] },
  failed: { status: 'failed', error },
  cancelled: { status: 'cancelled', by: 'me' },
  skipped: { status: 'skipped', why: 'x' },
};
const events: Record<TransitionEvent['type'], TransitionEvent> = {
  claim: { type: 'claim', at: 5 },
  wait: { type: 'wait', until: 9, reason: 'network', text: 'y' },
  succeed: { type: 'succeed', warnings: [] },
  fail: { type: 'fail', error },
  skip: { type: 'skip', why: 'no need' },
  cancel: { type: 'cancel', by: 'you' },
  aborted: { type: 'aborted' },
  interrupt: { type: 'interrupt', at: 7 },
  hold: { type: 'hold', until: 9, text: 'away', since: 3 },
  lose: { type: 'lose', error },
};

/** Every allowed pair with its result. All other pairs are rejected. */
const allowed: Partial<Record<JobStatus, Partial<Record<TransitionEvent['type'], JobStatus>>>> = {
  queued: { claim: 'running', cancel: 'cancelled' },
  running: {
    wait: 'waiting',
    succeed: 'succeeded',
    fail: 'failed',
    skip: 'skipped',
    cancel: 'cancelling',
    interrupt: 'waiting',
  },
  waiting: { claim: 'running', cancel: 'cancelled', hold: 'waiting' },
  succeeded: { lose: 'failed' },
  cancelling: { succeed: 'succeeded', cancel: 'cancelling', aborted: 'cancelled', interrupt: 'cancelled' },
};

describe('the transition of a job', () => {
  const pairs = jobStatuses.flatMap((status) =>
    (Object.keys(events) as TransitionEvent['type'][]).map((event) => ({
      status,
      event,
      next: allowed[status]?.[event],
    })),
  );

  it.each(pairs.filter((pair) => pair.next !== undefined))(
    '$status, $event → $next',
    ({ status, event, next }) => {
      expect(transition(states[status], events[event]).status).toBe(next);
    },
  );

  it.each(pairs.filter((pair) => pair.next === undefined))('$status rejects $event', ({ status, event }) => {
    expect(() => transition(states[status], events[event])).toThrow(AppError);
  });

  it('keeps the name of the first user who cancelled', () => {
    const cancelling = transition(states.running, { type: 'cancel', by: 'first' });
    const again = transition(cancelling, { type: 'cancel', by: 'second' });
    expect(transition(again, events.aborted)).toEqual({ status: 'cancelled', by: 'first' });
  });

  it('lets an interrupted job run again immediately', () => {
    expect(transition(states.running, events.interrupt)).toMatchObject({ until: 7, reason: 'interrupted' });
  });
});
