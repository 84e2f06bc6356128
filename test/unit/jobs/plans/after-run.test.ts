import { expect, it } from 'vitest';
import type { Run, RunNote, RunOutcome } from '../../../../src-contract/runs/run.ts';
import { AfterRunWork } from '../../../../src-main/jobs/plans/after-run.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { storedPlan } from '../../../support/jobs/plan-draft.ts';

const time = '2026-11-20T02:30:00.000Z';
const endedWell = { kind: 'exited', code: 0, output: '', tookMs: 1 } as const;

interface EndedRun {
  outcome: RunOutcome;
  /** The number of projects that were left out because of an open job. */
  leftOut?: number;
  notBackedUp?: number;
  jobs?: Run['jobs'];
  /** Why no heartbeat is sent. */
  why?: string;
  /** The outcome for programs, if it differs. */
  reported?: RunOutcome;
}

it.each<EndedRun>([
  { outcome: 'succeeded' },
  { outcome: 'warnings' },
  { outcome: 'skipped' },
  { outcome: 'incomplete', why: 'an archive is incomplete or suspicious' },
  { outcome: 'failed', why: 'the run failed' },
  { outcome: 'warnings', leftOut: 1, why: '1 project was not backed up' },
  { outcome: 'partly-failed', leftOut: 1, why: 'some backups failed' },
  { outcome: 'warnings', notBackedUp: 2, why: '2 projects were not backed up' },
  { outcome: 'warnings', jobs: {}, why: 'the run had no project', reported: 'nothing' },
  { outcome: 'warnings', jobs: {}, notBackedUp: 1, why: '1 project was not backed up' },
  { outcome: 'nothing', jobs: {}, why: 'the run had no project' },
])(
  'a program after the run and the heartbeat get the same decision, and a note gives the reason: %o',
  async ({
    outcome,
    leftOut: count = 0,
    notBackedUp,
    jobs = { succeeded: 1 },
    why,
    reported: outcomeForProgram = outcome,
  }) => {
    const after = { program: '/usr/local/bin/unmount', arguments: [], timeLimitSeconds: 60 };
    const plan = storedPlan({
      hooks: { before: null, after },
      heartbeat: { origin: 'https://alarm.example' },
    });
    const run: Run = {
      ...{ id: 'r1', kind: 'export', planId: plan.id, dueAt: time, createdAt: time, endedAt: time },
      ...{ manual: false, bytes: 0, instances: ['work'], jobs, project: null, deed: null },
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
          const { PACKHORSE_OUTCOME, PACKHORSE_LEFT_OUT, PACKHORSE_HEARTBEAT } = input;
          reported.push([PACKHORSE_OUTCOME, PACKHORSE_LEFT_OUT, PACKHORSE_HEARTBEAT]);
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
    const isSent = why === undefined;
    expect(reported).toEqual([[outcomeForProgram, String(count + (notBackedUp ?? 0)), isSent ? '1' : '0']]);
    expect(sentCount).toBe(isSent ? 1 : 0);
    const sentence = isSent
      ? 'The heartbeat was sent to https://alarm.example.'
      : `No heartbeat was sent to https://alarm.example for this run: ${why}.`;
    expect(notes.at(-1)?.message).toBe(sentence);
  },
);
