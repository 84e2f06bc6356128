import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { maxOutageMs } from '../../../src-main/jobs/running/retry.ts';
import { importOf } from '../../support/jobs/fake-instance.ts';
import { ImportHarness, importTarget } from '../../support/jobs/import-harness.ts';
import type { JobHarness } from '../../support/jobs/job-harness.ts';
import { ExportHarness, minute } from './export-harness.ts';
import { waiting } from './runner-harness.ts';

const refused = new AppError('connection-refused', 'Nothing accepts connections at gitlab.example.', {
  retry: 'later',
});

function twentyExports(): { bench: ExportHarness; ids: string[] } {
  const bench = new ExportHarness();
  const requested = new Set<number>();
  bench.instance.onRequest = (project) => requested.add(project);
  bench.instance.onState = (project) => (requested.has(project) ? 'finished' : 'none');
  const ids = Array.from(
    { length: 20 },
    (_, at) => bench.enqueue({ projectId: at, fullPath: `group/project-${at}` }).id,
  );
  return { bench, ids };
}

const statusesOf = (bench: JobHarness, ids: readonly string[]) => ids.map((id) => bench.job(id).state.status);

describe('an outage of the instance', () => {
  it('of ten minutes fails none of twenty exports, and none is requested twice', async () => {
    const { bench, ids } = twentyExports();
    await bench.clock.advance(30_000);
    bench.instance.away = refused;
    await bench.clock.advance(10 * minute);
    expect(statusesOf(bench.bench, ids)).not.toContain('failed');
    bench.instance.away = null;
    for (const id of ids) expect((await bench.bench.ended(id)).state.status).toBe('succeeded');
    expect(bench.instance.times('request')).toHaveLength(20);
  });

  it('is checked with one small request at a time, however many jobs wait', async () => {
    const { bench } = twentyExports();
    await bench.clock.advance(30_000);
    bench.instance.away = refused;
    await bench.clock.advance(2 * minute);
    const from = bench.clock.now();
    await bench.clock.advance(20 * minute);
    const during = bench.instance.calls.filter(({ at }) => at > from);
    expect(new Set(during.map(({ what }) => what))).toEqual(new Set(['server']));
    expect(during.length).toBeGreaterThan(10);
    expect(during.length).toBeLessThan(40);
  });

  it('is reported by the waiting jobs as their reason, with its start time', async () => {
    const { bench, ids } = twentyExports();
    await bench.clock.advance(30_000);
    const began = bench.clock.now();
    bench.instance.away = refused;
    await bench.clock.advance(5 * minute);
    const waits = ids.map((id) => bench.bench.job(id).state).filter(({ status }) => status === 'waiting');
    expect(waits.length).toBeGreaterThan(0);
    for (const state of waits) {
      if (state.status !== 'waiting' || state.since === undefined) throw new Error('not said');
      expect(state.text).toMatch(/^The instance has not answered since \d\d:\d\d/);
      expect(state.since - began).toBeLessThan(2 * minute);
    }
  });

  it('ends every wait as soon as the instance answers, even a long wait that the instance requested', async () => {
    const bench = new ImportHarness();
    bench.instance.away = new AppError('server-error', '503', { retry: { afterMs: 15 * minute } });
    const { id } = bench.enqueue();
    await bench.bench.until(id, waiting);
    await bench.clock.advance(3 * minute);
    bench.instance.away = null;
    expect((await bench.bench.ended(id, 3 * minute)).state.status).toBe('succeeded');
  });

  it('fails each job after an hour, also a job that was created during the outage', async () => {
    const bench = new ExportHarness();
    bench.instance.away = refused;
    const first = bench.enqueue();
    await bench.clock.advance(40 * minute);
    const later = bench.enqueue({ projectId: 8, fullPath: 'group/later' });
    await bench.clock.advance(15 * minute);
    expect(statusesOf(bench.bench, [first.id, later.id])).not.toContain('failed');
    await bench.clock.advance(10 * minute);
    expect(bench.bench.job(first.id).state).toMatchObject({ error: { code: 'connection-refused' } });
    expect(bench.bench.job(later.id).state.status).not.toBe('failed');
    await bench.clock.advance(maxOutageMs - 20 * minute);
    expect(bench.bench.job(later.id).state).toMatchObject({ error: { code: 'connection-refused' } });
  });

  it('is remembered across a restart, and time without a process does not count', async () => {
    const bench = new ImportHarness();
    bench.instance.away = refused;
    const { id } = bench.enqueue();
    await bench.clock.advance(30 * minute);
    const { state } = bench.bench.job(id);
    bench.bench.die();
    bench.clock.jump(24 * 60 * minute);
    const next = bench.another();
    await bench.clock.advance(5 * minute);
    expect(next.job(id).state).toMatchObject({
      status: 'waiting',
      ...(state.status === 'waiting' ? { since: state.since } : {}),
    });
    bench.instance.away = null;
    expect((await next.ended(id)).state.status).toBe('succeeded');
    expect(bench.sendings).toBe(1);
  });

  it('during an import does not count against the deadline of the import', async () => {
    const bench = new ImportHarness({ deadlineMs: 5 * minute });
    bench.instance.onImportStatus = () => importOf({ state: 'started' });
    const { id } = bench.enqueue();
    await bench.bench.until(id, ({ step }) => step === 'wait');
    await bench.clock.advance(minute);
    bench.instance.away = refused;
    await bench.clock.advance(20 * minute);
    bench.instance.away = null;
    await bench.clock.advance(2 * minute);
    expect(bench.bench.job(id).state.status).not.toBe('failed');
    bench.instance.onImportStatus = () => importOf();
    bench.there = bench.ours({ fullPath: importTarget });
    expect((await bench.bench.ended(id)).state.status).toBe('succeeded');
    expect(bench.sendings).toBe(1);
  });

  it('does not delay other jobs if only one kind of request fails', async () => {
    const bench = new ExportHarness();
    const requested = new Set<number>();
    bench.instance.onRequest = (project) => requested.add(project);
    bench.instance.onState = (project) => {
      if (project === 7) throw new AppError('server-error', '500', { retry: 'later' });
      return requested.has(project) ? 'finished' : 'none';
    };
    const broken = bench.enqueue();
    await bench.bench.until(broken.id, waiting);
    const sound = bench.enqueue({ projectId: 8, fullPath: 'group/sound' });
    expect((await bench.bench.ended(sound.id, 2 * minute)).state.status).toBe('succeeded');
    expect(bench.bench.job(broken.id).state.status).toBe('waiting');
  });
});
