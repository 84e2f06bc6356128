import { expect, it } from 'vitest';
import type { Run, RunNote, RunOutcome } from '../../../../src-contract/runs/run.ts';
import { AfterRunWork } from '../../../../src-main/jobs/plans/after-run.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { storedPlan } from '../../../support/jobs/plan-draft.ts';

const time = '2026-11-20T02:30:00.000Z';
const endedWell = { kind: 'exited', code: 0, output: '', tookMs: 1 } as const;

it.each<[RunOutcome, leftOut: number, isSent: boolean, notBackedUp?: number]>([
  ['succeeded', 0, true],
  ['warnings', 0, true],
  ['skipped', 0, true],
  ['incomplete', 0, false],
  ['warnings', 1, false],
  ['partly-failed', 1, false],
  ['warnings', 0, false, 2],
])(
  'a run with the outcome %s that left out %i projects reports that outcome; sends a heartbeat: %s; projects of the plan that were not backed up: %s',
  async (outcome, count, isSent, notBackedUp) => {
    const after = { program: '/usr/local/bin/unmount', arguments: [], timeLimitSeconds: 60 };
    const plan = storedPlan({
      hooks: { before: null, after },
      heartbeat: { origin: 'https://alarm.example' },
    });
    const run: Run = {
      ...{ id: 'r1', kind: 'export', planId: plan.id, dueAt: time, createdAt: time, endedAt: time },
      ...{ manual: false, bytes: 0, instances: ['work'], jobs: { succeeded: 1 }, project: null, deed: null },
      ...{ outcome, leftOut: { count, projects: [] }, skippedWhy: null },
      notes:
        notBackedUp === undefined ? [] : [{ severity: 'warning', message: 'Not backed up.', notBackedUp }],
    };
    let awaiting = [{ run, endedAt: 0 }];
    const reported: unknown[] = [];
    let sentCount = 0;
    const notes = await new Promise<readonly RunNote[]>((onNotes, onError) => {
      const work = new AfterRunWork({
        plans: () => [plan],
        runs: {
          runsAwaitingAfterRunWork: () => awaiting,
          storeAfterRunNotes: () => {
            awaiting = [];
          },
        },
        checkArchives: () => Promise.resolve(0),
        isRunningJobs: () => true,
        runProgram: ({ input }) => {
          reported.push([input['PACKHORSE_OUTCOME'], input['PACKHORSE_LEFT_OUT']]);
          return Promise.resolve(endedWell);
        },
        sendHeartbeat: () => {
          sentCount += 1;
          return Promise.resolve();
        },
        clock: new SteppedClock(),
        observer: {
          onEnded: (_plan, _run, stored) => {
            onNotes(stored);
          },
          onError,
        },
      });
      work.poll();
    });
    expect(reported).toEqual([[outcome, String(count + (notBackedUp ?? 0))]]);
    expect(sentCount).toBe(isSent ? 1 : 0);
    const sentence = isSent
      ? 'The heartbeat was sent to https://alarm.example.'
      : 'No heartbeat was sent to https://alarm.example for this run.';
    expect(notes.at(-1)?.message).toBe(sentence);
  },
);
