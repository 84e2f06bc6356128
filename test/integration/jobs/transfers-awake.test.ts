import { expect, test } from 'vitest';
import type { Power } from '../../../src-main/platform/power.ts';
import { file } from '../../support/jobs/change-scene.ts';
import { backUp, ended, importInto, openTestSandbox, openWorld, register } from '../../support/world.ts';
import { archiveFilter } from '../../support/requests.ts';

/** The current reasons to keep the machine awake, and how often there was one. */
class Held implements Power {
  now = 0;
  ever = 0;

  keepAwake(): () => void {
    this.now += 1;
    this.ever += 1;
    return () => {
      this.now -= 1;
    };
  }
}

async function site() {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const power = new Held();
  const world = await openWorld({ power });
  await register(world, 'source', sandbox);
  return { sandbox, power, world, projects: sandbox.state.paths };
}

test('the machine is kept awake while an archive is fetched and while it is sent, and not between', async () => {
  const { sandbox, power, world, projects } = await site();
  sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'stall', afterBytes: 900 } });
  const start = { instance: 'source', projects, keepExisting: false };
  const { runId, jobIds } = await world.client.call('backup.start', start);
  await expect.poll(() => power.now, { interval: 2 }).toBe(1);
  await world.client.call('job.cancel', { job: jobIds[0] ?? '', by: 'me' });
  expect(await ended(world, runId)).toMatchObject([{ state: { status: 'cancelled' } }]);
  expect(power).toMatchObject({ now: 0, ever: 1 });

  sandbox.faults.clear();
  await backUp(world, 'source', projects);
  expect(power).toMatchObject({ now: 0, ever: 2 });
  const filter = archiveFilter({ limit: 1 });
  const { archives } = await world.client.call('archive.list', filter);
  const [project = ''] = projects;
  const namespace = project.slice(0, project.lastIndexOf('/'));
  const job = await importInto(world, 'source', archives[0]?.id ?? '', { namespace, path: 'copy' });
  expect(job.state.status).toBe('succeeded');
  expect(power).toMatchObject({ now: 0, ever: 3 });
});

test('the machine is kept awake while a file is uploaded for the texts of a project', async () => {
  const { power, world, projects } = await site();
  const [project = ''] = projects;
  const wanted = { kind: 'upload' as const, file: file(), sizeBytes: 12 };
  const asked = { instance: 'source', project, change: wanted, confirmation: null };
  const { runId } = await world.client.call('project.change', asked);
  expect(await ended(world, runId)).toMatchObject([{ state: { status: 'succeeded' } }]);
  expect(power).toMatchObject({ now: 0, ever: 1 });
});

test('the machine is kept awake while an export is saved outside the store', async () => {
  const { power, world, projects } = await site();
  await backUp(world, 'source', projects);
  expect(power).toMatchObject({ now: 0, ever: 1 });
  await world.client.call('export.download', { instance: 'source', project: projects[0] ?? '', to: null });
  expect(power).toMatchObject({ now: 0, ever: 2 });
});

test('the machine may sleep again after a transfer that fails', async () => {
  const { sandbox, power, world, projects } = await site();
  sandbox.faults.add({ match: { path: '/export/download' }, action: { kind: 'html', status: 200 } });
  expect(await backUp(world, 'source', projects)).toMatchObject([{ state: { status: 'failed' } }]);
  expect(power).toMatchObject({ now: 0, ever: 1 });
});
