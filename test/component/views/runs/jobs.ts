/** @file Jobs and runs for component tests. */
import type { Job, JobKind, JobState, JobStep } from '../../../../src-contract/runs/job.ts';
import type { Run } from '../../../../src-contract/runs/run.ts';
import type { JobFields } from '../../support/examples.ts';

const at = Date.parse('2026-11-20T08:00:00.000Z');

export function job<Kind extends JobKind = 'export'>(
  id: number,
  state: JobState,
  change: JobFields<Kind> = {},
): Job {
  const ended = ['succeeded', 'failed', 'cancelled', 'skipped'].includes(state.status);
  return {
    id: `job-${id}`,
    runId: 'run-1',
    kind: 'export',
    instance: 'work',
    project: `group/project-${id}`,
    state,
    step: ended ? null : 'wait',
    attempt: 1,
    createdAt: at,
    updatedAt: at + 1000 * id,
    revision: 1,
    input: null,
    result: null,
    progress: null,
    ...change,
  };
}

export function run(id: number, change: Partial<Run> = {}): Run {
  return {
    id: `run-${id}`,
    kind: 'export',
    planId: null,
    dueAt: null,
    manual: false,
    createdAt: '2026-11-20T08:00:00.000Z',
    endedAt: '2026-11-20T08:02:05.000Z',
    bytes: 0,
    outcome: 'succeeded',
    instances: ['work'],
    jobs: { succeeded: 2 },
    project: null,
    deed: null,
    leftOut: { count: 0, projects: [] },
    skippedWhy: null,
    notes: [],
    ...change,
  };
}

export const steps: JobStep[] = [
  { name: 'prepare', state: 'done', attempt: 1, startedAt: at, finishedAt: at + 2000 },
  { name: 'keep-existing', state: 'done', attempt: 1, startedAt: at + 2000, finishedAt: at + 2100 },
  { name: 'request', state: 'done', attempt: 3, startedAt: at + 2100, finishedAt: at + 65_000 },
  { name: 'wait', state: 'running', attempt: 1, startedAt: at + 65_000, finishedAt: null },
  { name: 'count', state: 'next', attempt: 0, startedAt: null, finishedAt: null },
  { name: 'store', state: 'later', attempt: 0, startedAt: null, finishedAt: null },
];
