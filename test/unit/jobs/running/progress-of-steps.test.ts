import { expect, test } from 'vitest';
import { stepsOf } from '../../../../src-main/jobs/running/progress-of-steps.ts';
import type { Job, JobState } from '../../../../src-contract/runs/job.ts';

const names = ['one', 'two', 'three'];
const error = { code: 'internal' as const, message: '', retry: 'never' as const, details: {} };

function job(state: JobState, step: string | null): Job {
  return {
    id: 'j',
    runId: 'r',
    kind: 'export',
    instance: 'source',
    project: 'g/p',
    state,
    step,
    attempt: 0,
    createdAt: 0,
    updatedAt: 0,
    revision: 1,
    input: null,
    result: null,
    progress: null,
  };
}

const startedStep = (name: string, startedAt: number, finishedAt: number | null, attempt = 1) => ({
  name,
  attempt,
  startedAt,
  finishedAt,
});
const states = (...args: Parameters<typeof stepsOf>) =>
  stepsOf(...args).map(({ name, state }) => `${name} ${state}`);

const waiting: JobState = { status: 'waiting', until: 9, reason: 'pace', text: '' };

test.each<[string, Job, ReturnType<typeof startedStep>[], string[]]>([
  ['is queued', job({ status: 'queued' }, 'one'), [], ['one next', 'two later', 'three later']],
  [
    'runs its second step',
    job({ status: 'running', since: 1 }, 'two'),
    [startedStep('one', 1, 2), startedStep('two', 3, null)],
    ['one done', 'two running', 'three later'],
  ],
  [
    'waits to retry its second step',
    job(waiting, 'two'),
    [startedStep('one', 1, 2), startedStep('two', 3, null, 4)],
    ['one done', 'two next', 'three later'],
  ],
  [
    'is being cancelled',
    job({ status: 'cancelling', by: 'me' }, 'one'),
    [startedStep('one', 1, null)],
    ['one running', 'two later', 'three later'],
  ],
  [
    'returned to its first step',
    job(waiting, 'one'),
    [startedStep('one', 1, 2), startedStep('two', 3, 4)],
    ['one next', 'two later', 'three later'],
  ],
  [
    'failed in its second step',
    job({ status: 'failed', error }, null),
    [startedStep('one', 1, 2), startedStep('two', 3, null)],
    ['one done', 'two stopped', 'three later'],
  ],
  [
    'failed after it had returned to its first step',
    job({ status: 'failed', error }, null),
    [startedStep('one', 5, 2, 2), startedStep('two', 3, 4)],
    ['one stopped', 'two later', 'three later'],
  ],
  [
    'was cancelled before it started',
    job({ status: 'cancelled', by: 'me' }, null),
    [],
    ['one later', 'two later', 'three later'],
  ],
  [
    'was cancelled between two steps',
    job({ status: 'cancelled', by: 'me' }, null),
    [startedStep('one', 1, 2)],
    ['one done', 'two later', 'three later'],
  ],
  [
    'succeeded without its second step',
    job({ status: 'succeeded', warnings: [] }, null),
    [startedStep('one', 1, 2), startedStep('three', 3, 4)],
    ['one done', 'three done'],
  ],
])('a job that %s reports the state of each step', (_what, subject, rows, expected) => {
  expect(states(subject, names, rows)).toEqual(expected);
});

test('a step reports its number of attempts and its times', () => {
  const rows = [startedStep('one', 1, 2), startedStep('two', 3, null, 4)];
  expect(stepsOf(job(waiting, 'two'), names, rows)).toEqual([
    { name: 'one', state: 'done', attempt: 1, startedAt: 1, finishedAt: 2 },
    { name: 'two', state: 'next', attempt: 4, startedAt: 3, finishedAt: null },
    { name: 'three', state: 'later', attempt: 0, startedAt: null, finishedAt: null },
  ]);
});
