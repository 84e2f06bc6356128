import { describe, expect, it } from 'vitest';
import type { StoredJob } from '../../../../src-contract/runs/job.ts';
import { sortByPriority, isBoundToProcess } from '../../../../src-main/jobs/running/priority.ts';
import { harnessOf, runForever, kindOf, running } from '../runner-harness.ts';

const job = (id: string, kind: StoredJob['kind'], input: unknown): StoredJob =>
  ({ id, kind, input }) as StoredJob;

describe('the priority of jobs', () => {
  it('prefers users to schedules, imports to backups, and a single import to those of a migration', () => {
    const jobs = [
      job('plan', 'export', { planId: 'p' }),
      job('asked', 'export', { planId: null }),
      job('asked too', 'export', { planId: 'p', asked: true }),
      job('migrated', 'import', { comparedLater: true }),
      job('restore', 'import', {}),
      job('edit', 'change', {}),
      job('plan 2', 'export', { planId: 'p' }),
    ];
    expect(sortByPriority(jobs).map(({ id }) => id)).toEqual([
      ...['restore', 'edit', 'migrated'],
      ...['asked', 'asked too', 'plan', 'plan 2'],
    ]);
  });

  it('starts one import, but not more, beside running backups without waiting for their end', async () => {
    const definitions = [kindOf({ one: runForever }), kindOf({ one: runForever }, 'import')];
    const harness = harnessOf(kindOf({ one: runForever }), { definitions, concurrency: 2 }).start();
    const backups = ['g/a', 'g/b', 'g/c'].map((project) => harness.enqueue(project, { planId: 'p' }));
    await harness.until(backups[1]?.id ?? '', running);
    const imports = ['g/d', 'g/e'].map((project) => harness.enqueue(project, {}, 'import'));
    await harness.until(imports[0]?.id ?? '', running);
    await harness.clock.advance(5_000);
    const statuses = [...backups, ...imports].map(({ id }) => harness.job(id).state.status);
    expect(statuses).toEqual(['running', 'running', 'queued', 'running', 'queued']);
  });

  it('binds a job to its process if no other process can run it', () => {
    expect(isBoundToProcess(job('a', 'import', { source: { kind: 'url' } }))).toBe(true);
    expect(isBoundToProcess(job('b', 'change', { secret: 'key' }))).toBe(true);
    expect(isBoundToProcess(job('c', 'token', {}))).toBe(true);
    expect(isBoundToProcess(job('d', 'import', { source: { kind: 'file' } }))).toBe(false);
    expect(isBoundToProcess(job('e', 'change', { secret: null }))).toBe(false);
  });
});
