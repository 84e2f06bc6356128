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

function twentyExports(): { harness: ExportHarness; ids: string[] } {
  const harness = new ExportHarness();
  const requested = new Set<number>();
  harness.instance.onRequest = (project) => requested.add(project);
  harness.instance.onState = (project) => (requested.has(project) ? 'finished' : 'none');
  const ids = Array.from(
    { length: 20 },
    (_, at) => harness.enqueue({ projectId: at, fullPath: `group/project-${at}` }).id,
  );
  return { harness, ids };
}

const statusesOf = (harness: JobHarness, ids: readonly string[]) =>
  ids.map((id) => harness.job(id).state.status);

describe('an outage of the instance', () => {
  it('of ten minutes fails none of twenty exports, and none is requested twice', async () => {
    const { harness, ids } = twentyExports();
    await harness.clock.advance(30_000);
    harness.instance.unreachableError = refused;
    await harness.clock.advance(10 * minute);
    expect(statusesOf(harness.bench, ids)).not.toContain('failed');
    harness.instance.unreachableError = null;
    for (const id of ids) expect((await harness.bench.ended(id)).state.status).toBe('succeeded');
    expect(harness.instance.times('request')).toHaveLength(20);
  });

  it('is checked with one small request at a time, however many jobs wait', async () => {
    const { harness } = twentyExports();
    await harness.clock.advance(30_000);
    harness.instance.unreachableError = refused;
    await harness.clock.advance(2 * minute);
    const from = harness.clock.now();
    await harness.clock.advance(20 * minute);
    const during = harness.instance.calls.filter(({ at }) => at > from);
    expect(new Set(during.map(({ what }) => what))).toEqual(new Set(['server']));
    expect(during.length).toBeGreaterThan(10);
    expect(during.length).toBeLessThan(40);
  });

  it('is reported by the waiting jobs as their reason, with its start time', async () => {
    const { harness, ids } = twentyExports();
    await harness.clock.advance(30_000);
    const began = harness.clock.now();
    harness.instance.unreachableError = refused;
    await harness.clock.advance(5 * minute);
    const waits = ids.map((id) => harness.bench.job(id).state).filter(({ status }) => status === 'waiting');
    expect(waits.length).toBeGreaterThan(0);
    for (const state of waits) {
      if (state.status !== 'waiting' || state.since === undefined) throw new Error('not said');
      expect(state.text).toMatch(/^The instance has not answered since \d\d:\d\d/);
      expect(state.since - began).toBeLessThan(2 * minute);
    }
  });

  it('ends every wait as soon as the instance answers, even a long wait that the instance requested', async () => {
    const harness = new ImportHarness();
    harness.instance.unreachableError = new AppError('server-error', '503', {
      retry: { afterMs: 15 * minute },
    });
    const { id } = harness.enqueue();
    await harness.harness.until(id, waiting);
    await harness.clock.advance(3 * minute);
    harness.instance.unreachableError = null;
    expect((await harness.harness.ended(id, 3 * minute)).state.status).toBe('succeeded');
  });

  it('fails each job after an hour, also a job that was created during the outage', async () => {
    const harness = new ExportHarness();
    harness.instance.unreachableError = refused;
    const first = harness.enqueue();
    await harness.clock.advance(40 * minute);
    const later = harness.enqueue({ projectId: 8, fullPath: 'group/later' });
    await harness.clock.advance(15 * minute);
    expect(statusesOf(harness.bench, [first.id, later.id])).not.toContain('failed');
    await harness.clock.advance(10 * minute);
    expect(harness.bench.job(first.id).state).toMatchObject({ error: { code: 'connection-refused' } });
    expect(harness.bench.job(later.id).state.status).not.toBe('failed');
    await harness.clock.advance(maxOutageMs - 20 * minute);
    expect(harness.bench.job(later.id).state).toMatchObject({ error: { code: 'connection-refused' } });
  });

  it('is remembered across a restart, and time without a process does not count', async () => {
    const harness = new ImportHarness();
    harness.instance.unreachableError = refused;
    const { id } = harness.enqueue();
    await harness.clock.advance(30 * minute);
    const { state } = harness.harness.job(id);
    harness.harness.kill();
    harness.clock.jump(24 * 60 * minute);
    const next = harness.openAnother();
    await harness.clock.advance(5 * minute);
    expect(next.job(id).state).toMatchObject({
      status: 'waiting',
      ...(state.status === 'waiting' ? { since: state.since } : {}),
    });
    harness.instance.unreachableError = null;
    expect((await next.ended(id)).state.status).toBe('succeeded');
    expect(harness.sentImports).toBe(1);
  });

  it('during an import does not count against the deadline of the import', async () => {
    const harness = new ImportHarness({ deadlineMs: 5 * minute });
    harness.instance.onImportStatus = () => importOf({ state: 'started' });
    const { id } = harness.enqueue();
    await harness.harness.until(id, ({ step }) => step === 'wait');
    await harness.clock.advance(minute);
    harness.instance.unreachableError = refused;
    await harness.clock.advance(20 * minute);
    harness.instance.unreachableError = null;
    await harness.clock.advance(2 * minute);
    expect(harness.harness.job(id).state.status).not.toBe('failed');
    harness.instance.onImportStatus = () => importOf();
    harness.targetProject = harness.importedProject({ fullPath: importTarget });
    expect((await harness.harness.ended(id)).state.status).toBe('succeeded');
    expect(harness.sentImports).toBe(1);
  });

  it('does not delay other jobs if only one kind of request fails', async () => {
    const harness = new ExportHarness();
    const requested = new Set<number>();
    harness.instance.onRequest = (project) => requested.add(project);
    harness.instance.onState = (project) => {
      if (project === 7) throw new AppError('server-error', '500', { retry: 'later' });
      return requested.has(project) ? 'finished' : 'none';
    };
    const broken = harness.enqueue();
    await harness.bench.until(broken.id, waiting);
    const sound = harness.enqueue({ projectId: 8, fullPath: 'group/sound' });
    expect((await harness.bench.ended(sound.id, 2 * minute)).state.status).toBe('succeeded');
    expect(harness.bench.job(broken.id).state.status).toBe('waiting');
  });
});
